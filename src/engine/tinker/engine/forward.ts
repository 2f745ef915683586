/**
 * Computes log-probs of rows under a model's present weights.
 *
 * On servers without a forward pass, a gradient pass with advantages of zero gives the same log-probs. It adds nothing
 * to the gradient, as long as the server sums losses.
 */
import type { Row } from "../../../spec/index.ts";
import type { TinkerModel } from "../client/index.ts";
import { buildForwardDatum, buildSurrogateDatum, selectRowValues } from "./row-datums.ts";
import type { ServerTraits } from "./server-traits.ts";

/** Returns one array per row, aligned with `row.at`. Rows that request no log-probs are not sent. */
export async function forwardLogprobs(
  model: TinkerModel,
  rows: readonly Row[],
  method: ServerTraits["forward"],
): Promise<Float32Array[]> {
  const requestingRows = rows.filter(({ at }) => at.length > 0);
  const outputs =
    requestingRows.length > 0 ? await runLogprobPass(model, requestingRows, method) : [];
  let next = 0;
  return rows.map((row) =>
    row.at.length === 0 ? new Float32Array(0) : selectRowValues(row, outputs[next++]!),
  );
}

async function runLogprobPass(
  model: TinkerModel,
  rows: readonly Row[],
  method: ServerTraits["forward"],
): Promise<number[][]> {
  const { loss_fn_outputs } =
    method === "forward"
      ? await model.forward({ data: rows.map(buildForwardDatum), lossFn: "cross_entropy" })
      : await model.forwardBackward({
          data: rows.map(buildZeroGradientDatum),
          lossFn: "importance_sampling",
        });
  return loss_fn_outputs.map((output) => output["logprobs"]!.data);
}

function buildZeroGradientDatum(row: Row) {
  const zeros = new Float32Array(row.at.length);
  const traits = { reduction: "sum", rlWeights: false } as const;
  return buildSurrogateDatum({ row, logprobs: zeros, cotangents: zeros }, 1, traits);
}
