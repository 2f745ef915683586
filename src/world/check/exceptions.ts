/**
 * Collects bugs of handlers that the solutions, mutants and equivalents of a check met. Arguments that reach a handler
 * fit its parameters, so an agent may send them too: a handler that breaks is a bug of the world.
 */
import { formatFault } from "../api/index.ts";
import type { FaultyCall } from "./replay.ts";

/** One bug of a handler. The same line is reported once, however many calls met it. */
export interface HandlerException {
  /** The first task in which the bug was met. */
  readonly task: string;
  readonly api: string;
  /** The first call that met the bug, what happened, and `file:line:column` when it is known. */
  readonly what: string;
  readonly at?: string | undefined;
  /** How many calls met the bug. */
  readonly calls: number;
}

/** Collects the bugs that one task met, each of them once. */
export function collectExceptions(task: string, faulty: readonly FaultyCall[]): HandlerException[] {
  return mergeExceptions(
    faulty.map((call) => ({
      task,
      api: `${call.app}.${call.api}`,
      what: formatFault(call),
      at: call.fault.at,
      calls: 1,
    })),
  );
}

/** Merges equal bugs: the same line of the same API, or without a line the same API. */
export function mergeExceptions(all: readonly HandlerException[]): HandlerException[] {
  const found = new Map<string, HandlerException>();
  for (const one of all) {
    const key = `${one.api} ${one.at}`;
    const known = found.get(key);
    found.set(key, known ? { ...known, calls: known.calls + one.calls } : one);
  }
  return [...found.values()];
}
