/** Reads the keys of a GGUF file through a schema. */
import type { z } from "zod";
import { BowlineError } from "../errors.ts";

/** A GGUF file of which only the metadata matters. */
export interface GgufKeys {
  readonly path: string;
  readonly metadata: ReadonlyMap<string, unknown>;
}

/** Stands for the architecture in tables of keys: `ARCH.context_length`. */
const ARCH = "ARCH.";

/**
 * Returns what a schema makes of a file's keys. In the schema, keys of the file's architecture start with `ARCH.`.
 * Throws a `checkpoint` error of one line that names the file and the first wrong key.
 */
export function parseGgufKeys<T>({ path, metadata }: GgufKeys, schema: z.ZodType<T>): T {
  const own = `${String(metadata.get("general.architecture"))}.`;
  const entries = [...metadata].map(([key, value]): [string, unknown] =>
    key.startsWith(own) ? [ARCH + key.slice(own.length), value] : [key, value],
  );
  const result = schema.safeParse(Object.fromEntries(entries));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const key = issue?.path.map(String).join(".") ?? "";
  const name = key.startsWith(ARCH) ? own + key.slice(ARCH.length) : key;
  const isMissing = !entries.some(([existing]) => existing === String(issue?.path[0]));
  throw new BowlineError(
    "checkpoint",
    `${path}${isMissing ? ` lacks the key ${name}` : `: ${name}: ${issue?.message.replaceAll(/\s*\n\s*/g, " ")}`}`,
  );
}
