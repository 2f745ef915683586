/**
 * Bugs of the world that rollouts ran into: their API calls that met a handler's exception. The agent only saw a status
 * of 500, so without a word the numbers would be those of a broken world. The first is told at once, the count at the
 * end.
 */
import type { ApiCall, HandlerExceptions, TaskInfo } from "../../spec/index.ts";
import { formatFault } from "../../world/index.ts";
import type { OnEvent } from "./events.ts";

/** A rollout or a demonstration: what was called in which task. */
export type Acted = { readonly task: Pick<TaskInfo, "id"> } & {
  readonly turns: readonly (
    | { readonly calls: readonly ApiCall[] }
    | { readonly result: { readonly calls: readonly ApiCall[] } }
  )[];
};

/** Undefined when there are none. */
export function handlerExceptions(all: readonly Acted[]): HandlerExceptions | undefined {
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

/** What a run remembers of them. */
export interface ExceptionLog {
  /** Warns of the first that this process hears of. */
  hear(acted: Acted): void;
  /** Hears and counts those of work that is kept. */
  count(all: readonly Acted[]): void;
}

/** Counts into `state`, which has no such field while there are none. */
export function exceptionLog(
  state: { handlerExceptions?: HandlerExceptions },
  onEvent: OnEvent,
): ExceptionLog {
  const hear = warnOnce(onEvent);
  return {
    hear,
    count(all) {
      for (const acted of all) hear(acted);
      const met = handlerExceptions(all);
      if (met === undefined) return;
      const { count = 0, first = met.first } = state.handlerExceptions ?? {};
      state.handlerExceptions = { count: count + met.count, first };
    },
  };
}

export function warnOnce(onEvent: OnEvent): (acted: Acted) => void {
  let warned = false;
  return (acted) => {
    if (warned) return;
    const met = handlerExceptions([acted]);
    if (met === undefined) return;
    warned = true;
    onEvent({
      type: "warning",
      text: `the world has a bug: ${met.first}; the agent saw status 500`,
    });
  };
}
