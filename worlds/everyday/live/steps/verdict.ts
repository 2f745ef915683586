/**
 * What hand-written verdicts of live tasks ask about the final state. Rows that other people wrote are told apart by
 * their columns, because a verdict does not see the history.
 */
import type { HistoryEntry, Reader, Table, TableRow } from "bowline/world";
import { answers, proposals } from "../../apps/calendar/tables.ts";
import { fullApps } from "../../apps/full.ts";
import { posts, votes } from "../../apps/messages/tables.ts";
import { comments } from "../../apps/pay/tables.ts";
import { mails, payments, requests, texts } from "../../apps/tables.ts";
import { Changes, haveSameWords } from "../../handmade/verdicts.ts";

export {
  answerEqualsNumber,
  answerEqualsText,
  isDone,
  reportsImpossible,
} from "../../handmade/verdicts.ts";

/** Which rows are meant: those that this author wrote to the table and that fit. */
export interface Written<R extends TableRow> {
  readonly author: string;
  readonly table: Table<R>;
  readonly where?: (row: R) => boolean;
}

/** Returns true when the first row of `earlier` was written before every row of `later`. */
export function isInOrder<A extends TableRow, B extends TableRow>(
  history: readonly HistoryEntry[],
  earlier: Written<A>,
  later: Written<B>,
): boolean {
  const first = history.findIndex((entry) => hasWritten(entry, earlier));
  return history.every((entry, i) => !hasWritten(entry, later) || (first >= 0 && first < i));
}

function hasWritten<R extends TableRow>(
  { author, rows }: HistoryEntry,
  { where = () => true, ...wanted }: Written<R>,
): boolean {
  return (
    author === wanted.author &&
    rows.some(({ table, after }) => table === wanted.table.name && after && where(after as R))
  );
}

type AnyRow = { readonly [column: string]: unknown };

/** The rows that other people add, by table. */
const ADDED_BY_OTHERS: { readonly [table: string]: (row: AnyRow) => boolean } = {
  [texts.name]: (row) => row["outgoing"] === false,
  [mails.name]: (row) => row["outgoing"] === false,
  [payments.name]: (row) => row["outgoing"] === false,
  [comments.name]: (row) => row["outgoing"] === false,
  [requests.name]: (row) => row["outgoing"] === false,
  [answers.name]: () => true,
  [posts.name]: (row) => row["person"] !== null,
  [votes.name]: (row) => row["person"] !== null,
  [proposals.name]: (row) => row["person"] !== null,
};

const TABLES: readonly Table[] = [...new Set(fullApps.flatMap(({ tables }) => tables))];

/** What the agent did, as far as the final state shows it. */
export class OwnDeeds {
  readonly #changes: Changes;
  /** Further tables of which rows are added by others. */
  readonly #others: { readonly [table: string]: (row: AnyRow) => boolean };

  constructor(
    start: Reader,
    end: Reader,
    others: { readonly [table: string]: (row: AnyRow) => boolean } = {},
  ) {
    this.#changes = new Changes(start, end);
    this.#others = { ...ADDED_BY_OTHERS, ...others };
  }

  added<R extends TableRow>(table: Table<R>): readonly R[] {
    const isByOthers = this.#others[table.name] ?? (() => false);
    return this.#changes.addedRows(table).filter((row) => !isByOthers(row));
  }

  /** Returns the id of the first row that the agent added to the table, or 0 when there is none. */
  firstId(table: Table): number {
    return this.added(table)[0]?.id ?? 0;
  }

  /**
   * Returns true when the agent added exactly these rows to the table. Only the given columns are compared, texts by
   * their words.
   */
  addedExactly<R extends TableRow>(table: Table<R>, wanted: readonly Partial<R>[]): boolean {
    const rest = [...this.added(table)];
    for (const columns of wanted) {
      const at = rest.findIndex((row) => hasColumns(row, columns));
      if (at < 0) return false;
      rest.splice(at, 1);
    }
    return rest.length === 0;
  }

  /** Returns true when exactly these rows of the table changed, in exactly these columns, to these values. */
  changedExactly<R extends TableRow>(
    table: Table<R>,
    wanted: readonly (Partial<R> & { readonly id: number })[],
  ): boolean {
    const changed = this.#changes.changedRows(table);
    if (changed.length !== wanted.length) return false;
    return wanted.every((columns) => {
      const found = changed.find(({ after }) => after.id === columns.id);
      const names = Object.keys(columns).filter((name) => name !== "id");
      return found?.columns.join() === names.sort().join() && hasColumns(found.after, columns);
    });
  }

  /** Returns true when the agent changed nothing outside of these tables. */
  isOnlyIn(...tables: readonly { readonly name: string }[]): boolean {
    const names = new Set(tables.map(({ name }) => name));
    return TABLES.every((table) => names.has(table.name) || this.#countIn(table) === 0);
  }

  #countIn(table: Table): number {
    const own = this.added(table).length - this.#changes.addedRows(table).length;
    return this.#changes.countIn(table) + own;
  }
}

function hasColumns(row: AnyRow, columns: AnyRow): boolean {
  return Object.entries(columns).every(([name, wanted]) => {
    const cell = row[name];
    if (typeof cell === "string" && typeof wanted === "string")
      return cell === wanted || haveSameWords(cell, wanted);
    return JSON.stringify(cell) === JSON.stringify(wanted);
  });
}
