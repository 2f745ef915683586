/**
 * Collects the bugs of handlers that the solutions, mutants and equivalents of a check ran into. An agent can send the
 * same arguments, since they fit the parameters. So a handler that throws is a bug of the world.
 */
import { formatFault } from "../api/index.ts";
import type { FaultyCall } from "./replay.ts";

/** One bug of a handler. Each line of code is reported once, however many calls ran into it. */
export interface HandlerException {
  /** The first task in which the bug was met. */
  readonly task: string;
  readonly api: string;
  /** The first call that ran into the bug, what happened, and `file:line:column` if it is known. */
  readonly what: string;
  readonly at?: string | undefined;
  /** The number of calls that ran into the bug. */
  readonly calls: number;
}

/** Collects the bugs that calls of one task ran into, without repetitions. */
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

/**
 * Merges equal bugs. Bugs are equal when they are at the same line of the same API, or at an unknown line of the same
 * API.
 */
export function mergeExceptions(all: readonly HandlerException[]): HandlerException[] {
  const found = new Map<string, HandlerException>();
  for (const one of all) {
    const key = `${one.api} ${one.at}`;
    const known = found.get(key);
    found.set(key, known ? { ...known, calls: known.calls + one.calls } : one);
  }
  return [...found.values()];
}
