/**
 * What a hand-written verdict asks of two states: which rows came, changed and went, and nothing else.
 *
 * Read straight from the tables of the apps, row by row; shares no code with the checks that the kit derives.
 */
import type { Finish, Reader, Table, TableRow } from "bowline/world";
import { fullApps } from "../apps/full.ts";

export interface Changed<R extends TableRow> {
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

  /** How many rows with content are new, altered or gone, in all tables of all apps. */
  get count(): number {
    return TABLES.reduce((sum, table) => sum + this.countIn(table), 0);
  }

  /** True when no content differs outside these tables. */
  onlyIn(...tables: readonly { readonly name: string }[]): boolean {
    const names = tables.map(({ name }) => name);
    return TABLES.every((table) => names.includes(table.name) || this.countIn(table) === 0);
  }

  countIn<R extends TableRow>(table: Table<R>): number {
    if (this.#start.all(table) === this.#end.all(table)) return 0;
    return this.added(table).length + this.changed(table).length + this.removed(table).length;
  }

  added<R extends TableRow>(table: Table<R>): readonly R[] {
    return this.#end
      .all(table)
      .filter(
        (row) => this.#start.get(table, row.id) === undefined && contentOf(table, row).length > 0,
      );
  }

  removed<R extends TableRow>(table: Table<R>): readonly R[] {
    return this.#start
      .all(table)
      .filter(
        (row) => this.#end.get(table, row.id) === undefined && contentOf(table, row).length > 0,
      );
  }

  changed<R extends TableRow>(table: Table<R>): readonly Changed<R>[] {
    return this.#end.all(table).flatMap((after) => {
      const before = this.#start.get(table, after.id);
      if (before === undefined || before === after) return [];
      const columns = contentOf(table, after).filter(
        (column) => JSON.stringify(after[column]) !== JSON.stringify(before[column]),
      );
      return columns.length === 0 ? [] : [{ before, after, columns: columns.sort() }];
    });
  }
}

/** Two apps may list the same table; it counts once. */
const TABLES: readonly Table[] = [...new Set(fullApps.flatMap((app) => app.tables))];

/** Not read flags, balances, instants. */
function contentOf<R extends TableRow>(table: Table<R>, row: R): (keyof R & string)[] {
  return Object.keys(row).filter(
    (column) => column !== "id" && (table.classes[column] ?? "content") === "content",
  );
}

/** Equal but for case, spaces and punctuation. */
export function sameWords(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[\s\p{P}\p{S}]/gu, "");
}

/** The two lists hold the same, in any order. */
export function sameMembers<T>(a: readonly T[], b: readonly T[]): boolean {
  const sorted = (list: readonly T[]) =>
    JSON.stringify(list.map((item) => JSON.stringify(item)).sort());
  return sorted(a) === sorted(b);
}

/** The task was ended as done, without an answer. */
export function silent(finish: Finish | undefined): boolean {
  return finish?.status === "done" && finish.answer === undefined;
}

/** The task was given up as impossible. */
export function gaveUp(finish: Finish | undefined): boolean {
  return finish?.status === "impossible";
}

/** Done, with this number for an answer: `12.5`, `"12.50"` and `"$12.50"` are one. */
export function saidNumber(finish: Finish | undefined, wanted: number): boolean {
  if (finish?.status !== "done") return false;
  const [said] = [finish.answer].flat();
  if (typeof said !== "number" && typeof said !== "string") return false;
  const text = String(said).replace(/[$,\s]/g, "");
  return /^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text) - wanted) < 0.006;
}

/** Done, with this text for an answer, whatever its case and punctuation. */
export function saidText(finish: Finish | undefined, wanted: string): boolean {
  if (finish?.status !== "done") return false;
  const [said, ...more] = [finish.answer].flat();
  return more.length === 0 && typeof said === "string" && sameWords(said, wanted);
}

/** Done, with this set of texts for an answer, in any order. */
export function saidList(finish: Finish | undefined, wanted: readonly string[]): boolean {
  if (finish?.status !== "done" || finish.answer === undefined) return false;
  const said = new Set([finish.answer].flat().map((item) => bare(String(item))));
  return sameMembers([...said], [...new Set(wanted.map(bare))]);
}

/** Done, with yes or no for an answer. */
export function saidYesOrNo(finish: Finish | undefined, wanted: boolean): boolean {
  if (finish?.status !== "done") return false;
  const said = String(finish.answer).toLowerCase();
  return (wanted ? ["true", "yes"] : ["false", "no"]).includes(said);
}
