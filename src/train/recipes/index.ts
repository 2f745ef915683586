/** Named configurations. A recipe says what it changes from the defaults, and why, in its own file. */
import { dmpo } from "./dmpo.ts";
import { dpoMcts } from "./dpo-mcts.ts";
import { ei } from "./ei.ts";
import { grpo } from "./grpo.ts";
import { grpoNoKl } from "./grpo-no-kl.ts";
import { imitationControl } from "./imitation-control.ts";
import { loop } from "./loop.ts";
import { loopQwen2532b } from "./loop-qwen2.5-32b.ts";
import { loopQwen38b } from "./loop-qwen3-8b.ts";
import { loopRwnorm } from "./loop-rwnorm.ts";
import { loopTrajectory } from "./loop-trajectory.ts";
import { loopTrajectoryMean } from "./loop-trajectory-mean.ts";
import { loopTurn } from "./loop-turn.ts";
import { manyStrict } from "./many-strict.ts";
import { ppoCritic } from "./ppo-critic.ts";
import type { Recipe } from "./recipe.ts";
import { rft } from "./rft.ts";
import { rloo } from "./rloo.ts";
import { sftGt } from "./sft-gt.ts";
import { smoke } from "./smoke.ts";
import { starter } from "./starter.ts";

export type { Recipe } from "./recipe.ts";

export const recipes: { readonly [name: string]: Recipe } = {
  starter,
  smoke,
  loop,
  "loop-qwen2.5-32b": loopQwen2532b,
  "loop-qwen3-8b": loopQwen38b,
  "imitation-control": imitationControl,
  "loop-turn": loopTurn,
  "loop-trajectory": loopTrajectory,
  "loop-trajectory-mean": loopTrajectoryMean,
  "loop-rwnorm": loopRwnorm,
  rloo,
  grpo,
  "grpo-no-kl": grpoNoKl,
  "ppo-critic": ppoCritic,
  "many-strict": manyStrict,
  ei,
  rft,
  "sft-gt": sftGt,
  dmpo,
  "dpo-mcts": dpoMcts,
};

/** The methods of the paper's table on one footing: `starter` is LOOP with token ratios. */
export const COMPARED: readonly string[] = [
  "starter",
  "loop-turn",
  "loop-trajectory",
  "loop-trajectory-mean",
  "loop-rwnorm",
  "rloo",
  "grpo",
  "grpo-no-kl",
  "ppo-critic",
  "many-strict",
  "ei",
  "rft",
  "sft-gt",
  "dmpo",
  "dpo-mcts",
];
