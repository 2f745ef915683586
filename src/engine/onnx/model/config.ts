/**
 * The shape of a decoder: Qwen2, Qwen3 and Llama differ only in these numbers and switches.
 *
 * Qwen2: `qkvBias`. Qwen3: `qkNorm`. Llama: neither. All use RMSNorm before each half of a block, rotary positions
 * (half-split pairs, as in Hugging Face), grouped queries and SwiGLU.
 */
import { z } from "zod";
import { BowlineError } from "../../../core/index.ts";

const count = z.number().int().positive();

const scale = z.number().positive();

/** Llama 3's rescaling of slow rotary frequencies (see `rope-scaling.ts`); wavelengths are measured in original contexts. */
export const ropeScalingSchema = z.strictObject({
  factor: scale.describe("slow frequencies are divided by this"),
  lowFrequencyFactor: scale.describe("slow: fewer turns than this in an original context"),
  highFrequencyFactor: scale.describe("fast, left alone: more turns than this"),
  originalContextLength: count.describe("tokens of the context before it was lengthened"),
});
export type RopeScaling = Readonly<z.infer<typeof ropeScalingSchema>>;

export const modelConfigSchema = z.strictObject({
  vocabularySize: count.describe("rows of the embedding table"),
  hiddenSize: count.describe("width of the residual stream"),
  layers: count,
  heads: count.describe("query heads of a layer"),
  kvHeads: count.describe("key and value heads of a layer; divides `heads`"),
  headSize: count.describe("width of a head; even"),
  intermediateSize: count.describe("width of SwiGLU's hidden layer"),
  contextLength: count.describe("longest row in tokens"),
  ropeTheta: z.number().positive().default(10_000),
  ropeScaling: ropeScalingSchema.optional().describe("absent: none"),
  rmsNormEpsilon: z.number().positive().default(1e-6),
  tieEmbeddings: z.boolean().default(true).describe("the head is the embedding table"),
  qkNorm: z.boolean().default(false).describe("RMSNorm on each query and key head (Qwen3)"),
  qkvBias: z.boolean().default(false).describe("biases on query, key and value (Qwen2)"),
});

/** The shape of a decoder, as a checkpoint's `config.json` has it. */
export type ModelConfig = Readonly<z.infer<typeof modelConfigSchema>>;

/** Checks a config from outside and fills in its defaults. Throws a `config` error that names the field. */
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
