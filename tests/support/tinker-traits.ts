/** What the engine measures on the honest server, for tests that are about something else. */
import type { TinkerEngineOptions } from "../../src/engine/index.ts";

export const HONEST: Required<NonNullable<TinkerEngineOptions["traits"]>> = {
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
