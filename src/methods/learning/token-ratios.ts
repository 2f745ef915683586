/**
 * What learning knew of each token of a rollout, for people to look at: numbers that were computed anyway, by reference, so
 * that remembering them costs nothing until somebody writes a sample of them down.
 */
import type { ActionRow, Graded, ObjectiveResult, ObjectiveRow } from "../../algo/index.ts";
import type { TokenOutputs } from "../../spec/index.ts";
import type { TokenRatios } from "../method.ts";

/** What an objective was given for a row's tokens, and which of them it clipped. */
export type Told = Pick<TokenRatios, "advantages" | "clipped">;

/** Of row `i` of a minibatch. */
export function toldOf(
  rows: readonly ObjectiveRow[],
  { clipped }: Pick<ObjectiveResult, "clipped">,
  i: number,
): Told {
  const { advantage } = rows[i]!;
  return {
    ...(typeof advantage !== "number" && { advantages: advantage }),
    ...(clipped && { clipped: clipped[i]! }),
  };
}

/** A rollout after it was learned from. */
export interface LearnedRow {
  readonly graded: Graded;
  readonly row: ActionRow;
  /** Under the policy that learning began from. */
  readonly start: Pick<TokenOutputs, "logprobs">;
  readonly current: TokenOutputs;
  readonly told?: Told;
}

/** What each token's probability became, and what the objective made of it. */
export function tokenRatios({ graded, row, start, current, told }: LearnedRow): TokenRatios {
  const old = start.logprobs;
  const { logprobs, entropies } = current;
  const ratios = Array.from(logprobs, (logprob, t) => Math.exp(logprob - old[t]!));
  return {
    id: graded.rollout.id,
    advantage: graded.advantage,
    at: row.at,
    ratios,
    old,
    current: logprobs,
    ...told,
    ...(entropies && { entropies }),
  };
}
