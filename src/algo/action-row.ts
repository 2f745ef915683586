/**
 * Turns a rollout into a training row: its exact token ids and the positions a(x) of the agent's own tokens.
 *
 * Only the agent's tokens carry probability (arXiv 2502.01600, equations 6 and 8): the prompt and the environment's
 * text cancel in every importance ratio. All per-token arrays in `src/algo` have one entry for each position in `at`,
 * in order.
 *
 * A rollout has several rows when its context was shortened or rewritten between turns. Here they are joined end to end
 * into one row, together with the positions at which they begin. So an objective sees one list of action tokens: their
 * mean is over all of the rollout's tokens, and a trajectory's ratio is the product over all of its rows.
 * `cutRowIntoSegments` separates the rows again for an engine.
 */
import { assert } from "../core/index.ts";
import type { Rollout, RolloutTokens, Row } from "../spec/index.ts";

/** A rollout as one training row, with the log-probs that the sampler reported for its action tokens. */
export interface ActionRow extends Row {
  /** Token ids of the whole row: the agent's and the environment's. */
  readonly tokens: readonly number[];
  /** Positions of the action tokens in `tokens`, ascending. */
  readonly at: readonly number[];
  /** Number of action tokens in each turn. Their sum is `at.length`. */
  readonly turnLengths: readonly number[];
  /** Log-probs that the sampler reported for the positions in `at`, in nats. */
  readonly sampled: readonly number[];
  /** Positions in `tokens` where the second and later rows begin, ascending. Absent when the rollout has one row. */
  readonly starts?: readonly number[];
}

/**
 * Joins all rows of a rollout end to end, and returns where the second and later ones begin. Returns undefined when
 * the rollout has no tokens.
 */
export function joinRolloutTokens({
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

/**
 * Cuts a joined row back into the separate rows that an engine takes. Their action tokens, one row after the other,
 * are those of the joined row.
 */
export function cutRowIntoSegments({
  tokens,
  at,
  starts = [],
}: Row & Pick<ActionRow, "starts">): Row[] {
  const edges = [0, ...starts, tokens.length];
  const ids = Array.from(tokens);
  return edges.slice(0, -1).map((start, i) => ({
    tokens: ids.slice(start, edges[i + 1]),
    at: Array.from(at)
      .filter((position) => position >= start && position < edges[i + 1]!)
      .map((position) => position - start),
  }));
}

/**
 * Builds the training row of a rollout. A rollout without tokens, such as one of a hosted chat policy, fails an
 * assertion.
 */
export function buildActionRow(rollout: Rollout): ActionRow {
  const tokens = joinRolloutTokens(rollout);
  assert(tokens, `rollout ${rollout.id} has no tokens to train on`);
  const { ids, mask, starts } = tokens;
  const at: number[] = [];
  mask.forEach((sampled, position) => {
    if (sampled) at.push(position);
  });
  const turnLengths = rollout.turns.map(({ span, segment = 0 }) => {
    if (!span) return 0;
    const start = segment === 0 ? 0 : starts[segment - 1]!;
    return countActionTokens(mask, start + span[0], start + span[1]);
  });
  const sampled = at.map((i) => tokens.logprobs[i]!);
  return { tokens: ids, at, turnLengths, sampled, ...(starts.length > 0 && { starts }) };
}

function countActionTokens(mask: readonly (0 | 1)[], from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) count += mask[i]!;
  return count;
}

/**
 * Returns an array with one entry per action token. All tokens of a turn have the number that `valueOfTurn` gives for
 * this turn.
 */
export function repeatPerToken(
  turnLengths: readonly number[],
  valueOfTurn: (turn: number) => number,
): Float64Array {
  return Float64Array.from(
    turnLengths.flatMap((length, j) => new Array<number>(length).fill(valueOfTurn(j))),
  );
}
