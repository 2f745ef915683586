/** The traits that the engine measures on our server, for tests that need no measurement. */
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
