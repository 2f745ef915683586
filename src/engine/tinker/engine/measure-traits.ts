/**
 * A server's traits, measured on a throw-away model before it is trained with.
 *
 * It looks at what training would get wrong in silence, by the probes of the doctor (../probes), through the client that
 * will train. Gradients are measured by how far a step goes, so no metric of the server has to be believed. `bowline doctor`
 * measures far more, and shows its numbers.
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

/** Throws an `engine` error when the server's reduction is none that is known. */
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
    await model.unload().catch(() => undefined); // Not every server can; it ends with the session.
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
    `the server reduces losses in a way that is neither a sum nor a mean: the same gradient sent twice moved a log-prob ${ratio.toPrecision(3)} times as far as once (a sum: 2, a mean: 1); \`bowline doctor\` shows more`,
  );
}

/** What the client threw, where it did. */
function toEngineError(error: unknown): unknown {
  if (error instanceof NoMovementError) {
    return new BowlineError(
      "engine",
      "the server's model does not move: no learning rate changed a log-prob by more than rounding",
    );
  }
  if (!(error instanceof ProbeError)) return error;
  return error.cause ?? new BowlineError("engine", error.message);
}
