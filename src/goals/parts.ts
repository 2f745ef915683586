/**
 * The types of the goal algebra: what a part of a goal says, means and does.
 *
 * A goal is composed of parts. A *collection* narrowed by *clauses*, or followed along a *relation*, is a typed set. An
 * *action* is done to that set, or a *field* of it is aggregated to an answer. The *values* that an action needs are
 * literal or looked up elsewhere. Each part says three things independently: its words, its meaning on tables, and its
 * code. The words become the instruction, the meaning becomes the intended changes and so the checks, and the code
 * becomes the solution. That meaning and code agree is proved in the sandbox, never assumed.
 *
 * Conventions of the code: a set is a variable that holds a list of keys (handles of people, ids of everything else),
 * and the items that a list API returned are in a second variable. In a clause's `test` and a field's `code`, `x` is
 * one item. Every API call is written `apis.<app>.<api>({ ... })` with an object literal, so that programs can be
 * rewritten (renamed parameters, retries).
 */
import type { Rng } from "../core/index.ts";
import type { ComposedSplit } from "../spec/index.ts";
import type { Reader, Table, TableRow, Writer } from "../world/index.ts";
import type { Person } from "./language.ts";

/** What a set holds: `people`, `mails`, `orders`, and so on. Actions and relations work with any set of their kind. */
export type Kind = string;

/** Different ways of saying the same thing, at least five. The last two are reserved for the test splits. */
export type Alternatives<T = string> = readonly [T, T, T, T, T, ...T[]];

/** Something that occurs in a sentence and in code. It is known in advance, or the solution looks it up. */
export interface Value<T> {
  readonly value: T;
  /** The words in a sentence: `$24.50`, `"see you soon"`, `Amara Okafor`, `the price in my note "boat hire"`. */
  readonly words: string;
  /**
   * A JavaScript expression: a literal, or the variable that `cells` set. A person is a handle, and money is in
   * dollars.
   */
  readonly code: string;
  /** Cells that must run before `code` is used. */
  readonly cells: readonly string[];
  readonly setup?: (db: Writer) => void;
  /** The apps that are needed to look the value up, besides the app of the part that uses it. */
  readonly apps: readonly string[];
}

/** The types of values that an action or a deed may need. */
export type ValueType = "money" | "text" | "day" | "person";
/** Maps each type of value to the value that is drawn for it. */
export interface ValuesByType {
  /** An amount in cents. */
  readonly money: Value<number>;
  readonly text: Value<string>;
  readonly day: Value<string>;
  readonly person: Value<Person>;
}

/**
 * What a part needs when it draws. When nothing is suitable, the part returns undefined and the composer tries again.
 */
export interface DrawContext {
  readonly rng: Rng;
  readonly split: ComposedSplit;
  /** The start state so far: the population, and what earlier parts of this task have set up. */
  readonly db: Reader;
  /** The only people whom this task may name. */
  readonly people: readonly Person[];
  /** Draws a person to name: anybody, or one of the ids in `among`; undefined when none of them may be named. */
  readonly person: (among?: readonly number[]) => Value<Person> | undefined;
  /** Draws an amount, a sentence or a day. It is literal, or comes from a source when the task's signature says so. */
  readonly value: <T extends "money" | "text" | "day">(type: T) => ValuesByType[T];
  /** Returns a variable name that no other part of this task uses. */
  readonly variable: (stem: string) => string;
}

/** A drawn clause: its words, its meaning on rows, and the code that narrows the list. */
export interface Filter<R extends TableRow> {
  /** Phrases that follow a plural noun: `from Amara Okafor`, `that are older than a week`, `which I have starred`. */
  readonly words: Alternatives;
  readonly holds: (row: R, db: Reader) => boolean;
  /**
   * `args` are passed to the list API (`from:h1,starred:true`), and `test` is an expression over the item `x`. At least
   * one is needed.
   */
  readonly code: { readonly args?: string; readonly test?: string };
  readonly uses?: readonly Value<unknown>[];
}

/** One way to narrow a collection. */
export interface Clause<R extends TableRow> {
  readonly name: string;
  /** The names of clauses that cannot be combined with this one. */
  readonly excludes?: readonly string[];
  /** Draws the clause. `rows` are the collection's rows. Some of them should have the drawn value. */
  readonly draw: (draw: DrawContext, rows: readonly R[]) => Filter<R> | undefined;
}

/** A property of a row, for answers, sums, conditions and superlatives. */
export interface Field<R extends TableRow> {
  readonly name: string;
  /**
   * The unit. Money is in dollars in `value` and in `code`. A `text` is only listed or named, and a `grade` is never
   * summed.
   */
  readonly unit: "money" | "number" | "grade" | "day" | "text";
  /** The noun for the field in answers: `amount`, `number of guests`, `title`. */
  readonly noun: string;
  readonly value: (row: R, db: Reader) => number | string;
  /** A JavaScript expression over the item `x`. */
  readonly code: string;
  /** Adjectives such as `largest` or `newest`; absent when things cannot be ranked by the field. */
  readonly superlatives?: { readonly most: Alternatives; readonly least: Alternatives };
}

/** How one row of a collection is named. The composer uses only names that exactly one row has. */
export interface Title<R extends TableRow> {
  readonly nameOf: (row: R) => string;
  /** Returns noun phrases for a title, such as `my note "Soup"`. */
  readonly nouns: (title: string) => Alternatives;
  /**
   * Returns cells that set `out` to a list with the key of the row that has exactly this title, or to an empty list.
   */
  readonly cells: (title: string, out: string) => readonly string[];
  /** Invented names that no row has, for tasks that cannot be done. */
  readonly missing: readonly string[];
}

/** The noun for one thing of a collection, and the noun for several. */
export interface Noun {
  readonly one: string;
  readonly many: string;
}

/** The rows of one table that one list API returns. */
export interface Collection<R extends TableRow = TableRow> {
  readonly name: string;
  readonly kind: Kind;
  readonly app: string;
  readonly table: Table<R>;
  readonly includes: (row: R, db: Reader) => boolean;
  /** The nouns for its things: `{ one: "mail in my inbox", many: "mails in my inbox" }`. */
  readonly nouns: Alternatives<Noun>;
  /**
   * The paged list API (`page`, `size` up to 20, `{ items, more }`), such as `mail.list`, and the arguments that it
   * needs.
   */
  readonly list: { readonly api: string; readonly args?: string };
  /** The field of an item that holds its key. */
  readonly key: string;
  /** True when "all of them", without any clause, is a reasonable request. */
  readonly allowsWhole: boolean;
  readonly clauses: readonly Clause<R>[];
  readonly fields: readonly Field<R>[];
  readonly title?: Title<R>;
}

/** Leads from a set to the things that belong to it, such as the senders of mails or the guests of an event. */
export interface Relation {
  readonly name: string;
  readonly from: Kind;
  readonly to: Kind;
  readonly app: string;
  /** Phrases for what belongs to any of the things, such as `the senders of ${noun}`. The noun contains "any of". */
  readonly words: Alternatives<(noun: string) => string>;
  /**
   * Phrases for what belongs to each of the things, such as `whoever is a guest of every one of ${noun}`. The noun
   * contains `the`.
   */
  readonly wordsForEach?: Alternatives<(noun: string) => string>;
  /** Returns the ids that belong to any of the given ids, without repetitions. */
  readonly map: (db: Reader, ids: readonly number[]) => readonly number[];
  /** Returns cells that compute the list of distinct keys `to` from the list of keys `from`. */
  readonly cells: (from: string, to: string) => readonly string[];
}

/** A drawn action: its words, its change of a row, and the code that makes this change. */
export interface Effect {
  /**
   * Imperatives such as `Archive ${noun}`, with a capital letter and without a full stop. The noun may also be `them`
   * or `it`.
   */
  readonly frames: Alternatives<(noun: string) => string>;
  readonly setup?: (db: Writer) => void;
  /**
   * Returns false for rows for which the API refuses (already done, not allowed). A set with such a row is drawn again.
   */
  readonly permits?: (db: Reader, id: number) => boolean;
  readonly apply: (db: Writer, id: number) => void;
  /** Returns one statement or expression for the key in the variable `x`. It may call other APIs first. */
  readonly call: (x: string) => string;
  readonly uses?: readonly Value<unknown>[];
}

/** Something that can be done with every thing of a set. */
export interface Action {
  readonly name: string;
  readonly kind: Kind;
  readonly app: string;
  readonly difficulty: 1 | 2;
  /** The type of value that the action needs; absent if it needs none. The value may come from a source. */
  readonly takes?: "money" | "text" | "day";
  readonly draw: (draw: DrawContext) => Effect | undefined;
}

/** A place where a value is found instead of in the instruction: the text of a note, a cell of a CSV file, an event. */
export interface Source<T extends "money" | "text" | "day" = "money" | "text" | "day"> {
  readonly name: string;
  readonly type: T;
  readonly app: string;
  readonly draw: (draw: DrawContext) => ValuesByType[T] | undefined;
}

/** One number about a whole app: a balance, or a count that an API reports. */
export interface Fact {
  readonly name: string;
  readonly app: string;
  readonly unit: "money" | "number";
  /** Noun phrases such as `the balance of my savings account`. */
  readonly words: Alternatives;
  /** Returns the number; money is in dollars. */
  readonly value: (db: Reader) => number;
  /** A JavaScript expression for the number. */
  readonly code: string;
}

/**
 * Something that is done once and not to a set, such as creating an event, a playlist or a note. Its difficulty is 1.
 */
export interface Deed {
  readonly name: string;
  readonly app: string;
  readonly takes?: "money" | "text" | "day";
  readonly draw: (draw: DrawContext) =>
    | {
        readonly sentences: Alternatives;
        readonly setup?: (db: Writer) => void;
        /** Returns false when the APIs would refuse the deed in this state. */
        readonly permits?: (db: Reader) => boolean;
        readonly apply: (db: Writer) => void;
        readonly cells: readonly string[];
        readonly uses?: readonly Value<unknown>[];
      }
    | undefined;
}

/** The parts that one app contributes. */
export interface Parts {
  readonly collections?: readonly Collection[];
  readonly relations?: readonly Relation[];
  readonly actions?: readonly Action[];
  readonly sources?: readonly Source[];
  readonly facts?: readonly Fact[];
  readonly deeds?: readonly Deed[];
}

/** Checks a collection with its row type. The result has no row type, so that all collections can be in one list. */
export function asCollection<R extends TableRow>(definition: Collection<R>): Collection {
  return definition as unknown as Collection;
}
