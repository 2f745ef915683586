/** Recognises the errors after which a sampler is opened again. */
import { TinkerError } from "../client/index.ts";

/** Returns whether the error means that the server has lost the sampler, which can then be opened again. */
export function isLostSampler(error: unknown): boolean {
  return TinkerError.is(error, "session-lost", "model-lost", "missing", "future-lost", "uncertain");
}

/** How often a call is made whose answer has NaN or infinity, because a server may compute such a number once. */
export const FINITE_ATTEMPTS = 4;
