/** The task in the query of a URL, for clients that send no reset: `/mcp?split=train&index=3`. */
import { resetFormat } from "./formats.ts";
import { OpenEnvError } from "./openenv-error.ts";
import { readFields } from "./read-fields.ts";
import type { TaskChoice } from "./task-list.ts";

/** Returns the session and the task that a query names. Throws a `VALIDATION_ERROR` for a wrong field. */
export function readTaskChoice(query: URLSearchParams): {
  readonly session_id: string | undefined;
  readonly choice: TaskChoice;
} {
  const { session_id, ...fields } = Object.fromEntries(query);
  const choice = Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [
      name,
      name === "index" || name === "seed" ? readInteger(name, text) : text,
    ]),
  );
  const { episode_id: _, ...read } = readFields(resetFormat, choice);
  return { session_id, choice: read };
}

function readInteger(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new OpenEnvError(
    "VALIDATION_ERROR",
    `${name}: expected an integer of at least 0, got ${JSON.stringify(text)}`,
  );
}
