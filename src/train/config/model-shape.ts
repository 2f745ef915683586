/**
 * Computes the whole shape of a new model from the fields of the configuration: width, depth, heads, context. The rest
 * is computed as in small Qwen2 models: two query heads share one key and value head, and SwiGLU is 8/3 as wide as the
 * residual stream, rounded up. To train a model of another shape, start from an existing one (`engine.model`).
 */
import type { Refusal } from "../../core/index.ts";
import type { ModelConfig } from "../../engine/index.ts";
import type { Config } from "./config.ts";

type RequestedShape = Pick<Config["model"], "hiddenSize" | "heads">;
type DerivedShape = Pick<ModelConfig, "kvHeads" | "headSize" | "intermediateSize">;

/** The parts of the shape that are the same in all new models. */
export const COMMON_SHAPE = {
  ropeTheta: 10_000,
  rmsNormEpsilon: 1e-6,
  tieEmbeddings: true,
  qkNorm: false,
  qkvBias: true,
} as const satisfies Partial<ModelConfig>;

/** The width of the SwiGLU layer is a multiple of this number, which makes kernels fast. */
const WIDTH_MULTIPLE = 16;

/** Computes the parts of the shape that follow from width and heads. */
export function deriveShape({ hiddenSize, heads }: RequestedShape): DerivedShape {
  return {
    kvHeads: heads % 2 === 0 ? heads / 2 : heads,
    headSize: hiddenSize / heads,
    intermediateSize: Math.ceil((hiddenSize * 8) / 3 / WIDTH_MULTIPLE) * WIDTH_MULTIPLE,
  };
}

/** Returns the whole shape of a new model whose vocabulary has `vocabularySize` tokens. */
export function modelShape(model: Config["model"], vocabularySize: number): ModelConfig {
  return { ...model, ...deriveShape(model), ...COMMON_SHAPE, vocabularySize };
}

/** Returns a refusal when no model can have this shape; undefined otherwise. The cure keeps as many heads as possible. */
export function findShapeConflict({ hiddenSize, heads }: RequestedShape): Refusal | undefined {
  if (hiddenSize % (2 * heads) === 0) return undefined;
  const sentence = `model.heads: expected a divisor of half of model.hiddenSize (${hiddenSize}), so that each head has an even width, got ${heads}`;
  const numbers = Array.from({ length: heads }, (_, i) => heads - i);
  const fitting = numbers.find((one) => hiddenSize % (2 * one) === 0);
  // A width that is odd suits no number of heads.
  return fitting === undefined
    ? { sentence, cure: { "model.hiddenSize": 2 * heads * Math.ceil(hiddenSize / (2 * heads)) } }
    : { sentence, cure: { "model.heads": fitting } };
}
