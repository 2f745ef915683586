/**
 * Functions with which hand-written verdicts compare two states (which rows were added, changed and removed) and
 * examine the agent's answer.
 *
 * This code reads the tables of the apps row by row. It shares no code with the checks that follow from goals.
 */
import type { Finish, Reader, Table, TableRow } from "bowline/world";
import { fullApps } from "../apps/full.ts";

export interface ChangedRow<R extends TableRow> {
  readonly before: R;
  readonly after: R;
  /** Names of the content columns that differ, sorted. */
  readonly columns: readonly string[];
}

export class Changes {
  readonly #start: Reader;
  readonly #end: Reader;

  constructor(start: Reader, end: Reader) {
    this.#start = start;
    this.#end = end;
  }

  /**
   * Returns how many rows were added, changed or removed, in all tables of all apps. Changes of columns that verdicts
   * ignore do not count.
   */
  get rowCount(): number {
    return TABLES.reduce((sum, table) => sum + this.countIn(table), 0);
  }

  /** Returns true when all changes of compared columns are in these tables. */
  areOnlyIn(...tables: readonly { readonly name: string }[]): boolean {
    const names = tables.map(({ name }) => name);
    return TABLES.every((table) => names.includes(table.name) || this.countIn(table) === 0);
  }

  countIn<R extends TableRow>(table: Table<R>): number {
    if (this.#start.all(table) === this.#end.all(table)) return 0;
    return (
      this.addedRows(table).length + this.changedRows(table).length + this.removedRows(table).length
    );
  }

  addedRows<R extends TableRow>(table: Table<R>): readonly R[] {
    return this.#end
      .all(table)
      .filter(
        (row) =>
          this.#start.get(table, row.id) === undefined && contentColumns(table, row).length > 0,
      );
  }

  removedRows<R extends TableRow>(table: Table<R>): readonly R[] {
    return this.#start
      .all(table)
      .filter(
        (row) =>
          this.#end.get(table, row.id) === undefined && contentColumns(table, row).length > 0,
      );
  }

  changedRows<R extends TableRow>(table: Table<R>): readonly ChangedRow<R>[] {
    return this.#end.all(table).flatMap((after) => {
      const before = this.#start.get(table, after.id);
      if (before === undefined || before === after) return [];
      const columns = contentColumns(table, after).filter(
        (column) => JSON.stringify(after[column]) !== JSON.stringify(before[column]),
      );
      return columns.length === 0 ? [] : [{ before, after, columns: columns.sort() }];
    });
  }
}

/** Two apps may list the same table, so each table is kept once. */
const TABLES: readonly Table[] = [...new Set(fullApps.flatMap((app) => app.tables))];

/** Returns the columns of a row that verdicts compare. They ignore read flags, balances and times. */
function contentColumns<R extends TableRow>(table: Table<R>, row: R): (keyof R & string)[] {
  return Object.keys(row).filter(
    (column) => column !== "id" && (table.classes[column] ?? "content") === "content",
  );
}

/**
 * Returns true when two texts have the same words and numbers, apart from case, spaces and punctuation of sentences.
 */
export function haveSameWords(a: string, b: string): boolean {
  return normalizeText(a) === normalizeText(b);
}

/**
 * A number with its sign, currency and unit, with what stands between its digits, such as "-$87.21", "1:23" or "5%".
 */
const NUMBER =
  /(?<![\p{L}\d])[-+]?[$€£]?\d+(?:[^\p{L}\d\s]+\d+)*[%°]?|\d+(?:[^\p{L}\d\s]+\d+)*[%°]?/u;
const WORDS_AND_NUMBERS = new RegExp(`${NUMBER.source}|\\p{L}+|[\\p{S}#&@]`, "gu");

/** Joins words without spaces, and separates numbers from each other. */
function normalizeText(text: string): string {
  const parts = text.toLowerCase().match(WORDS_AND_NUMBERS) ?? [];
  return parts.map((part) => (/\d/.test(part) ? `<${part}>` : part)).join("");
}

/** Returns true when two lists have the same elements, in any order. */
export function haveSameMembers<T>(a: readonly T[], b: readonly T[]): boolean {
  const sortedText = (list: readonly T[]) =>
    JSON.stringify(list.map((item) => JSON.stringify(item)).sort());
  return sortedText(a) === sortedText(b);
}

/** Returns true when the agent finished the task as done. An answer that was not asked for does not matter. */
export function isDone(finish: Finish | undefined): boolean {
  return finish?.status === "done";
}

/** Returns true when the agent reported the task as impossible. */
export function reportsImpossible(finish: Finish | undefined): boolean {
  return finish?.status === "impossible";
}

/** Returns true when the agent answered with this number. `12.5`, `"12.50"` and `"$12.50"` are the same number. */
export function answerEqualsNumber(finish: Finish | undefined, expected: number): boolean {
  if (finish?.status !== "done") return false;
  const [answer] = [finish.answer].flat();
  if (typeof answer !== "number" && typeof answer !== "string") return false;
  const text = String(answer).replace(/[$,\s]/g, "");
  return /^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text) - expected) < 0.006;
}

/** Returns true when the agent answered with this text, whatever its case and punctuation. */
export function answerEqualsText(finish: Finish | undefined, expected: string): boolean {
  if (finish?.status !== "done") return false;
  const [answer, ...more] = [finish.answer].flat();
  return more.length === 0 && typeof answer === "string" && haveSameWords(answer, expected);
}

/** Returns true when the agent answered with this set of texts, in any order. */
export function answerEqualsList(finish: Finish | undefined, expected: readonly string[]): boolean {
  if (finish?.status !== "done" || finish.answer === undefined) return false;
  const answers = new Set([finish.answer].flat().map((item) => normalizeText(String(item))));
  return haveSameMembers([...answers], [...new Set(expected.map(normalizeText))]);
}

/** Returns true when the agent answered with yes (or no, when `expected` is false). */
export function answerEqualsYesOrNo(finish: Finish | undefined, expected: boolean): boolean {
  if (finish?.status !== "done") return false;
  const answer = String(finish.answer).toLowerCase();
  return (expected ? ["true", "yes"] : ["false", "no"]).includes(answer);
}
