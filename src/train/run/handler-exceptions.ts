/**
 * Finds bugs of the world, which are API calls of rollouts in which the API's handler threw an exception. The agent
 * sees only status 500, so without a warning nobody would notice that the numbers come from a broken world. A run warns
 * of the first such call at once, and reports the number of such calls at the end.
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

/**
 * Returns the number of calls whose handler threw an exception, with a description of the first; undefined if there are
 * none.
 */
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

/** Warns of exceptions that the world's handlers threw, and counts them. */
export interface ExceptionLog {
  /** Warns if this episode has an exception and is the first such episode in this process. */
  warnOfFirst(acted: EpisodeCalls): void;
  /** Warns in the same way, and counts the exceptions of episodes that the run keeps. */
  addAll(all: readonly EpisodeCalls[]): void;
}

/** Creates a log that counts in `state`. The field is absent as long as there are no exceptions. */
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

/** Returns a function that searches episodes and sends a warning event for the first exception of a handler. */
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
