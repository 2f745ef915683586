/**
 * What servers do differently where the protocol is silent, as far as an engine has to know it.
 *
 * None of this can be asked for, so it is measured once, on a throw-away model (examine.ts), or told by the caller.
 */
import { z } from "zod";

export const serverTraitsSchema = z.object({
  /** The gradient is that of a sum, or of a mean over datums of weighted means over tokens (SkyRL's JAX backend). */
  reduction: z.enum(["sum", "mean"]),
  /** `importance_sampling` takes `weights`, which is what a mean divides by. */
  rlWeights: z.boolean(),
  /** Log-probs come from a forward pass, or, where there is none, from a gradient of zeros. */
  forward: z.enum(["forward", "zero-gradient"]),
  /** `grad_clip_norm` is honoured. */
  gradientClip: z.boolean(),
  /** The optimizer step says what the gradient's norm was. */
  gradientNorm: z.boolean(),
  /** Samplers stay what they were while the model trains, and sampling them leaves training alone. */
  frozenSamplers: z.boolean(),
  /** A sampler gives the log-probs of its prompt. */
  promptLogprobs: z.boolean(),
  /** Log-probs of samples at a temperature: of the tempered distribution, or of the untempered one. */
  sampleLogprobs: z.enum(["tempered", "raw"]),
  /** A repeated request is answered with the first one's result; otherwise it is done twice. */
  deduplicates: z.boolean(),
});

export type ServerTraits = z.output<typeof serverTraitsSchema>;
