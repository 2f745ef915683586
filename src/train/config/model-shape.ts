/**
 * The whole shape of a model that is made here from what a configuration says of it: width, depth, heads, context. The rest
 * follows, as in the small Qwen2 models that it is one of: two query heads share keys and values, SwiGLU is 8/3 as wide as
 * the residual stream, rounded up. Whoever wants another shape starts from a model of that shape (`engine.model`).
 */
import type { ModelConfig } from "../../engine/index.ts";
import type { Config } from "./config.ts";

type AskedShape = Pick<Config["model"], "hiddenSize" | "heads">;
type Derived = Pick<ModelConfig, "kvHeads" | "headSize" | "intermediateSize">;

/** What is alike in all of them. */
export const FAMILY = {
  ropeTheta: 10_000,
  rmsNormEpsilon: 1e-6,
  tieEmbeddings: true,
  qkNorm: false,
  qkvBias: true,
} as const satisfies Partial<ModelConfig>;

/** SwiGLU's layer is a multiple of this wide, which kernels like. */
const STEP = 16;

/** What follows from width and heads. */
export function derivedShape({ hiddenSize, heads }: AskedShape): Derived {
  return {
    kvHeads: heads % 2 === 0 ? heads / 2 : heads,
    headSize: hiddenSize / heads,
    intermediateSize: Math.ceil((hiddenSize * 8) / 3 / STEP) * STEP,
  };
}

/** Of a model that is made here, with so many tokens. */
export function modelShape(model: Config["model"], vocabularySize: number): ModelConfig {
  return { ...model, ...derivedShape(model), ...FAMILY, vocabularySize };
}

/** What cannot be a shape, as a sentence; undefined: it is one. */
export function findShapeConflict({ hiddenSize, heads }: AskedShape): string | undefined {
  if (hiddenSize % (2 * heads) === 0) return undefined;
  return `model.heads: expected heads of an even width, so that model.hiddenSize (${hiddenSize}) is a multiple of twice their number, got ${heads}`;
}
