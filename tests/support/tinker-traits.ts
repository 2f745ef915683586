/** The traits that the engine measures on our own server. Tests use them to save the measurement. */
import type { TinkerEngineOptions } from "../../src/engine/index.ts";

export const HONEST_TRAITS: Required<NonNullable<TinkerEngineOptions["traits"]>> = {
  reduction: "sum",
  rlWeights: true,
  forward: "forward",
  gradientClip: true,
  gradientNorm: true,
  frozenSamplers: true,
  promptLogprobs: true,
  sampleLogprobs: "raw",
  deduplicates: true,
};
