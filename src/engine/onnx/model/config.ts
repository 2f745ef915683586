/**
 * The shape of a decoder. Qwen2, Qwen3 and Llama differ only in these numbers and switches.
 *
 * Qwen2 has `qkvBias`, Qwen3 has `qkNorm`, Llama has neither. All use RMSNorm before each half of a block, rotary
 * positions (half-split pairs, as in Hugging Face), grouped queries and SwiGLU.
 */
import { z } from "zod";
import { BowlineError } from "../../../core/index.ts";

const positiveInteger = z.number().int().positive();

const positiveNumber = z.number().positive();

/** Llama 3's rescaling of slow rotary frequencies (rope-scaling.ts), measured in turns per original context. */
export const ropeScalingSchema = z.strictObject({
  factor: positiveNumber.describe("slow frequencies are divided by this"),
  lowFrequencyFactor: positiveNumber.describe("slow: fewer turns than this in an original context"),
  highFrequencyFactor: positiveNumber.describe("fast, left alone: more turns than this"),
  originalContextLength: positiveInteger.describe("tokens of the context before it was lengthened"),
});
export type RopeScaling = Readonly<z.infer<typeof ropeScalingSchema>>;

export const modelConfigSchema = z.strictObject({
  vocabularySize: positiveInteger.describe("rows of the embedding table"),
  hiddenSize: positiveInteger.describe("width of the residual stream"),
  layers: positiveInteger,
  heads: positiveInteger.describe("query heads of a layer"),
  kvHeads: positiveInteger.describe("key and value heads of a layer; divides `heads`"),
  headSize: positiveInteger.describe("width of a head; even"),
  intermediateSize: positiveInteger.describe("width of SwiGLU's hidden layer"),
  contextLength: positiveInteger.describe("longest row in tokens"),
  ropeTheta: z.number().positive().default(10_000),
  ropeScaling: ropeScalingSchema.optional().describe("absent: none"),
  rmsNormEpsilon: z.number().positive().default(1e-6),
  tieEmbeddings: z.boolean().default(true).describe("the head is the embedding table"),
  qkNorm: z.boolean().default(false).describe("RMSNorm on each query and key head (Qwen3)"),
  qkvBias: z.boolean().default(false).describe("biases on query, key and value (Qwen2)"),
});

/** The shape of a decoder, as in a checkpoint's `config.json`. */
export type ModelConfig = Readonly<z.infer<typeof modelConfigSchema>>;

/** Checks an untrusted config and fills in its defaults. Throws a `config` error that names the field. */
export function parseModelConfig(input: unknown): ModelConfig {
  const result = modelConfigSchema.safeParse(input);
  if (!result.success) {
    throw new BowlineError("config", `not a model config: ${z.prettifyError(result.error)}`);
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
