/** Checks the model config that a file gives. */
import { BowlineError } from "../../../core/index.ts";
import { type ModelConfig, parseModelConfig } from "../model/index.ts";

/** Returns the checked config. Throws a `checkpoint` error of one line that names the file and the field. */
export function parseStoredConfig(input: unknown, path: string): ModelConfig {
  try {
    return parseModelConfig(input);
  } catch (cause) {
    if (!BowlineError.is(cause)) throw cause;
    const message = cause.message.replaceAll(/\s*\n\s*/g, " ");
    throw new BowlineError("checkpoint", `${path}: ${message}`, { cause });
  }
}
