/**
 * Records what an episode does, call by call: the answer of each call and the rows that it changed.
 *
 * Nothing is recorded unless a step asks for it, so rollouts are not slowed down.
 */
import type { ApiCall, StepResult } from "../../spec/index.ts";
import { readFinish } from "../api/index.ts";
import { comparedText } from "../checks/index.ts";
import type { Finish } from "../define.ts";
import type { LiveEpisode } from "../episode/index.ts";
import type { RowChange, TableCatalog } from "../state/index.ts";

/**
 * A changed row, with the columns by which the task's checks compare it, if they do. A removed row counts as a whole.
 */
export type InspectedChange = RowChange & {
  readonly content: boolean;
  readonly columns: string[];
  /** Maps columns of free text to the forms of their new texts that checks compare; absent without any. */
  readonly texts?: Readonly<Record<string, string>>;
};

/** An API call with its answer and its changes. */
export interface AnsweredCall extends ApiCall {
  /**
   * The value, or an error's message; undefined when the call never returned. Of a very long answer, only the length is
   * kept.
   */
  readonly answer: unknown;
  readonly changes: readonly InspectedChange[];
}

/** The state of an episode compared with its start. */
export interface EpisodeState {
  readonly changes: readonly InspectedChange[];
  /** How the agent ended the task; absent if it has not. */
  readonly finish?: Finish;
  /** The episode's clock, ISO in UTC. */
  readonly now: string;
}

/** The largest number of JSON characters that are kept of one answer, and of all answers of a step together. */
const MAX_ANSWER_CHARS = 100_000;
const MAX_STEP_CHARS = 1_000_000;

/** Runs a step and records the answers and changes of its calls. */
export async function runRecordedStep(
  live: LiveEpisode,
  code: string,
): Promise<StepResult & { readonly answered: readonly AnsweredCall[] }> {
  const { catalog } = live.world.dispatcher;
  const { comparedBookkeeping } = live.start.checks;
  const answered: AnsweredCall[] = [];
  let left = MAX_STEP_CHARS;
  const limitLength = (answer: unknown): unknown => {
    const length = JSON.stringify(answer)?.length ?? 0;
    if (length > Math.min(left, MAX_ANSWER_CHARS))
      return `(${length} characters, too many to keep)`;
    left -= length;
    return answer;
  };
  live.onResult = (call, result) => {
    const [answer, changes] = "value" in result ? [result.value, result.changes] : [result.message];
    answered.push({
      ...call,
      answer: limitLength(answer),
      changes: markComparedChanges(catalog, changes ?? [], comparedBookkeeping),
    });
  };
  try {
    return { ...(await live.step(code)), answered };
  } finally {
    live.onResult = undefined;
  }
}

export function readEpisodeState({ world, start, session }: LiveEpisode): EpisodeState {
  const { catalog } = world.dispatcher;
  const finish = readFinish(session.state);
  return {
    changes: markComparedChanges(
      catalog,
      session.state.changesSince(start.state),
      start.checks.comparedBookkeeping,
    ),
    ...(finish && { finish }),
    now: world.dispatcher.now(session),
  };
}

/** Marks which changes the checks compare. `comparedBookkeeping` lists bookkeeping columns that the task is about. */
export function markComparedChanges(
  catalog: TableCatalog,
  changes: readonly RowChange[],
  comparedBookkeeping: ReadonlySet<string>,
): InspectedChange[] {
  return changes.map((change) => {
    const columns = comparedColumns(catalog, change, comparedBookkeeping);
    const content = catalog.changesContent(change) || columns.length > 0;
    return { ...change, content, columns, ...comparedTexts(catalog, change, columns) };
  });
}

function comparedTexts(
  catalog: TableCatalog,
  change: RowChange,
  columns: readonly string[],
): Pick<InspectedChange, "texts"> {
  if (change.kind === "remove") return {};
  const { loose } = catalog.table(change.table);
  const texts = columns.flatMap((column) => {
    const cell = change.after[column];
    return loose.includes(column) && typeof cell === "string" ? [[column, comparedText(cell)]] : [];
  });
  return texts.length === 0 ? {} : { texts: Object.fromEntries(texts) };
}

function comparedColumns(
  catalog: TableCatalog,
  change: RowChange,
  comparedBookkeeping: ReadonlySet<string>,
): string[] {
  const { table, kind } = change;
  if (kind === "remove") return [];
  if (kind === "insert") return catalog.contentColumns(table, change.after);
  return catalog
    .changedColumns(change.before, change.after)
    .filter(
      (c) =>
        catalog.columnClass(table, c) === "content" || comparedBookkeeping.has(`${table}.${c}`),
    );
}
