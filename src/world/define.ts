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

/** A value that a table cell may hold. Money is integer cents. Instants are ISO strings in UTC. */
export type Cell = string | number | boolean | null | readonly string[] | readonly number[];
/** A row of a table. The table assigns the ids, from 1 on. */
export type TableRow = { readonly id: number } & { readonly [column: string]: Cell };

/**
 * How checks treat a column. They compare `content`. They ignore `bookkeeping` (read flags, counters), `derived`
 * (balances) and `session` (tokens), unless a goal is about bookkeeping.
 */
export type ColumnClass = "content" | "bookkeeping" | "derived" | "session";

/** A table as an app declares it. Its rows live in a state, not in this object. */
export interface Table<R extends TableRow = TableRow> {
  /** The name of the table as `<app>.<plural noun>`, such as `mail.messages`. */
  readonly name: string;
  /** Columns with a hash index, so that `where` on them does not scan the table. */
  readonly indexes: readonly (keyof R & string)[];
  /** The classes of columns that are not `content`. */
  readonly classes: { readonly [C in keyof R & string]?: ColumnClass };
  /** Maps columns with foreign keys to table names. Ids of created rows are matched one to one through these. */
  readonly references: { readonly [C in keyof R & string]?: string };
  /**
   * Columns of free text that a person may write with another case, spacing and punctuation. Numbers and signs in it
   * count as they are written; see `comparedText`.
   */
  readonly loose: readonly (keyof R & string)[];
  /** Carries the row type for the compiler; it is never read. */
  readonly row?: R;
}

/** Declares a table and its row type. Options that are left out are empty. */
export function defineTable<R extends TableRow>(
  name: string,
  options: Partial<Pick<Table<R>, "indexes" | "classes" | "references" | "loose">> = {},
): Table<R> {
  return { name, indexes: [], classes: {}, references: {}, loose: [], ...options };
}

/** Reads the rows of tables. Rows come frozen and in ascending order of id. */
export interface Reader {
  get<R extends TableRow>(table: Table<R>, id: number): R | undefined;
  /** Returns the rows that equal `match` in all of its columns. */
  where<R extends TableRow>(table: Table<R>, match: Partial<R>): readonly R[];
  all<R extends TableRow>(table: Table<R>): readonly R[];
}

/** Reads and writes rows. The writes of one API call commit whole, or not at all when the handler throws. */
export interface Writer extends Reader {
  insert<R extends TableRow>(table: Table<R>, row: Omit<R, "id">): R;
  update<R extends TableRow>(table: Table<R>, id: number, patch: Partial<Omit<R, "id">>): R;
  remove<R extends TableRow>(table: Table<R>, id: number): void;
}

/** An error that a handler throws. It becomes a value with a status, and an exception in the agent's code. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;

  constructor(status: 400 | 401 | 403 | 404 | 409 | 422 | 503, message: string) {
    super(message);
    this.status = status;
  }
}

/** What a handler receives besides its arguments. */
export interface CallContext {
  readonly db: Writer;
  /** The person whom the agent works for. */
  readonly owner: Profile;
  /** The episode's clock, ISO in UTC. It starts at the world's `now` and moves on by one second with every call. */
  readonly now: string;
}

/** One operation of an app, as it is documented, validated and run. */
export interface Api {
  /** One line that says what the API does, in the imperative. */
  readonly summary: string;
  /** A `z.strictObject` whose fields all have `.describe()`. */
  readonly params: z.ZodObject;
  readonly returns: z.ZodType;
  /** Returns arguments that work in this state, for the documentation: `(db) => ({ id: db.all(notes)[0]!.id })`. */
  readonly example?: (db: Reader) => object;
  readonly handler: (context: CallContext, args: never) => unknown;
}

/** The same type with all lists and fields readonly, as the rows of tables have them. */
export type ReadonlyValue<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyValue<T[K]> }
    : T;

/** Defines an API; the types of its parameters and its result check the handler. */
export function defineApi<P extends z.ZodObject, O extends z.ZodType>(api: {
  readonly summary: string;
  readonly params: P;
  readonly returns: O;
  readonly example?: (db: Reader) => ReadonlyValue<z.input<P>>;
  readonly handler: (context: CallContext, args: z.output<P>) => ReadonlyValue<z.input<O>>;
}): Api {
  return api as unknown as Api;
}

/** A set of APIs with the tables that they work on. */
export interface App {
  /** One lower-case word, which agents use as `apis.<name>`. */
  readonly name: string;
  readonly summary: string;
  readonly tables: readonly Table[];
  /** True when its APIs need a session. The kit adds `login`, which takes the password in `me.listAccounts`. */
  readonly login?: boolean;
  readonly apis: { readonly [name: string]: Api };
}

/** Defines an app. Tables of any row type may stand in one list. */
export function defineApp(app: Omit<App, "tables"> & { readonly tables: readonly unknown[] }): App {
  return app as App;
}

/** The person whom the agent works for, as `me.profile` shows this person. */
export interface Profile {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

/**
 * An answer. Numbers are compared within half a cent, lists as sets, and text without its case, spacing and closing
 * punctuation; see `comparedText`.
 */
export type Answer = string | number | boolean | readonly (string | number)[];

/** What a task wants besides its changes in tables. */
export interface GoalOutcome {
  /** The answer expected from `finishTask({ answer })`; absent when no answer is wanted. */
  readonly answer?: Answer;
  /** True when the task cannot be done: then `finishTask({ status: "impossible" })` without any change is right. */
  readonly impossible?: boolean;
  /**
   * Wrong answers that a careless solver may give, such as the answer without one condition of the question. Each must
   * fail.
   */
  readonly guesses?: readonly Answer[];
  /** Rules about the order of what was written. The goal must keep them itself. Only for worlds with actors. */
  readonly history?: readonly HistoryRule[];
}

/** How the agent ended the task. `answer` is absent when the agent gave none. */
export interface Finish {
  readonly status: "done" | "impossible";
  readonly answer?: Answer;
}

/** One row that was written: `before` is absent for an added row, and `after` for a removed row. */
export interface WrittenRow {
  readonly table: string;
  readonly id: number;
  readonly kind: "insert" | "update" | "remove";
  readonly before?: TableRow;
  readonly after?: TableRow;
}

/** The author of what the agent writes. Every other author is the name of an actor. */
export const AGENT = "agent";

/** What one author wrote at one time: the rows of one API call, or of one event. */
export interface HistoryEntry {
  /** ISO in UTC. */
  readonly at: string;
  /** `agent`, or the name of an actor. */
  readonly author: string;
  readonly rows: readonly WrittenRow[];
}

/** Something that an actor will do. It is a row of the episode's state, so forks and replays have the same events. */
export interface ActorEvent {
  readonly kind: string;
  /** What the actor needs to remember until then. */
  readonly data: Readonly<Record<string, Cell>>;
}

/** What both functions of an actor receive. */
export interface ActorContext {
  readonly owner: Profile;
  /** The instant at which it happens, ISO in UTC. */
  readonly now: string;
  /**
   * A random stream that depends on the task, the actor and what it reacts to, and neither on the time nor on earlier
   * draws. So the same question gets the same answer, whatever the agent did before it.
   */
  readonly rng: Rng;
  /** Plans an event of this actor after a number of minutes (0 or more). */
  readonly schedule: (kind: string, minutes: number, data?: ActorEvent["data"]) => void;
}

/**
 * Somebody else in a world of apps, who acts by a rule: the actor notices what is written, takes its time, and then
 * writes rows itself. An actor is data and pure functions. What it knows stands in tables.
 */
export interface Actor {
  readonly name: string;
  /**
   * Called once for each API call of the agent and each event of another actor that wrote something. It reads, and may
   * plan events. It cannot write.
   */
  readonly notice?: (context: ActorContext & { readonly db: Reader }, entry: HistoryEntry) => void;
  /** Maps kinds of events to what the actor does when one is due. All that an event writes is kept, or nothing. */
  readonly events: {
    readonly [kind: string]: (
      context: ActorContext & {
        readonly db: Writer;
        /** Shows the owner a line from an app, as a phone does. It ends a wait of the agent. */
        readonly notify: (app: string, text: string) => void;
      },
      event: ActorEvent,
    ) => void;
  };
}

/** Defines an actor. */
export function defineActor(actor: Actor): Actor {
  return actor;
}

/** The time in a goal: what the goal wrote so far is noticed, and what is due happens. */
export interface GoalTime {
  readonly now: () => string;
  /** Lets a number of minutes pass. */
  readonly wait: (minutes: number) => void;
}

/** The time of a goal in a world without actors, where nothing happens by itself. Both functions throw. */
export const NO_TIME: GoalTime = { now: refuseTime, wait: refuseTime };

function refuseTime(): never {
  throw new Error("a goal has time only in a world with actors; see `actors` of defineWorld");
}

/** A rule about what was written in which order, beside the final state; see `inOrder` and `atMostOnce`. */
export interface HistoryRule {
  /** The name of the check, such as `asked before paying`. */
  readonly name: string;
  /** Returns undefined when the history keeps the rule, and otherwise a sentence that says what breaks it. */
  readonly explain: (history: readonly HistoryEntry[], end: Reader) => string | undefined;
}

/**
 * A hand-written judgement of the final state; `finish` is undefined when the agent did not finish the task. `history`
 * says who wrote what in which order in a world with actors, and is empty in other worlds.
 */
export type Verdict = (
  end: Reader,
  start: Reader,
  finish: Finish | undefined,
  history: readonly HistoryEntry[],
) => boolean;

/** What a solution receives. It must learn everything else by calling APIs, as the agent would. */
export interface SolutionContext {
  readonly style: DemonstrationStyle;
  readonly rng: Rng;
  /** The start state, for choosing what to do. Values that an agent could not know must come from results of calls. */
  readonly start: Reader;
}

/** What a part of a task means in the start state, and code that must find the same. */
export interface Claim {
  /** The name of the part, such as `clause since of collection shop.orders`. */
  readonly part: string;
  /** The rule that is broken when meaning and code differ. */
  readonly rule: string;
  /** The code cells as a solution would run them. The last cell prints a list as JSON. */
  readonly cells: readonly string[];
  /** The list that the code must find, in any order. For handles of people, only their number is compared. */
  readonly expected: readonly unknown[];
}

/** Plans an event of an actor at the start of a task, after a number of minutes. */
export type PlanEvent = (
  actor: string,
  kind: string,
  minutes: number,
  data?: ActorEvent["data"],
) => void;

/** A mistake that a task expects, such as obeying an injected command. `world check` makes it, and checks must fail. */
export interface Wrong {
  readonly name: string;
  /** A cell that runs before the last call of the task's solution. */
  readonly code?: string;
  /** Or else a whole wrong solution, such as one that overlooks a correction. */
  readonly solution?: Solution;
}

/** A session of a task after the first one; see `Task.sessions`. */
export interface LaterSession {
  /** All that the agent is told in this session. */
  readonly instruction: string;
  /** The minutes that pass between the end of the session before and this one. */
  readonly minutes: number;
}

/** One variant of a scenario: what is asked, what has to change, and (optionally) how it can be done. */
export interface Task {
  readonly signature: string;
  readonly difficulty: Difficulty;
  /** What the agent is told, in the first session if the task has several. */
  readonly instruction: string;
  /**
   * The sessions after the first, in a world with actors. Each begins when the agent finishes the one before: as a new
   * conversation with its own instruction and an empty console. The data goes on, so an agent has to write down what it
   * needs later. The checks judge the end of the last session.
   */
  readonly sessions?: readonly LaterSession[];
  /** Writes rows for this task alone into the shared population, such as distractors or the mail that it is about. */
  readonly setup?: (db: Writer, plan: PlanEvent) => void;
  /**
   * Makes the intended changes directly in tables. It never calls an API. In a world with actors, `time.wait` lets them
   * act on what the goal wrote so far, so that the goal can go on with what they answered.
   */
  readonly goal: (db: Writer, time: GoalTime) => GoalOutcome | undefined;
  /** Yields cells of code; each `yield` returns what the cell did. */
  readonly solution?: Solution;
  /** Other right solutions, such as a draft that is sent later. Each must pass. */
  readonly alternatives?: readonly Solution[];
  /** Mistakes that checks must reject, beside those that `world check` makes from the solution. */
  readonly wrongs?: readonly Wrong[];
  /**
   * A second opinion on whether the final state is right, written by hand and independently of the goal. The derived
   * checks judge episodes; `world check` reports how often the two agree.
   */
  readonly verdict?: Verdict;
  /**
   * What the parts of the task mean in the start state, and the names of its actions. They are used only when the
   * solution fails, so that `world check` can name the part that is wrong.
   */
  readonly claims?: {
    readonly listClaims: (start: Reader) => readonly Claim[];
    readonly actionNames: readonly string[];
  };
}

/** A program that solves a task through the APIs. Each `yield` hands over one cell of code. */
export type Solution = (context: SolutionContext) => Generator<string, void, StepResult>;

/** A copy of a state for trying things out. */
export interface Scratch extends Writer {
  /** Lists what was written so far, by table and id. For a removed row, `after` is absent. */
  changes(): readonly {
    readonly table: string;
    readonly id: number;
    readonly kind: "insert" | "update" | "remove";
    readonly after?: TableRow;
  }[];
}

/** What a rule of life reads: the tables of one population, or of the start of one scenario, and the owner there. */
export interface LifePopulation {
  readonly db: Reader;
  readonly owner: Profile;
}

/** A rule about single populations, such as: no two trips of a person overlap. */
export interface PossibleLifeRule {
  readonly name: string;
  /** Returns one sentence for each violation. */
  readonly findViolations: (population: LifePopulation) => readonly string[];
}

/** A rule about several populations: something is not the same everywhere, so that it cannot be memorised. */
export interface VariedLifeRule {
  readonly name: string;
  /**
   * Returns the text that differs. At most a tenth of the populations (and always one) may have the same text; every
   * further one is a violation.
   */
  readonly readVaried: (population: LifePopulation) => string;
  /** True if the text also differs between the scenarios of one seed. */
  readonly variesByScenario?: boolean;
}

/** A rule that makes the life in a population possible. `bowline world check --life` tests it over many seeds. */
export type LifeRule = PossibleLifeRule | VariedLifeRule;

/** The input of a scenario. The same request must give the same three tasks. */
export interface ScenarioRequest {
  readonly split: Split;
  /** The number of the scenario, counted from 0. There is no largest number. */
  readonly index: number;
  /** The population, as `vary` changes it for this scenario. */
  readonly base: Reader;
  /** The person whom the agent works for. */
  readonly owner: Profile;
  /** A random stream derived from the world's seed, the split and the index. */
  readonly rng: Rng;
  /** The dials. The scenario has to follow `paraphrase`; the kit does the rest. */
  readonly dials: Dials;
  /** The apps whose calls need a session: those with `login: true`, or none when the dial `logins` is off. */
  readonly appsWithLogin: ReadonlySet<string>;
  /** Returns a new copy of `base` that may be written to, for trying setups. */
  readonly scratch: () => Scratch;
  /**
   * What `reportAttempts` was given when an equal world drew this scenario, in another thread or earlier. With it the
   * same three tasks need no search. A scenario function may ignore both.
   */
  readonly knownAttempts?: readonly number[] | undefined;
  readonly reportAttempts?: (attempts: readonly number[]) => void;
}

/**
 * Everything that makes a world. It consists of data and pure functions, so that any thread can make the same world.
 */
export interface WorldDefinition {
  readonly name: string;
  /** The version of its tasks, such as `2`. It changes whenever a task says or means something else. */
  readonly version?: string;
  /** The instant at which every episode starts, ISO in UTC. */
  readonly now: string;
  readonly apps: readonly App[];
  /**
   * Other people, who act by rules. With at least one, the agent gets `me.wait` and `me.listNotices`, and the checks
   * compare what the agent wrote, and not what others wrote.
   */
  readonly actors?: readonly Actor[];
  /** True if `docs.showApi` shows a working call of each API that has an `example`. */
  readonly examples?: boolean;
  /** The number of scenarios that `tasks(split)` lists by default. */
  readonly scenarios: { readonly [S in Split]?: number };
  /**
   * Fills the shared, frozen population and returns the person whom the agent works for. Apps with `login` need a row
   * of `accounts` each. The function has to follow `dials.distractors`.
   */
  readonly populate: (db: Writer, rng: Rng, dials: Dials) => Profile;
  /** What makes the life in a population possible; no task needs it. */
  readonly life?: readonly LifeRule[];
  /**
   * Changes a few rows of the population for one scenario, such as passwords and balances, so that an agent cannot
   * memorise them. It is called before the scenario is drawn and for each of its tasks, with equal random streams.
   */
  readonly vary?: (db: Writer, rng: Rng) => void;
  /** Makes a scenario's three tasks. They have the same signature, with different people and values. */
  readonly scenario: (request: ScenarioRequest) => readonly [Task, Task, Task];
}

/** Defines a world. A world module exports the result as its default. */
export function defineWorld(definition: WorldDefinition): WorldDefinition {
  return definition;
}
