/**
 * The types of the goal algebra: what a part of a goal says, means and does.
 *
 * A goal is composed from parts: a *collection* narrowed by *clauses* (or followed along a *relation*) is a typed set;
 * an *action* consumes that set, or a *field* of it is aggregated to an answer; *values* that an action needs are
 * literal or looked up elsewhere. Each part says three things independently: its words, its meaning on tables, and its
 * code. The words become the instruction, the meaning becomes the intended diff and thereby the checks, the code
 * becomes the solution. That the last two agree is proved in the sandbox, never assumed.
 *
 * Code conventions. A set is a variable that holds a list of keys (handles of people, ids of everything else); the
 * items that a list API gave are in a second variable. In a clause's `test` and a field's `code`, `x` is one item. Every
 * API call is written `apis.<app>.<api>({ ... })` with an object literal, so that programs can be rewritten (renamed
 * parameters, retries).
 */
import type { Rng } from "../core/index.ts";
import type { ComposedSplit } from "../spec/index.ts";
import type { Reader, Table, TableRow, Writer } from "../world/index.ts";
import type { Person } from "./language.ts";

/** What a set holds: `people`, `mails`, `orders`, ... Actions and relations fit behind any set of their kind. */
export type Kind = string;

/** Words vary by index: the last two of at least five are kept for the test splits. */
export type Alternatives<T = string> = readonly [T, T, T, T, T, ...T[]];

/** Something that stands in a sentence and in code, known now or looked up by the solution. */
export interface Value<T> {
  readonly value: T;
  /** Inside a sentence: `$24.50`, `"see you soon"`, `Amara Okafor`, `the price in my note "boat hire"`. */
  readonly words: string;
  /** A JavaScript expression: a literal, or the variable that `cells` leave. A person is a handle, money is dollars. */
  readonly code: string;
  /** Cells that run before `code` is used. */
  readonly cells: readonly string[];
  readonly setup?: (db: Writer) => void;
  /** Apps other than that of the part it serves. */
  readonly apps: readonly string[];
}

/** What an action or a deed may need. */
export type ValueType = "money" | "text" | "day" | "person";
/** Values by their type. */
export interface ValuesByType {
  /** Cents. */
  readonly money: Value<number>;
  readonly text: Value<string>;
  readonly day: Value<string>;
  readonly person: Value<Person>;
}

/** What a part may draw from. A part that finds nothing fitting returns undefined and the composer tries again. */
export interface DrawContext {
  readonly rng: Rng;
  readonly split: ComposedSplit;
  /** The start state so far: the population and what earlier parts of this task set up. */
  readonly db: Reader;
  /** The only people whom a task may name. */
  readonly people: readonly Person[];
  /** A person to name, looked up by full name; `among` are ids. Undefined when none of them may be named. */
  readonly person: (among?: readonly number[]) => Value<Person> | undefined;
  /** An amount, a sentence or a day: literal, or, when the signature says so, from some app's `sources`. */
  readonly value: <T extends "money" | "text" | "day">(type: T) => ValuesByType[T];
  /** A variable name that no other part of this task uses. */
  readonly variable: (stem: string) => string;
}

/** A drawn clause. */
export interface Filter<R extends TableRow> {
  /** Each follows a plural noun: `from Amara Okafor`, `that are older than a week`, `which I have starred`. */
  readonly words: Alternatives;
  readonly holds: (row: R, db: Reader) => boolean;
  /** `args` go to the list API (`from:h1,starred:true`); `test` is an expression over the item `x`. At least one. */
  readonly code: { readonly args?: string; readonly test?: string };
  readonly uses?: readonly Value<unknown>[];
}

/** One way to narrow a collection. */
export interface Clause<R extends TableRow> {
  readonly name: string;
  /** Clauses of this collection that cannot stand beside it. */
  readonly excludes?: readonly string[];
  /** `rows` is what the collection holds; pick values that some of them have. */
  readonly draw: (draw: DrawContext, rows: readonly R[]) => Filter<R> | undefined;
}

/** A property of a row, for answers, sums, conditions and superlatives. */
export interface Field<R extends TableRow> {
  readonly name: string;
  /** Money is dollars in `value` and in `code`. `text` fields are only listed or named, a `grade` is never summed. */
  readonly unit: "money" | "number" | "grade" | "day" | "text";
  /** `amount`, `number of guests`, `title`. */
  readonly noun: string;
  readonly value: (row: R, db: Reader) => number | string;
  /** An expression over the item `x`. */
  readonly code: string;
  /** Adjectives: `largest`, `most expensive`, `newest`; absent: it cannot be ranked. */
  readonly superlatives?: { readonly most: Alternatives; readonly least: Alternatives };
}

/** One thing by its name. The composer only uses names that one row of the collection has. */
export interface Title<R extends TableRow> {
  readonly nameOf: (row: R) => string;
  /** Noun phrases: `my note "Soup"`. */
  readonly nouns: (title: string) => Alternatives;
  /** Cells that leave a list of no or one key in the variable `out`; the comparison is exact. */
  readonly cells: (title: string, out: string) => readonly string[];
  /** Invented names that no row has, for impossible tasks. */
  readonly missing: readonly string[];
}

/** What one thing of a collection is called, and several. */
export interface Noun {
  readonly one: string;
  readonly many: string;
}

/** The rows of one table that one list API gives. */
export interface Collection<R extends TableRow = TableRow> {
  readonly name: string;
  readonly kind: Kind;
  readonly app: string;
  readonly table: Table<R>;
  readonly includes: (row: R, db: Reader) => boolean;
  /** `{ one: "mail in my inbox", many: "mails in my inbox" }` */
  readonly nouns: Alternatives<Noun>;
  /** `mail.list`; it is paged (`page`, `size` up to 20, `{ items, more }`). `args` are those that `base` needs. */
  readonly list: { readonly api: string; readonly args?: string };
  /** The item's field that is the key. */
  readonly key: string;
  /** True when "all of them" without any clause is a reasonable request. */
  readonly allowsWhole: boolean;
  readonly clauses: readonly Clause<R>[];
  readonly fields: readonly Field<R>[];
  readonly title?: Title<R>;
}

/** From a set to the things that belong to it: the senders of mails, the guests of an event. */
export interface Relation {
  readonly name: string;
  readonly from: Kind;
  readonly to: Kind;
  readonly app: string;
  /** `the senders of ${noun}`: of several things those of any; the noun says so (`any of the mails in my inbox`). */
  readonly words: Alternatives<(noun: string) => string>;
  /** `whoever is a guest of every single one of ${noun}`: only what belongs to each of several; the noun has `the`. */
  readonly wordsForEach?: Alternatives<(noun: string) => string>;
  /** Without repeats. */
  readonly map: (db: Reader, ids: readonly number[]) => readonly number[];
  /** Cells that leave, from the list of keys `from`, the list of distinct keys `to`. */
  readonly cells: (from: string, to: string) => readonly string[];
}

/** A drawn action. */
export interface Effect {
  /** Imperative, capital letter, no full stop: `Archive ${noun}`. The noun is an object: it may also be `them` or `it`. */
  readonly frames: Alternatives<(noun: string) => string>;
  readonly setup?: (db: Writer) => void;
  /** False for rows where the API refuses (already done, not allowed); such a set is drawn again. */
  readonly permits?: (db: Reader, id: number) => boolean;
  readonly apply: (db: Writer, id: number) => void;
  /** One statement or expression for the key in variable `x`. It may call other APIs first. */
  readonly call: (x: string) => string;
  readonly uses?: readonly Value<unknown>[];
}

/** What can be done with every thing of a set. */
export interface Action {
  readonly name: string;
  readonly kind: Kind;
  readonly app: string;
  readonly difficulty: 1 | 2;
  /** The type of value that `draw.value` is asked for, if any: it may then come from a source. */
  readonly takes?: "money" | "text" | "day";
  readonly draw: (draw: DrawContext) => Effect | undefined;
}

/** Where a value can be found instead of in the instruction: the text of a note, a cell of a CSV file, an event. */
export interface Source<T extends "money" | "text" | "day" = "money" | "text" | "day"> {
  readonly name: string;
  readonly type: T;
  readonly app: string;
  readonly draw: (draw: DrawContext) => ValuesByType[T] | undefined;
}

/** One number about an app as a whole: a balance, a count that an API reports. */
export interface Fact {
  readonly name: string;
  readonly app: string;
  readonly unit: "money" | "number";
  /** `the balance of my savings account` */
  readonly words: Alternatives;
  /** Dollars for money. */
  readonly value: (db: Reader) => number;
  /** An expression. */
  readonly code: string;
}

/** Something done once, without a set: create an event, a playlist, a note. Difficulty 1. */
export interface Deed {
  readonly name: string;
  readonly app: string;
  readonly takes?: "money" | "text" | "day";
  readonly draw: (draw: DrawContext) =>
    | {
        readonly sentences: Alternatives;
        readonly setup?: (db: Writer) => void;
        /** False where the APIs refuse it now. */
        readonly permits?: (db: Reader) => boolean;
        readonly apply: (db: Writer) => void;
        readonly cells: readonly string[];
        readonly uses?: readonly Value<unknown>[];
      }
    | undefined;
}

/** What one app brings to the algebra. */
export interface Parts {
  readonly collections?: readonly Collection[];
  readonly relations?: readonly Relation[];
  readonly actions?: readonly Action[];
  readonly sources?: readonly Source[];
  readonly facts?: readonly Fact[];
  readonly deeds?: readonly Deed[];
}

/** Brings the row type through the definition and drops it for the list. */
export function asCollection<R extends TableRow>(definition: Collection<R>): Collection {
  return definition as unknown as Collection;
}
