/**
 * How a world is written: tables, apps made of APIs, a population, and scenarios of three tasks each.
 *
 * One `defineApi` gives validation, documentation, JSON Schema and error texts. A task states its goal once, as the
 * changes it wants made directly on tables; the kit derives the checks from that. The optional solution reaches the
 * same state through the APIs, by code in the sandbox, so the two can be proved against each other.
 */
import type { z } from "zod";
import type { Rng } from "../core/index.ts";
import type { DemonstrationStyle, Dials, Difficulty, Split, StepResult } from "../spec/index.ts";

/** What may stand in a table cell. Money is integer cents. Instants are ISO strings in UTC. */
export type Cell = string | number | boolean | null | readonly string[] | readonly number[];
/** A row; ids are given by the table, from 1. */
export type TableRow = { readonly id: number } & { readonly [column: string]: Cell };

/**
 * `content` is compared by checks; `bookkeeping` (read flags, counters), `derived` (balances) and `session` (tokens)
 * are not, unless a goal names them.
 */
export type ColumnClass = "content" | "bookkeeping" | "derived" | "session";

/** A table as an app declares it. Rows live in a state, not here. */
export interface Table<R extends TableRow = TableRow> {
  /** `<app>.<plural noun>`, such as `mail.messages`. */
  readonly name: string;
  /** Columns with a hash index; `where` on them does not scan. */
  readonly indexes: readonly (keyof R & string)[];
  /** Columns that are not content. */
  readonly classes: { readonly [C in keyof R & string]?: ColumnClass };
  /** Foreign keys: column -> table name. Ids of created rows are matched one to one through these. */
  readonly references: { readonly [C in keyof R & string]?: string };
  /** Columns compared by letters and digits only, case ignored (free text that a person may phrase with other punctuation). */
  readonly loose: readonly (keyof R & string)[];
  /** Brings the row type along; never read. */
  readonly row?: R;
}

/** A table with its row type; what `options` leave out is empty. */
export function defineTable<R extends TableRow>(
  name: string,
  options: Partial<Pick<Table<R>, "indexes" | "classes" | "references" | "loose">> = {},
): Table<R> {
  return { name, indexes: [], classes: {}, references: {}, loose: [], ...options };
}

/** Rows come frozen and in ascending id. */
export interface Reader {
  get<R extends TableRow>(table: Table<R>, id: number): R | undefined;
  /** Rows whose columns equal all of `match`. */
  where<R extends TableRow>(table: Table<R>, match: Partial<R>): readonly R[];
  all<R extends TableRow>(table: Table<R>): readonly R[];
}

/** Everything written during one API call commits whole, or, when the handler throws, not at all. */
export interface Writer extends Reader {
  insert<R extends TableRow>(table: Table<R>, row: Omit<R, "id">): R;
  update<R extends TableRow>(table: Table<R>, id: number, patch: Partial<Omit<R, "id">>): R;
  remove<R extends TableRow>(table: Table<R>, id: number): void;
}

/** Thrown by handlers: becomes a value with a status, and an exception in the agent's code. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;

  constructor(status: 400 | 401 | 403 | 404 | 409 | 422 | 503, message: string) {
    super(message);
    this.status = status;
  }
}

/** What a handler is given beside its arguments. */
export interface CallContext {
  readonly db: Writer;
  /** The person whom the agent works for. */
  readonly owner: Profile;
  /** The episode's clock: starts at the world's `now`, one second later with every call. ISO, UTC. */
  readonly now: string;
}

/** One operation of an app, as it is documented, validated and run. */
export interface Api {
  /** One line: what it does, in the imperative. */
  readonly summary: string;
  /** A `z.strictObject`; every field has `.describe()`. */
  readonly params: z.ZodObject;
  readonly returns: z.ZodType;
  /** Arguments that work in this start state, for the documentation: `(db) => ({ id: db.all(notes)[0]!.id })`. */
  readonly example?: (db: Reader) => object;
  readonly handler: (context: CallContext, args: never) => unknown;
}

/** An API whose handler is typed by its parameters and its result. */
export function defineApi<P extends z.ZodObject, O extends z.ZodType>(api: {
  readonly summary: string;
  readonly params: P;
  readonly returns: O;
  readonly example?: (db: Reader) => z.input<P>;
  readonly handler: (context: CallContext, args: z.output<P>) => z.input<O>;
}): Api {
  return api as unknown as Api;
}

/** A set of APIs with the tables that they work on. */
export interface App {
  /** One lower-case word; `apis.<name>` in the sandbox. */
  readonly name: string;
  readonly summary: string;
  readonly tables: readonly Table[];
  /** True when its APIs need a session, which the kit's own `login` opens with the password in `me.listAccounts`. */
  readonly login?: boolean;
  readonly apis: { readonly [name: string]: Api };
}

/** An app; tables of any row type may stand in one list. */
export function defineApp(app: Omit<App, "tables"> & { readonly tables: readonly unknown[] }): App {
  return app as App;
}

/** The person whom the agent works for, as `me.profile` shows them. */
export interface Profile {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

/** Typed answers: numbers within half a cent, text by letters and digits with case ignored, lists as sets. */
export type Answer = string | number | boolean | readonly (string | number)[];

/** What a task wants beside its changes on tables. */
export interface GoalOutcome {
  /** Expected from `finishTask({ answer })`; absent: no answer is wanted. */
  readonly answer?: Answer;
  /** The task cannot be done: `finishTask({ status: "impossible" })` and no change is right. */
  readonly impossible?: boolean;
  /** Wrong answers that a careless solver may give, such as the right one with a clause dropped. Each must fail. */
  readonly guesses?: readonly Answer[];
}

/** How the agent ended the task. `answer` is absent when none was given. */
export interface Finish {
  readonly status: "done" | "impossible";
  readonly answer?: Answer;
}

/** A hand-written predicate over the final state; `finish` is undefined when the agent did not finish. */
export type Verdict = (end: Reader, start: Reader, finish: Finish | undefined) => boolean;

/** What a solution is given; it sees everything else as the agent would, by calling APIs. */
export interface SolutionContext {
  readonly style: DemonstrationStyle;
  readonly rng: Rng;
  /** The start state, for choosing which habit applies; values the agent could not know must come from results. */
  readonly start: Reader;
}

/** What a piece of a task says of the start state, and code that ought to find the same. */
export interface Claim {
  /** `clause since of collection shop.orders` */
  readonly part: string;
  /** The rule that is broken when the two differ. */
  readonly rule: string;
  /** Code as a solution would run it; the last cell prints a list as JSON. */
  readonly cells: readonly string[];
  /** A list in any order. Ids beside handles of people are compared by their number. */
  readonly expected: readonly unknown[];
}

/** One variant of a scenario: what is asked, what ought to change, and (optionally) how it can be done. */
export interface Task {
  readonly signature: string;
  readonly difficulty: Difficulty;
  readonly instruction: string;
  /** Rows of this task alone, on top of the shared population (distractors, the mail that it is about). */
  readonly setup?: (db: Writer) => void;
  /** The intended changes, made directly on tables. Never calls an API. */
  readonly goal: (db: Writer) => GoalOutcome | undefined;
  /** Yields cells of code; each `yield` gives back what the cell did. */
  readonly solution?: Solution;
  /** Other right ways, such as a draft that is sent later. Each must pass. */
  readonly alternatives?: readonly Solution[];
  /**
   * A second opinion on what is right, written by hand and apart from the goal. Episodes are judged by the derived checks;
   * `world check` reports how often the two agree.
   */
  readonly verdict?: Verdict;
  /**
   * What the pieces that the task is composed of say of the start state, and the names of what they do. Asked only when the
   * solution fails, so that `world check` can name the piece that is wrong.
   */
  readonly claims?: {
    readonly of: (start: Reader) => readonly Claim[];
    readonly does: readonly string[];
  };
}

/** A program that solves a task through the APIs, one cell of code a `yield`. */
export type Solution = (context: SolutionContext) => Generator<string, void, StepResult>;

/** A state for trying things out. */
export interface Scratch extends Writer {
  /** What was written so far, by table and id; `after` is absent for removed rows. */
  changes(): readonly {
    readonly table: string;
    readonly id: number;
    readonly kind: "insert" | "update" | "remove";
    readonly after?: TableRow;
  }[];
}

/** What a scenario is made from; the same request gives the same three tasks. */
export interface ScenarioRequest {
  readonly split: Split;
  /** 0-based; any number may be asked for. */
  readonly index: number;
  readonly base: Reader;
  /** Derived from (world seed, split, index). */
  readonly rng: Rng;
  /** `paraphrase` and `logins` are for the scenario to heed; the kit does the rest. */
  readonly dials: Dials;
  /** A fresh copy of `base` that may be written, for trying setups. */
  readonly scratch: () => Scratch;
}

/** Everything that a world is made from; data and pure functions, so that any thread can make it again. */
export interface WorldDefinition {
  readonly name: string;
  /** Of its tasks, such as `2`: another one wherever what a task says or means has changed. `world stats` shows it. */
  readonly version?: string;
  /** The instant at which every episode starts. ISO, UTC. */
  readonly now: string;
  readonly apps: readonly App[];
  /** `docs.showApi` prints a working call of each API that has an `example`. */
  readonly examples?: boolean;
  /** How many scenarios `tasks(split)` lists when not told. */
  readonly scenarios: { readonly [S in Split]?: number };
  /**
   * Fills the shared, frozen population; returns whom the agent works for. Apps with `login` need a row of `accounts`
   * each. `dials.distractors` is for the population to heed.
   */
  readonly populate: (db: Writer, rng: Rng, dials: Dials) => Profile;
  /** A scenario's three tasks: the same signature, three samples of people and values. */
  readonly scenario: (request: ScenarioRequest) => readonly [Task, Task, Task];
}

/** A world module's default export. */
export function defineWorld(definition: WorldDefinition): WorldDefinition {
  return definition;
}
