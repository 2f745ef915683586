/**
 * What an episode does, call by call: the answer that each got and the rows that it changed.
 *
 * Nothing is kept unless a step asks for it, so rollouts cost what they cost without.
 */
import type { ApiCall, StepResult } from "../../spec/index.ts";
import { finishOf } from "../api/index.ts";
import type { Finish } from "../define.ts";
import type { LiveEpisode } from "../episode/index.ts";
import type { Catalog, RowChange } from "../state/index.ts";

/** `content`: it counts for the checks of its task, by `columns` (none of a removed row, which counts as a whole). */
export type SeenChange = RowChange & {
  readonly content: boolean;
  readonly columns: string[];
};

/** A call with what came back. */
export interface AnsweredCall extends ApiCall {
  /** The value, or the message of an error; undefined where it never came back. One that is very long is only counted. */
  readonly answer: unknown;
  readonly changes: readonly SeenChange[];
}

/** Where an episode is, against where it began. */
export interface EpisodeState {
  readonly changes: readonly SeenChange[];
  /** How the agent ended it; absent: not yet. */
  readonly finish?: Finish;
  /** The episode's clock. */
  readonly now: string;
}

/** Characters of JSON: of one answer, and of all that a cell is given. */
const MOST_OF_ONE = 100_000;
const MOST_OF_ALL = 1_000_000;

/** A step with all that its calls did. */
export async function recordedStep(
  live: LiveEpisode,
  code: string,
): Promise<StepResult & { readonly answered: readonly AnsweredCall[] }> {
  const { catalog } = live.world.dispatcher;
  const { named } = live.start.checks;
  const answered: AnsweredCall[] = [];
  let left = MOST_OF_ALL;
  const bounded = (answer: unknown): unknown => {
    const length = JSON.stringify(answer)?.length ?? 0;
    if (length > Math.min(left, MOST_OF_ONE)) return `(${length} characters, too many to keep)`;
    left -= length;
    return answer;
  };
  live.onResult = (call, result) => {
    const [answer, changes] = "value" in result ? [result.value, result.changes] : [result.message];
    answered.push({
      ...call,
      answer: bounded(answer),
      changes: seen(catalog, changes ?? [], named),
    });
  };
  try {
    return { ...(await live.step(code)), answered };
  } finally {
    live.onResult = undefined;
  }
}

export function stateOf({ world, start, session }: LiveEpisode): EpisodeState {
  const { catalog } = world.dispatcher;
  const finish = finishOf(session.state);
  return {
    changes: seen(catalog, session.state.changesSince(start.state), start.checks.named),
    ...(finish && { finish }),
    now: world.dispatcher.now(session),
  };
}

/** `named`: bookkeeping columns (`<table>.<column>`) that the task is about. */
export function seen(
  catalog: Catalog,
  changes: readonly RowChange[],
  named: ReadonlySet<string>,
): SeenChange[] {
  return changes.map((change) => {
    const columns = columnsThatCount(catalog, change, named);
    return { ...change, content: catalog.isContent(change) || columns.length > 0, columns };
  });
}

function columnsThatCount(
  catalog: Catalog,
  change: RowChange,
  named: ReadonlySet<string>,
): string[] {
  const { table, kind } = change;
  if (kind === "remove") return [];
  if (kind === "insert") return catalog.contentColumns(table, change.after);
  return catalog
    .changedColumns(change.before, change.after)
    .filter((c) => catalog.columnClass(table, c) === "content" || named.has(`${table}.${c}`));
}
