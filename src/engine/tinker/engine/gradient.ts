/** Takes one optimizer step on a model: accumulates the surrogate's gradient, checks it, and steps. */
import { BowlineError } from "../../../core/index.ts";
import { TinkerError, type TinkerModel } from "../client/index.ts";
import { type AdamParams, readGradientNorm } from "../wire/index.ts";
import { buildSurrogateDatum, type TrainingRow } from "./row-datums.ts";
import type { ServerTraits } from "./server-traits.ts";

/** The largest allowed mean |difference|, in nats, between two passes over the same rows under the same weights. */
export const MAX_PASS_GAP = 0.05;

export interface GradientStep {
  readonly rows: readonly TrainingRow[];
  readonly adam: AdamParams;
}

/**
 * Returns the gradient's norm if the server reports it. Throws `non-finite` when the norm is not finite. Throws a
 * `tripwire` error, before the step, when the server's passes disagree.
 */
export async function applyStep(
  model: TinkerModel,
  { rows, adam }: GradientStep,
  traits: ServerTraits,
): Promise<number | undefined> {
  if (rows.length > 0) {
    const data = rows.map((row) => buildSurrogateDatum(row, rows.length, traits));
    const { loss_fn_outputs } = await model.forwardBackward({
      data,
      lossFn: "importance_sampling",
    });
    requireAgreeingPasses(
      rows,
      loss_fn_outputs.map((output) => output["logprobs"]!.data),
    );
  }
  const norm = readGradientNorm(await model.optimStep(adam));
  if (norm === undefined || Number.isFinite(norm)) return norm;
  throw new TinkerError("non-finite", `optim_step: the gradient norm is ${norm}`);
}

/** Requires that both passes agree. Otherwise the surrogate's ratio is not 1 and its gradient not the caller's. */
function requireAgreeingPasses(
  rows: readonly TrainingRow[],
  outputs: readonly (readonly number[])[],
): void {
  let sum = 0;
  let count = 0;
  rows.forEach(({ row, logprobs }, i) => {
    for (let j = 0; j < row.at.length; j++) {
      sum += Math.abs(outputs[i]![row.at[j]! - 1]! - logprobs[j]!);
      count += 1;
    }
  });
  if (count === 0 || sum / count <= MAX_PASS_GAP) return;
  throw new BowlineError(
    "tripwire",
    `the server's forward and gradient passes disagree by ${(sum / count).toPrecision(3)} nats per token, expected at most ${MAX_PASS_GAP}; no optimizer step was taken`,
  );
}
