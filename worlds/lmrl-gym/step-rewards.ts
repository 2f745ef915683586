/**
 * The rewards of LMRL-Gym, step by step: a move, question or guess costs 1, and the one that ends the game well costs
 * nothing. As a share of the number of steps that a game allows, they stay comparable with the outcome, which Bowline
 * pays in addition.
 *
 *     bowline train smoke --world ./worlds/lmrl-gym/maze.ts --reward ./worlds/lmrl-gym/step-rewards.ts
 */
import type { RewardFunction } from "bowline";

/** The APIs whose calls are steps, and the number of steps after which the loss is 1. */
const STEPS: Readonly<Record<string, number>> = {
  "maze.go": 100,
  "wordle.guess": 6,
  "twenty.ask": 20,
  "twenty.guess": 20,
};

/** Returns the reward of each turn. It is never positive. */
const stepRewards: RewardFunction = ({ turns, evaluation }) => {
  const steps = turns.map(({ calls }) =>
    calls.flatMap(({ app, api, status }) => {
      const most = STEPS[`${app}.${api}`];
      return most === undefined || status !== 200 ? [] : [-1 / most];
    }),
  );
  const last = steps.findLastIndex((list) => list.length > 0);
  if (evaluation?.passed && last >= 0) steps[last] = [...steps[last]!.slice(0, -1), 0];
  return steps.map((list) => list.reduce((sum, reward) => sum + reward, 0));
};

export default stepRewards;
