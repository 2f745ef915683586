/**
 * The small grammar of phrases that narrow a thing: a comparison with a number, an amount or a day, a quoted value, a
 * name, or a fixed property. It shares nothing with the goals kit, which writes the phrases.
 */

/** A row of any table. */
export type Row = { readonly id: number; readonly [column: string]: unknown };
/** Returns the rows of a table by its name, such as `bank.cards`. */
export type Tables = (name: string) => readonly Row[];
type Test = (row: Row, tables: Tables) => boolean;

/** A pattern at the start of a text, and the test of a row that a match of it means. */
export interface Phrase {
  readonly pattern: RegExp;
  /** Returns undefined when the match means nothing. */
  readonly meaning: (match: RegExpExecArray) => Test | undefined;
}

type Unit = "money" | "number" | "day" | "duration";
type ReadValue = (row: Row, tables: Tables) => number | string | null;

const VALUES: { readonly [U in Unit]: string } = {
  money: "\\$\\d+(?:\\.\\d+)?",
  number: "\\d+",
  day: "\\d+ [A-Z][a-z]+ \\d{4}",
  duration: "\\d+ (?:minutes?|seconds?)(?: \\d+ seconds?)?",
};

const BEFORE =
  "at least|no older than|no newer than|no less than|no fewer than|no shorter than|no earlier than|not earlier than|not later than|on or after|at most|no more than|no later than|on or before|until|up to and including|no longer than|not above|below|starting with|from|by|on|of|in";
const AFTER =
  "or more|or above|or longer|or larger|or later|or after it|or after that|or after|or a day after it|or a later day|or at a later day|or less|or below|or earlier|or an earlier day|or fewer|or before that|or before|or on an earlier day|or a day before it|at the latest|at the earliest|at most|or sooner|on,? that day included|on \\(that day included\\)|,? that day included|\\(that day included\\)";
const UPPER =
  /\b(at most|no newer|no more|no later|not later|before|until|up to|by|no longer than|not above|or less|or below|or fewer|at the latest|or sooner)\b/;
const LOWER =
  /\b(at least|no older|no less|no fewer|no shorter|no earlier|not earlier|at the earliest|no smaller|on or after|or more|or above|or longer|or larger|or later|or after|day after|later day|later one|starting|from|not below|not be below)\b/;

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

function readValue(text: string, unit: Unit): number | string {
  if (unit === "money") return Math.round(Number(text.slice(1)) * 100);
  if (unit === "number") return Number(text);
  if (unit === "duration") {
    const part = (name: string) => Number(new RegExp(`(\\d+) ${name}`).exec(text)?.[1] ?? 0);
    return 60 * part("minute") + part("second");
  }
  const [day, month, year] = text.split(" ");
  return `${year}-${String(MONTHS.indexOf(month!) + 1).padStart(2, "0")}-${day!.padStart(2, "0")}`;
}

/**
 * Makes a phrase that compares a value: words that lead in, a comparison such as `at least $5` or `$5 or more`, and
 * words that follow. `lead` and `tail` are patterns.
 */
export function compared(lead: string, unit: Unit, read: ReadValue, tail = ""): Phrase {
  const comparison = `(?:(${BEFORE}) )?(${VALUES[unit]})`;
  const pattern = new RegExp(
    `^(${lead}) ?${comparison}${tail && `(?: (?:${tail}))?`}(?:,? ?(${AFTER}))?${tail && `(?: (?:${tail}))?`}(?![\\w$])`,
  );
  return {
    pattern,
    meaning: (match) => {
      const value = match[3] ?? "";
      const direction = (text: string) => {
        const words = text
          .replace(/(ahead|behind) by/, "$1")
          .replace(/or earlier|an earlier/, "at most");
        return [UPPER.test(words), LOWER.test(words)] as const;
      };
      // In "from 2015 or earlier", the words after the value decide, then those right before it, then the lead.
      const end = match[0].indexOf(value, match[1]!.length) + value.length;
      const parts = [match[0].slice(end), match[2] ?? "", match[0]];
      const [isUpper, isLower] = parts.map(direction).find(([a, b]) => a !== b) ?? [false, false];
      if (isUpper === isLower) return undefined;
      const limit = readValue(value, unit);
      return (row, tables) => {
        const cell = read(row, tables);
        return cell !== null && (isUpper ? cell <= limit : cell >= limit);
      };
    },
  };
}

/** Makes a phrase with a value in quotation marks, or as bare words, which the group `(…)` of the pattern captures. */
export function valued(
  pattern: string,
  holds: (row: Row, value: string, tables: Tables) => boolean,
): Phrase {
  return {
    pattern: new RegExp(`^(?:${pattern})`),
    meaning: (match) => {
      const value = match.slice(1).find((group) => group !== undefined);
      return value === undefined ? undefined : (row, tables) => holds(row, value, tables);
    },
  };
}

/** Makes a phrase without a value. */
export const fixed = (pattern: string, holds: Test): Phrase => ({
  pattern: new RegExp(`^(?:${pattern})(?![\\w-])`),
  meaning: () => holds,
});

/** The pattern of the full name of a person. */
export const NAME = "([A-Z][\\w'-]+ [A-Z][\\w'-]+)";

export const isPerson = (tables: Tables, id: unknown, name: string): boolean =>
  tables("contacts.people").some((person) => person.id === id && person["name"] === name);

/** Returns the row of another table that belongs to a row, such as the details of a todo. */
export const belonging = (tables: Tables, table: string, column: string, id: number) =>
  tables(table).find((row) => row[column] === id);
