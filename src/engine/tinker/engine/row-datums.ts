/**
 * Rows and cotangents as the protocol's datums.
 *
 * A row's log-prob at token i is that of target i - 1: the model reads x[0..L-2], the targets are x[1..L-1]. Tokens after
 * the last one that is asked for decide nothing and are not sent.
 *
 * The surrogate. Servers offer a few losses and no way to hand in a gradient. But with r = exp(lp - q), the loss
 * `importance_sampling` is -r A, whose derivative with respect to lp is -r A; at q = lp the ratio is 1 and the derivative is
 * -A. So "current log-probs as q, minus the cotangent as A" makes the server differentiate exactly the caller's loss,
 * whatever that was. How a server reduces its sum to a loss is undone in A:
 *
 *   sum:  gradient of  sum over datums, sum over tokens            ->  A = -cotangent
 *   mean: (1/D) sum over datums ( sum over tokens w l / sum w )    ->  A = -cotangent * D * W_d
 *
 * with D all datums since the last step and W_d the datum's weights, one for each token that is asked for.
 */
import type { Row } from "../../../spec/index.ts";
import { type Datum, floatTensor, type TensorData } from "../wire/index.ts";
import type { ServerTraits } from "./server-traits.ts";

export interface TrainingRow {
  readonly row: Row;
  /** Float32: the current log-probs at `row.at`. */
  readonly logprobs: Float32Array;
  /** d(loss)/d(log-prob) at `row.at`. */
  readonly cotangents: ArrayLike<number>;
}

/** For a pass that only asks for log-probs. */
export function buildForwardDatum(row: Row): Datum {
  const { length, input } = readRowInput(row);
  const weights = spreadOverTargets(row, length, () => 1);
  return buildDatum(row, length, input, { weights: floatTensor(weights) });
}

/** For a gradient; `datums` is how many there are until the next optimizer step. */
export function buildSurrogateDatum(
  { row, logprobs, cotangents }: TrainingRow,
  datums: number,
  { reduction, rlWeights }: Pick<ServerTraits, "reduction" | "rlWeights">,
): Datum {
  const { length, input } = readRowInput(row);
  // Without weights a mean is over all of the row's tokens.
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

/** The values of a tensor of targets at the tokens that the row asks for. */
export function selectRowValues(row: Row, targets: readonly number[]): Float32Array {
  return Float32Array.from(row.at, (i) => targets[i - 1]!);
}

function readRowInput(row: Row): { length: number; input: number[] } {
  const length = Math.max(...Array.from(row.at));
  return { length, input: Array.from({ length }, (_, i) => row.tokens[i]!) };
}

/** One value a target, 0 where nothing is asked for. A token that is asked for twice: the sum, or the last. */
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
