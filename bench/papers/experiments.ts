/**
 * The training runs behind the tables of `worlds/*\/README.md`: which world is learned with which options, and what the
 * arms of an experiment change.
 */

/** Options of `bowline train`, by their names. */
export type Options = Readonly<Record<string, string | number>>;

export interface Experiment {
  /** The path of the world's module from the root of the repository. */
  readonly world: string;
  /** Options of all arms. */
  readonly options: Options;
  /** The options of each arm. An experiment without a comparison has one arm. */
  readonly arms: Readonly<Record<string, Options>>;
  /** Options of a run that only imitates. All arms with the same seed start from its policy. */
  readonly imitation?: Options;
}

/** What all runs share: small budgets, one thread, and scores at T = 1 on unseen tasks. */
export const SHARED: Options = {
  "engine.threads": 1,
  "world.workers": 1,
  "evaluation.scores": '["test-normal@T1"]',
  "algo.tasks-per-iteration": 12,
  "algo.iterations": 8,
  "warm.demonstrations": 2000,
};

/** What arms do not repeat that start from the policy of a run that only imitates. */
export const WITHOUT_IMITATION: Options = { "warm.demonstrations": 0 };

const STEP_REWARDS = "./worlds/lmrl-gym/step-rewards.ts";
const LOOP_ALONE = { loop: {} };

export const EXPERIMENTS: Readonly<Record<string, Experiment>> = {
  "lmrl-maze": {
    world: "./worlds/lmrl-gym/maze.ts",
    options: {
      reward: STEP_REWARDS,
      "warm.hasty-share": 0.85,
      "world.train-scenarios": 8,
      "evaluation.scenarios": 8,
      "scaffold.max-turns": 14,
      "scaffold.evaluation-turns": 14,
      "scaffold.max-tokens": 250,
      "algo.iterations": 8,
    },
    arms: LOOP_ALONE,
  },
  "lmrl-wordle": {
    world: "./worlds/lmrl-gym/wordle.ts",
    options: {
      reward: STEP_REWARDS,
      "scaffold.max-turns": 8,
      "scaffold.evaluation-turns": 8,
    },
    arms: LOOP_ALONE,
  },
  "lmrl-twenty-questions": {
    world: "./worlds/lmrl-gym/twenty-questions.ts",
    options: {
      reward: STEP_REWARDS,
      "warm.hasty-share": 0.6,
      // 56 of the things are in test-normal.
      "evaluation.scenarios": 18,
      "scaffold.max-turns": 16,
      "scaffold.evaluation-turns": 16,
      "scaffold.max-tokens": 200,
      "algo.iterations": 12,
    },
    arms: LOOP_ALONE,
  },
  "gui-exploration-lab": {
    world: "./worlds/gui-exploration-lab/search.ts",
    options: {
      "algo.tasks-per-iteration": 20,
      "algo.iterations": 14,
      "optimizer.learning-rate": 8e-4,
      "scaffold.max-turns": 12,
      "scaffold.evaluation-turns": 12,
      "evaluation.scenarios": 20,
      "world.train-scenarios": 400,
      "scaffold.max-tokens": 250,
    },
    imitation: { "warm.hasty-share": 0.5, "warm.demonstrations": 3000 },
    arms: {
      "one turn": {
        world: "./worlds/gui-exploration-lab/one-turn.ts",
        "scaffold.max-turns": 1,
        "algo.unfinished": "score",
      },
      "multi-turn": {},
    },
  },
  "env-gen": {
    world: "./worlds/env-gen/pantry.ts",
    options: {
      "scaffold.max-turns": 5,
      "scaffold.evaluation-turns": 5,
      "world.train-scenarios": 400,
    },
    imitation: { "warm.demonstrations": 4000, "warm.hasty-share": 0.6 },
    arms: { uniform: {}, generator: { sampler: "./worlds/env-gen/generator.ts" } },
  },
  "mle-dojo": {
    world: "./worlds/mle-dojo/mle-dojo.ts",
    options: {
      "warm.demonstrations": 1200,
      "world.train-scenarios": 60,
      "scaffold.max-turns": 5,
      "scaffold.evaluation-turns": 5,
    },
    arms: LOOP_ALONE,
  },
};
