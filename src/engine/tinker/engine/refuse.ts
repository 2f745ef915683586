/** Errors that this engine and its parts throw and recognise. */
import { BowlineError } from "../../../core/index.ts";
import { TinkerError } from "../client/index.ts";

/** Throws the `engine` error of a call that this engine cannot do. */
export function refuse(message: string): never {
  throw new BowlineError("engine", message);
}

/** The sampler is gone from the server; it can be opened again. */
export function isLostSampler(error: unknown): boolean {
  return TinkerError.is(error, "session-lost", "model-lost", "missing", "future-lost", "uncertain");
}

/** A sampler is opened again this often, less one. */
export const SAMPLE_ATTEMPTS = 4;
