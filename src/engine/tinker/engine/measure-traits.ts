/**
 * Measures a server's traits on a throw-away model, before training starts.
 *
 * It measures what training would silently get wrong, with the probes that the doctor also uses (../probes) and the
 * client that will train. Gradients are measured by how far a step moves log-probs, so no metric of the server has to
 * be trusted. `bowline doctor` measures far more and shows the numbers.
 */
import { BowlineError } from "../../../core/index.ts";
import type { TinkerSession } from "../client/index.ts";
import {
  acceptsWeights,
  areLogprobsUntempered,
  createCurrentSampler,
  createSubject,
  isOldSamplerFrozen,
  isStepClipped,
  isTrainingUndisturbed,
  measureClippedChange,
  measureOldSampler,
  measureScales,
  measureTemperatureGaps,
  NoMovementError,
  ProbeError,
  type Subject,
  sameRowTwice,
  samplePromptLogprobs,
} from "../probes/index.ts";
import { ClientProbedModel } from "./client-probed-model.ts";
import type { ServerTraits } from "./server-traits.ts";

export interface MeasureTraitsOptions {
  readonly baseModel: string;
  readonly rank: number;
  readonly seed: number;
  readonly vocabularySize: number;
  readonly contextLength: number;
}

/** Throws an `engine` error when the server reduces losses in an unknown way. */
export async function measureTraits(
  session: TinkerSession,
  { baseModel, rank, seed, vocabularySize, contextLength }: MeasureTraitsOptions,
): Promise<ServerTraits> {
  const bounds = { vocabularySize, contextLength };
  const model = await session.createModel({ baseModel, lora: { rank, seed }, ...bounds });
  try {
    const probed = new ClientProbedModel(session, model, bounds);
    return await measureSubject(await createSubject(probed, { scaleMethod: "steps", ...bounds }));
  } catch (error) {
    throw toEngineError(error);
  } finally {
    await model.unload().catch(() => undefined); // Some servers cannot unload; the model then ends with the session.
  }
}

async function measureSubject(subject: Subject): Promise<ServerTraits> {
  const { trainer, model, prompt } = subject;
  const forward = trainer.route === "forward" ? "forward" : "zero-gradient";
  const rlWeights = await acceptsWeights(subject);
  const [twice] = await measureScales(subject, [sameRowTwice]);
  const reduction = classifyReduction(twice!);
  const clipped = await measureClippedChange(subject);
  const sampler = await createCurrentSampler(model);
  const text = await samplePromptLogprobs(sampler, prompt);
  const gaps = await measureTemperatureGaps(sampler, subject);
  const old = await measureOldSampler(sampler, subject);
  return {
    reduction,
    rlWeights,
    forward,
    gradientClip: isStepClipped(clipped),
    gradientNorm: trainer.normMetric !== undefined,
    frozenSamplers: isOldSamplerFrozen(old) && isTrainingUndisturbed(old),
    promptLogprobs: text.ok && text.value.length > 0,
    sampleLogprobs: areLogprobsUntempered(gaps) ? "raw" : "tempered",
    // Only servers without a forward pass are known to run repeated requests twice.
    deduplicates: forward === "forward",
  };
}

function classifyReduction(ratio: number): ServerTraits["reduction"] {
  if (ratio > 1.6 && ratio < 2.4) return "sum";
  if (ratio > 0.7 && ratio < 1.4) return "mean";
  throw new BowlineError(
    "engine",
    `the server neither sums nor averages losses: sending a row twice moved a log-prob ${ratio.toPrecision(3)} times as far as sending it once, expected 2 (sum) or 1 (mean); run \`bowline doctor\` for details`,
  );
}

/** Returns the client's error behind a probe's error, or an `engine` error with the probe's message. */
function toEngineError(error: unknown): unknown {
  if (error instanceof NoMovementError) {
    return new BowlineError(
      "engine",
      "the server's model does not change in training: no learning rate changed a log-prob by more than rounding",
    );
  }
  if (!(error instanceof ProbeError)) return error;
  return error.cause ?? new BowlineError("engine", error.message);
}
