/**
 * The traits in which servers differ, where the protocol is silent and an engine has to know.
 *
 * A server cannot be asked for its traits, so they are measured once on a throw-away model (measure-traits.ts), or the
 * caller states them.
 */
import { z } from "zod";

export const serverTraitsSchema = z.object({
  /** Whether losses are summed, or averaged over datums after a weighted mean over tokens (SkyRL's JAX backend). */
  reduction: z.enum(["sum", "mean"]),
  /** Whether `importance_sampling` accepts `weights`. A mean divides by their sum. */
  rlWeights: z.boolean(),
  /** Whether log-probs come from a forward pass or, on servers without one, from a pass whose gradient is zero. */
  forward: z.enum(["forward", "zero-gradient"]),
  /** Whether the server obeys `grad_clip_norm`. */
  gradientClip: z.boolean(),
  /** Whether the optimizer step reports the gradient's norm. */
  gradientNorm: z.boolean(),
  /** Whether samplers keep their weights while the model trains, and using them does not disturb training. */
  frozenSamplers: z.boolean(),
  /** Whether a sampler returns the log-probs of its prompt. */
  promptLogprobs: z.boolean(),
  /**
   * Whether log-probs of samples at a temperature are those of the tempered or of the untempered ("raw") distribution.
   */
  sampleLogprobs: z.enum(["tempered", "raw"]),
  /** Whether a repeated request is answered with the first one's result. If not, the server does the work twice. */
  deduplicates: z.boolean(),
});

export type ServerTraits = z.output<typeof serverTraitsSchema>;
