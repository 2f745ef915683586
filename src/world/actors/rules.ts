/** Questions to a history, and rules that many goals with actors need: what comes first, what happens once or never. */
import {
  AGENT,
  type HistoryEntry,
  type HistoryRule,
  type Table,
  type TableRow,
} from "../define.ts";

/** Says which writings a rule is about. */
export interface Writing {
  /** Says what it is in words, such as `a payment`. */
  readonly words: string;
  readonly matches: (entry: HistoryEntry) => boolean;
}

/** Returns the rows of a table that an entry added or changed, as they were after it. */
export function writtenRows<R extends TableRow>(
  { rows }: HistoryEntry,
  table: Table<R>,
): readonly R[] {
  return rows.flatMap((row) => (row.table === table.name && row.after ? [row.after as R] : []));
}

/** Selects entries of one author in which a row of the table was added or changed so that it fits `where`. */
export function writes<R extends TableRow>(
  words: string,
  table: Table<R>,
  where: (row: R) => boolean = () => true,
  author: string = AGENT,
): Writing {
  return {
    words,
    matches: (entry) => entry.author === author && writtenRows(entry, table).some(where),
  };
}

/** The rule that each `later` writing comes after an `earlier` writing, such as a payment after its approval. */
export function inOrder(name: string, earlier: Writing, later: Writing): HistoryRule {
  return {
    name,
    explain: (history) => {
      const first = history.findIndex(earlier.matches);
      const wrong = history.find((entry, i) => later.matches(entry) && (first < 0 || i <= first));
      return wrong && `${later.words} at ${wrong.at} without ${earlier.words} before it`;
    },
  };
}

/** The rule that a writing happens at most once, such as a question to somebody. */
export function atMostOnce(name: string, writing: Writing): HistoryRule {
  return {
    name,
    explain: (history) => {
      const count = history.filter(writing.matches).length;
      return count > 1 ? `${writing.words} ${count} times` : undefined;
    },
  };
}

/** The rule that a writing never happens, such as a secret in a message to a stranger. */
export function never(name: string, writing: Writing): HistoryRule {
  return {
    name,
    explain: (history) => {
      const wrong = history.find(writing.matches);
      return wrong && `${writing.words} at ${wrong.at}`;
    },
  };
}
