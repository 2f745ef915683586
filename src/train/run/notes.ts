/**
 * Per-token notes on a sample of training rollouts, for the report: `rollouts/notes-<iteration>.jsonl`, one line each:
 *
 *   { "id": "3/7/2", "advantage": 0.55, "at": [41, 42, ...], "ratios": [1, 0.98, ...] }
 *
 * `id` is that of a rollout in `train-<iteration>.jsonl`; `at` are the positions of the agent's tokens in `tokens.ids`;
 * `ratios` are those of their last minibatch, before its update. The token at `at[i]` has the spec's
 * `TokenNote { advantage, ratio: ratios[i] }`.
 */
import type { TokenRatios } from "../../methods/index.ts";

export interface RolloutNotes {
  readonly id: string;
  readonly advantage: number;
  readonly at: readonly number[];
  readonly ratios: readonly number[];
}

const SAMPLE = 12;

/** Notes on at most twelve of the rollouts that were learned from, spread evenly over the batch. */
export function rolloutNotes(all: readonly TokenRatios[]): RolloutNotes[] {
  const step = Math.max(1, Math.ceil(all.length / SAMPLE));
  return all
    .filter((_, index) => index % step === 0)
    .map(({ id, advantage, at, ratios }) => ({
      id,
      advantage,
      at,
      ratios: ratios.map((ratio) => Number(ratio.toFixed(5))),
    }));
}
