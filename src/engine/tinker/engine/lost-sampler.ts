/** Recognises the errors after which a sampler is opened again. */
import { TinkerError } from "../client/index.ts";

/** Returns whether the error means that the server has lost the sampler, which can then be opened again. */
export function isLostSampler(error: unknown): boolean {
  return TinkerError.is(error, "session-lost", "model-lost", "missing", "future-lost", "uncertain");
}

/** How often a sampling call is tried; before each new attempt a lost sampler is opened again. */
export const SAMPLE_ATTEMPTS = 4;
