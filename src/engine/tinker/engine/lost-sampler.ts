/** Errors after which a sampler is opened again. */
import { TinkerError } from "../client/index.ts";

/** The sampler is gone from the server; it can be opened again. */
export function isLostSampler(error: unknown): boolean {
  return TinkerError.is(error, "session-lost", "model-lost", "missing", "future-lost", "uncertain");
}

/** A sampler is opened again this often, less one. */
export const SAMPLE_ATTEMPTS = 4;
