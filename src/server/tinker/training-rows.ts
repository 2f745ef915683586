/**
 * Converts datums to the engine's rows, and the engine's outputs back.
 *
 * A datum requests log p(y_t | x_0..x_t) for every t. The engine computes log p(tokens[i] | tokens[0..i-1]), so the row
 * x_0 ... x_{N-1} y_{N-1} answers every t whose target is the next input, which is the usual case. A target that is not
 * the next input gets a row of its own if it has weight. If it has none (many clients fill a prompt's targets with
 * zeros), it cannot change the loss, and its log-prob is returned as 0 without being computed.
 */
import type { Row, TokenOutputs } from "../../spec/index.ts";
import { throwApiError } from "./api-error.ts";
import type { BatchResult } from "./backend.ts";
import { canChangeLoss, computeTokenLoss, type LossBatch, type LossDatum } from "./losses.ts";

/** A row for the engine, and the datum and targets that its outputs belong to. */
export interface PlannedRow {
  readonly row: Row;
  readonly datum: number;
  readonly targets: readonly number[];
}

/** The most tokens, in a whole batch, of rows for single targets. Each such row costs a pass over its prefix. */
const MAX_EXTRA_TOKENS = 2 ** 16;

export function planRows({ loss, data }: LossBatch): readonly PlannedRow[] {
  let extraTokens = 0;
  return data.flatMap((datum, index): PlannedRow[] => {
    const { tokens, targets } = datum;
    const last = targets.length - 1;
    const sharedTargets: number[] = [];
    const extraRows: PlannedRow[] = [];
    for (let t = 0; t <= last; t++) {
      if (t === last || targets[t] === tokens[t + 1]) sharedTargets.push(t);
      else if (canChangeLoss(loss, datum, t)) extraRows.push(buildRow(datum, index, [t], t));
    }
    for (const { row } of extraRows) extraTokens += row.tokens.length;
    if (extraTokens > MAX_EXTRA_TOKENS) {
      throwApiError(
        400,
        `datum ${index}: each weighted target that is not the next input needs a pass of its own, and these passes have more than ${MAX_EXTRA_TOKENS} tokens; shift the targets by one (target_tokens[t] = input[t + 1])`,
      );
    }
    return [buildRow(datum, index, sharedTargets, last), ...extraRows];
  });
}

function buildRow(datum: LossDatum, index: number, targets: readonly number[], end: number) {
  const tokens = new Int32Array(end + 2);
  for (let i = 0; i <= end; i++) tokens[i] = datum.tokens[i]!;
  tokens[end + 1] = datum.targets[end]!;
  return { row: { tokens, at: targets.map((t) => t + 1) }, datum: index, targets };
}

/** Returns d(loss)/d(log-prob) for each output of each row. */
export function computeCotangents(
  batch: LossBatch,
  plan: readonly PlannedRow[],
  outputs: readonly TokenOutputs[] | undefined,
): { readonly logprobs: Float64Array }[] {
  return plan.map(({ datum, targets }, i) => ({
    logprobs: Float64Array.from(targets, (t, j) => {
      return computeTokenLoss(batch, batch.data[datum]!, t, outputs?.[i]?.logprobs[j] ?? 0).slope;
    }),
  }));
}

export function collectResult(
  batch: LossBatch,
  plan: readonly PlannedRow[],
  outputs: readonly TokenOutputs[],
): BatchResult {
  const logprobs = batch.data.map(({ targets }) => new Float32Array(targets.length));
  const losses = logprobs.map(({ length }) => new Float32Array(length));
  let loss = 0;
  let computed = 0;
  for (const [i, { datum, targets }] of plan.entries()) {
    for (const [j, t] of targets.entries()) {
      const lp = outputs[i]!.logprobs[j]!;
      const term = computeTokenLoss(batch, batch.data[datum]!, t, lp).loss;
      logprobs[datum]![t] = lp;
      losses[datum]![t] = term;
      loss += term;
      computed += 1;
    }
  }
  const requested = logprobs.reduce((sum, { length }) => sum + length, 0);
  return { logprobs, losses, loss, skipped: requested - computed };
}
