/**
 * A rollout as a training row: its exact token ids and the positions a(x) of the agent's own tokens.
 *
 * Only these tokens carry probability (arXiv 2502.01600, equations 6 and 8): the prompt and what the environment wrote
 * cancel in every importance ratio. All per-token arrays of this layer have one entry per position in `at`, in order.
 */
import { assert } from "../core/index.ts";
import type { Rollout, Row } from "../spec/index.ts";

export interface ActionRow extends Row {
  /** T token ids, agent and environment. */
  readonly tokens: readonly number[];
  /** Positions of action tokens, ascending. */
  readonly at: readonly number[];
  /** Action tokens in each turn; they sum to `at.length`. */
  readonly turnLengths: readonly number[];
  /** The sampler's log-probs at `at`. Nats. */
  readonly sampled: readonly number[];
}

/** The row of a rollout that has tokens (a rollout of a message policy cannot be trained on). */
export function actionRow(rollout: Rollout): ActionRow {
  const { tokens } = rollout;
  assert(tokens, `rollout ${rollout.id} has no tokens to train on`);
  const at: number[] = [];
  tokens.mask.forEach((sampled, position) => {
    if (sampled) at.push(position);
  });
  const turnLengths = rollout.turns.map(({ span }) => (span ? span[1] - span[0] : 0));
  return { tokens: tokens.ids, at, turnLengths, sampled: at.map((i) => tokens.logprobs[i]!) };
}

/** The same number for all action tokens of a turn. */
export function perToken(
  turnLengths: readonly number[],
  numberOf: (turn: number) => number,
): Float64Array {
  return Float64Array.from(
    turnLengths.flatMap((length, j) => new Array<number>(length).fill(numberOf(j))),
  );
}
