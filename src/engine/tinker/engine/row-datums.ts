/**
 * Converts rows and cotangents to the protocol's datums.
 *
 * A row's log-prob at token i is that of target i - 1: the model reads x[0..L-2], the targets are x[1..L-1]. Tokens
 * after the last requested one have no influence and are not sent.
 *
 * Servers offer a few losses and no way to pass in a gradient, so a surrogate loss is used. With r = exp(lp - q), the
 * loss `importance_sampling` is -r A, whose derivative with respect to lp is -r A. At q = lp the ratio is 1 and the
 * derivative is -A. So with the current log-probs as q and minus the cotangent as A, the server computes the gradient
 * of the caller's loss, whatever that loss is. A also undoes the server's reduction:
 *
 *   sum:  gradient of  sum over datums, sum over tokens            ->  A = -cotangent
 *   mean: (1/D) sum over datums ( sum over tokens w l / sum w )    ->  A = -cotangent * D * W_d
 *
 * where D is the number of datums since the last step and W_d the sum of a datum's weights, 1 for each requested token.
 */
import type { Row } from "../../../spec/index.ts";
import { type Datum, floatTensor, type TensorData } from "../wire/index.ts";
import type { ServerTraits } from "./server-traits.ts";

export interface TrainingRow {
  readonly row: Row;
  /** The current log-probs at `row.at`. */
  readonly logprobs: Float32Array;
  /** d(loss)/d(log-prob) at `row.at`. */
  readonly cotangents: ArrayLike<number>;
}

/** Builds the datum of a pass that only computes log-probs. */
export function buildForwardDatum(row: Row): Datum {
  const { length, input } = readRowInput(row);
  const weights = spreadOverTargets(row, length, () => 1);
  return buildDatum(row, length, input, { weights: floatTensor(weights) });
}

/** Builds the datum of a gradient pass; `datums` is the number of datums of the whole optimizer step. */
export function buildSurrogateDatum(
  { row, logprobs, cotangents }: TrainingRow,
  datums: number,
  { reduction, rlWeights }: Pick<ServerTraits, "reduction" | "rlWeights">,
): Datum {
  const { length, input } = readRowInput(row);
  // Without weights the server's mean is over all tokens of the row.
  const weightSum = rlWeights ? countDistinct(row.at) : length;
  const scale = reduction === "mean" ? datums * weightSum : 1;
  const advantages = spreadOverTargets(row, length, (j) => Math.fround(-cotangents[j]! * scale));
  const current = spreadOverTargets(row, length, (j) => Math.min(logprobs[j]!, 0), "last");
  return buildDatum(row, length, input, {
    logprobs: floatTensor(current),
    advantages: floatTensor(advantages),
    ...(rlWeights && { weights: floatTensor(spreadOverTargets(row, length, () => 1, "last")) }),
  });
}

/** Selects, from a list with one value for each target, the values at the tokens that the row requests. */
export function selectRowValues(row: Row, targets: readonly number[]): Float32Array {
  return Float32Array.from(row.at, (i) => targets[i - 1]!);
}

function readRowInput(row: Row): { length: number; input: number[] } {
  const length = Math.max(...Array.from(row.at));
  return { length, input: Array.from({ length }, (_, i) => row.tokens[i]!) };
}

/**
 * Returns one value per target, 0 where none is requested. `value(j)` belongs to the token `at[j]`; when a token is
 * requested twice, the values are summed or the last one is taken.
 */
function spreadOverTargets(
  { at }: Row,
  length: number,
  value: (j: number) => number,
  onRepeat: "sum" | "last" = "sum",
): number[] {
  const out = new Array<number>(length).fill(0);
  for (let j = 0; j < at.length; j++) {
    const target = at[j]! - 1;
    out[target] = onRepeat === "sum" ? out[target]! + value(j) : value(j);
  }
  return out;
}

function countDistinct(at: ArrayLike<number>): number {
  return new Set(Array.from(at)).size;
}

function buildDatum(
  row: Row,
  length: number,
  input: number[],
  tensors: Record<string, TensorData>,
): Datum {
  const targets = Array.from({ length }, (_, i) => row.tokens[i + 1]!);
  return {
    model_input: { chunks: [{ type: "encoded_text", tokens: input }] },
    loss_fn_inputs: {
      target_tokens: { data: targets, dtype: "int64", shape: [length] },
      ...tensors,
    },
  };
}
