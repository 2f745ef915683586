/**
 * Finds bugs of the world: API calls of rollouts whose handler threw an exception. The agent sees only a status of 500,
 * so without a warning nobody would know that the numbers are those of a broken world. A run warns of the first such
 * call at once and reports their number at the end.
 */
import type { ApiCall, HandlerExceptions, TaskInfo } from "../../spec/index.ts";
import { formatFault } from "../../world/index.ts";
import type { OnEvent } from "./events.ts";

/** The part of a rollout or demonstration that is searched: its task and its API calls. */
export type EpisodeCalls = { readonly task: Pick<TaskInfo, "id"> } & {
  readonly turns: readonly (
    | { readonly calls: readonly ApiCall[] }
    | { readonly result: { readonly calls: readonly ApiCall[] } }
  )[];
};

/** Returns the number of calls whose handler threw, and describes the first; undefined if there are none. */
export function findHandlerExceptions(all: readonly EpisodeCalls[]): HandlerExceptions | undefined {
  const met = all.flatMap(({ task, turns }) =>
    turns
      .flatMap((turn) => ("calls" in turn ? turn.calls : turn.result.calls))
      .filter(({ fault }) => fault !== undefined)
      .map((call) => ({ task, call })),
  );
  const [first] = met;
  if (first === undefined) return undefined;
  return { count: met.length, first: `${formatFault(first.call)} (task ${first.task.id})` };
}

/** Warns of exceptions of handlers and counts them. */
export interface ExceptionLog {
  /** Warns if the episode has the first exception that this process meets. */
  warnOfFirst(acted: EpisodeCalls): void;
  /** Warns in the same way, and adds the exceptions of episodes that the run keeps to its count. */
  addAll(all: readonly EpisodeCalls[]): void;
}

/** Returns a log that counts in `state`. The field is absent as long as there are no exceptions. */
export function createExceptionLog(
  state: { handlerExceptions?: HandlerExceptions },
  onEvent: OnEvent,
): ExceptionLog {
  const warnOfFirst = createFirstExceptionWarning(onEvent);
  return {
    warnOfFirst,
    addAll(all) {
      for (const acted of all) warnOfFirst(acted);
      const met = findHandlerExceptions(all);
      if (met === undefined) return;
      const { count = 0, first = met.first } = state.handlerExceptions ?? {};
      state.handlerExceptions = { count: count + met.count, first };
    },
  };
}

/** Returns a function that sends a warning event for the first handler exception among the episodes that it gets. */
export function createFirstExceptionWarning(onEvent: OnEvent): (acted: EpisodeCalls) => void {
  let warned = false;
  return (acted) => {
    if (warned) return;
    const met = findHandlerExceptions([acted]);
    if (met === undefined) return;
    warned = true;
    onEvent({
      type: "warning",
      text: `the world has a bug: ${met.first}; the agent saw status 500`,
    });
  };
}
