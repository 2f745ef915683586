/**
 * What handlers threw while a world was checked, by its solutions, mutants and equivalents alike: whatever reaches a handler
 * fits its parameters, so an agent may send it too, and a handler that breaks is the world's bug.
 */
import { faultText } from "../api/index.ts";
import type { Faulty } from "./replay.ts";

/** One bug of a handler; the same line is told once, however many calls met it. */
export interface HandlerException {
  /** The first task in which it was met. */
  readonly task: string;
  readonly api: string;
  /** The first call that met it, what happened, and `file:line:column` where that is known. */
  readonly what: string;
  readonly at?: string | undefined;
  /** Calls that met it. */
  readonly calls: number;
}

/** Of one task, the same bug once. */
export function exceptionsOf(task: string, faulty: readonly Faulty[]): HandlerException[] {
  return merged(
    faulty.map((call) => ({
      task,
      api: `${call.app}.${call.api}`,
      what: faultText(call),
      at: call.fault.at,
      calls: 1,
    })),
  );
}

/** The same line of the same API is the same bug; without a line, the same API. */
export function merged(all: readonly HandlerException[]): HandlerException[] {
  const found = new Map<string, HandlerException>();
  for (const one of all) {
    const key = `${one.api} ${one.at}`;
    const known = found.get(key);
    found.set(key, known ? { ...known, calls: known.calls + one.calls } : one);
  }
  return [...found.values()];
}
