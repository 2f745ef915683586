/**
 * The shape of a decoder. Qwen2, Qwen3 and Llama differ only in these numbers and switches.
 *
 * Qwen2 has `qkvBias`, Qwen3 has `qkNorm`, Llama has neither. All use RMSNorm before each half of a block, rotary
 * positions (half-split pairs, as in Hugging Face), grouped queries and SwiGLU.
 */
import { z } from "zod";
import { BowlineError, errorMessage } from "../../../core/index.ts";

const positiveInteger = z.number().int().positive();

const positiveNumber = z.number().positive();

/** Llama 3's rescaling of slow rotary frequencies (rope-scaling.ts), measured in turns per original context. */
export const ropeScalingSchema = z.strictObject({
  factor: positiveNumber.describe("slow frequencies are divided by this"),
  lowFrequencyFactor: positiveNumber.describe(
    "a frequency is slow when it makes fewer turns than this in the original context",
  ),
  highFrequencyFactor: positiveNumber.describe(
    "a frequency is fast, and not changed, when it makes more turns than this in the original context",
  ),
  originalContextLength: positiveInteger.describe(
    "the length of the context, in tokens, before it was lengthened",
  ),
});
export type RopeScaling = Readonly<z.infer<typeof ropeScalingSchema>>;

export const modelConfigSchema = z.strictObject({
  vocabularySize: positiveInteger.describe("the number of rows of the embedding table"),
  hiddenSize: positiveInteger.describe("width of the residual stream"),
  layers: positiveInteger,
  heads: positiveInteger.describe("the number of query heads in a layer"),
  kvHeads: positiveInteger.describe(
    "the number of key and value heads in a layer; `heads` must be a multiple of it",
  ),
  headSize: positiveInteger.describe("the width of a head; must be even"),
  intermediateSize: positiveInteger.describe("width of SwiGLU's hidden layer"),
  contextLength: positiveInteger.describe("the length of the longest row, in tokens"),
  ropeTheta: z.number().positive().default(10_000),
  ropeScaling: ropeScalingSchema.optional().describe("absent: none"),
  rmsNormEpsilon: z.number().positive().default(1e-6),
  tieEmbeddings: z
    .boolean()
    .default(true)
    .describe("whether the embedding table is also the output head"),
  qkNorm: z
    .boolean()
    .default(false)
    .describe("whether RMSNorm is applied to each query and key head (Qwen3)"),
  qkvBias: z.boolean().default(false).describe("whether query, key and value have biases (Qwen2)"),
});

/** The shape of a decoder, as in a checkpoint's `config.json`. */
export type ModelConfig = Readonly<z.infer<typeof modelConfigSchema>>;

/** Checks an untrusted config and fills in its defaults. Throws a `config` error that names the field. */
export function parseModelConfig(input: unknown): ModelConfig {
  const result = modelConfigSchema.safeParse(input);
  if (!result.success) {
    throw new BowlineError("config", `not a model config: ${errorMessage(result.error)}`);
  }
  const { heads, kvHeads, headSize } = result.data;
  if (heads % kvHeads !== 0) {
    throw new BowlineError(
      "config",
      `model.heads must be a multiple of model.kvHeads, but they are ${heads} and ${kvHeads}`,
    );
  }
  if (headSize % 2 !== 0) {
    throw new BowlineError(
      "config",
      `model.headSize must be even for rotary pairs, but it is ${headSize}`,
    );
  }
  return Object.freeze(result.data);
}
