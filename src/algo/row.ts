/**
 * A rollout as a training row: its exact token ids and the positions a(x) of the agent's own tokens.
 *
 * Only these tokens carry probability (arXiv 2502.01600, equations 6 and 8): the prompt and what the environment wrote
 * cancel in every importance ratio. All per-token arrays of this layer have one entry per position in `at`, in order.
 *
 * A rollout whose context did not only grow has several rows. Here they are one, joined end to end, with a mark where each
 * begins, so an objective sees one list of action tokens: their mean is over all of the rollout's, and a trajectory's
 * ratio is the product over all of its segments. Only who gives rows to an engine cuts them apart again (`cutRow`).
 */
import { assert } from "../core/index.ts";
import type { Rollout, RolloutTokens, Row } from "../spec/index.ts";

/** What an engine is asked about a rollout, with what the sampler said of it. */
export interface ActionRow extends Row {
  /** T token ids, agent and environment. */
  readonly tokens: readonly number[];
  /** Positions of action tokens, ascending. */
  readonly at: readonly number[];
  /** Action tokens in each turn; they sum to `at.length`. */
  readonly turnLengths: readonly number[];
  /** The sampler's log-probs at `at`. Nats. */
  readonly sampled: readonly number[];
  /** Where further segments begin in `tokens`, ascending; absent: it is one row. */
  readonly starts?: readonly number[];
}

/** All rows of a rollout end to end, and where those after the first begin. Undefined without tokens. */
export function joinedTokens({
  tokens,
  segments = [],
}: Pick<Rollout, "tokens" | "segments">):
  | (RolloutTokens & { readonly starts: number[] })
  | undefined {
  if (tokens === undefined || segments.length === 0) return tokens && { ...tokens, starts: [] };
  const rows = [tokens, ...segments];
  let next = 0;
  const starts = rows.map(({ ids }) => {
    const start = next;
    next += ids.length;
    return start;
  });
  return {
    ids: rows.flatMap(({ ids }) => ids),
    mask: rows.flatMap(({ mask }) => mask),
    logprobs: rows.flatMap(({ logprobs }) => logprobs),
    starts: starts.slice(1),
  };
}

/** The rows that an engine is asked about. Their action tokens, one row after the other, are those of the joined row. */
export function cutRow({ tokens, at, starts = [] }: Row & Pick<ActionRow, "starts">): Row[] {
  const edges = [0, ...starts, tokens.length];
  const ids = Array.from(tokens);
  return edges.slice(0, -1).map((start, i) => ({
    tokens: ids.slice(start, edges[i + 1]),
    at: Array.from(at)
      .filter((position) => position >= start && position < edges[i + 1]!)
      .map((position) => position - start),
  }));
}

/** The row of a rollout that has tokens (a rollout of a message policy cannot be trained on). */
export function actionRow(rollout: Rollout): ActionRow {
  const tokens = joinedTokens(rollout);
  assert(tokens, `rollout ${rollout.id} has no tokens to train on`);
  const { ids, mask, starts } = tokens;
  const at: number[] = [];
  mask.forEach((sampled, position) => {
    if (sampled) at.push(position);
  });
  const turnLengths = rollout.turns.map(({ span, segment = 0 }) => {
    if (!span) return 0;
    const start = segment === 0 ? 0 : starts[segment - 1]!;
    return actionsIn(mask, start + span[0], start + span[1]);
  });
  const sampled = at.map((i) => tokens.logprobs[i]!);
  return { tokens: ids, at, turnLengths, sampled, ...(starts.length > 0 && { starts }) };
}

function actionsIn(mask: readonly (0 | 1)[], from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) count += mask[i]!;
  return count;
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
