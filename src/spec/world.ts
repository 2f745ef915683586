/**
 * Types of the world: tasks, episodes and the results of steps.
 *
 * A World consists of apps over one generated population, and of tasks. An Episode is one interaction with one task:
 * open, step any number of times, evaluate, close. An episode is used once: it cannot be reset, but `fork()` makes a
 * copy. What goes wrong inside an episode (an API error, an endless loop) is reported in a StepResult. Only misuse by
 * the caller throws, such as a step in a closed episode.
 */
import type { Dials } from "./dials.ts";

/** The splits whose tasks are composed by a program, so that there can be any number of them. */
export const COMPOSED_SPLITS = ["train", "dev", "test-normal", "test-challenge"] as const;
/** A split with any number of tasks, one of `COMPOSED_SPLITS`. */
export type ComposedSplit = (typeof COMPOSED_SPLITS)[number];

/**
 * The splits of a world's tasks. `train` and `dev` may be used for tuning; the others are only for scoring. `handmade`
 * holds a few scenarios that a person wrote, whose success is also judged by hand-written checks. Few worlds have it.
 */
export const SPLITS = [...COMPOSED_SPLITS, "handmade"] as const;
/** A named part of a world's tasks, one of `SPLITS`. */
export type Split = (typeof SPLITS)[number];

/** The difficulty of a task, from 1, the easiest, to 3. */
export type Difficulty = 1 | 2 | 3;

/**
 * The public data of a task, which is one concrete variant of a scenario. Checks and solutions stay inside the world.
 */
export interface TaskInfo {
  /** The task's id, `<split>/<scenario>/<variant>`. It is unique in the world, and `open` needs nothing else. */
  readonly id: string;
  /** The id of the scenario, which its three variants share. Scenario goal completion (SGC) groups tasks by it. */
  readonly scenario: string;
  readonly split: Split;
  readonly difficulty: Difficulty;
  /** The composition of typed parts of which the scenario consists, such as `people.in-group > pay.each`. */
  readonly signature: string;
  readonly instruction: string;
}

/**
 * A bug of the world that a call ran into: the handler threw something other than an `ApiError`, returned an invalid
 * value or never returned. It is for the world's author; the agent sees only a status and a message.
 */
export interface Fault {
  /** What happened, such as `threw TypeError: ...`. */
  readonly message: string;
  /** The place in the world's own code as `file:line:column`, if it is known. */
  readonly at?: string | undefined;
}

/** One API call that the agent's code made. `status` is like in HTTP: 200 is success. */
export interface ApiCall {
  readonly app: string;
  readonly api: string;
  readonly args: unknown;
  readonly status: number;
  /** True if the call changed content. Changes of session tokens or read flags do not count. */
  readonly wrote: boolean;
  /** The bug of the world that the call ran into, if there was one. */
  readonly fault?: Fault | undefined;
  /**
   * What an app outside of this package answered, so that the call need not be made again to replay the episode. Absent
   * for apps that answer the same whenever they are asked.
   */
  readonly reply?: ApiReply | undefined;
}

/** The answer of a call: a value that JSON has, or a status with a message. */
export type ApiReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: number; readonly message: string };

/** The limits of the sandbox. All are counts except `wall-clock`, which ends a function of the
 * world that does not return. */
export const LIMITS = ["fuel", "calls", "jobs", "memory", "stack", "wall-clock"] as const;
/** The limit that ended a cell, one of `LIMITS`. */
export type Limit = (typeof LIMITS)[number];

/** The result of one cell of code. `text` is exactly what the model sees; the other fields are for programs. */
export interface StepResult {
  readonly status: "ok" | "error" | "limit";
  /** Everything that was printed, even before an error. It is cut at the limit for printed text. */
  readonly stdout: string;
  readonly error?: { readonly name: string; readonly message: string };
  readonly limit?: Limit;
  readonly calls: readonly ApiCall[];
  /** True if the agent has called `apis.me.finishTask`. Later cells are refused. */
  readonly finished: boolean;
  /** The session that begins with the next cell, if the agent has ended one and the task has another. */
  readonly nextSession?: TaskSession;
  readonly text: string;
}

/**
 * A session of a task that has several. It is a new conversation with its own instruction and an empty console. Of what
 * was done before, only the world's data is left.
 */
export interface TaskSession {
  /** Counted from 1; the first session has the task's own instruction. */
  readonly number: number;
  readonly instruction: string;
}

/**
 * The name of the check that the agent ended the task itself. It is a guard, so doing nothing but to finish makes no
 * progress. `finished` of an evaluation says the same.
 */
export const FINISH_CHECK = "the agent finished";

/**
 * The result of a check of the final state. If nothing is done but to finish, a `progress` check fails and a `guard`
 * check passes.
 */
export interface CheckResult {
  readonly name: string;
  readonly label: "progress" | "guard";
  readonly passed: boolean;
  /** What was expected and what was found, for a person. A check that passed has one only if there is a remark. */
  readonly detail?: string;
}

/** The evaluation of the final state. `passed` is true if every check passed. */
export interface Evaluation {
  readonly passed: boolean;
  /** True if the agent itself ended the episode. An unfinished episode fails (LOOP paper, section 5.2). */
  readonly finished: boolean;
  readonly checks: readonly CheckResult[];
  /** A reward in [0, 1] that the agent's owner gave. If present, it replaces the reward that the checks give. */
  readonly reward?: number | undefined;
  /** Further numbers that the agent's owner measured, by name. Reports show their means over rollouts. */
  readonly metrics?: Readonly<Record<string, number>> | undefined;
}

/** One interaction with a task. Calls must not overlap. After `close`, every call except `close` rejects. */
export interface Episode {
  readonly task: TaskInfo;
  /**
   * Runs one cell. Resolves even if the code fails or reaches a limit. When `signal` is aborted, the call stops
   * waiting, but the cell continues.
   */
  step(code: string, signal?: AbortSignal): Promise<StepResult>;
  /** Checks the current state. It may be called at any time and changes nothing. */
  evaluate(): Promise<Evaluation>;
  /**
   * Opens a second episode in the same state (data, variables, finished flag). From then on, both behave identically.
   */
  fork(): Promise<Episode>;
  close(): Promise<void>;
}

/**
 * The style of a solution: `careful` reads what it needs and all pages; `hasty` has the habits that LOOP must unlearn.
 */
export type DemonstrationStyle = "careful" | "hasty";

/** A task's solution and its results, executed turn by turn in a new episode. */
export interface Demonstration {
  readonly task: TaskInfo;
  readonly style: DemonstrationStyle;
  readonly turns: readonly { readonly code: string; readonly result: StepResult }[];
  readonly evaluation: Evaluation;
}

/** A world: apps over one generated population, and tasks. It is open until `close` is called. */
export interface World {
  readonly name: string;
  /** The version of the world's tasks and APIs; absent when the world gives none. */
  readonly version?: string;
  readonly seed: number;
  readonly dials: Dials;
  /**
   * Returns the tasks of the first `scenarios` scenarios of a split, three for each, or of all scenarios that the world
   * lists. A longer list of the same split begins with the same tasks. Throws a `config` error for an invalid split or
   * number.
   */
  tasks(split: Split, scenarios?: number): readonly TaskInfo[];
  open(taskId: string): Promise<Episode>;
  /** True if the tasks have solutions, so that a policy can be warm-started by imitation. */
  readonly hasSolutions: boolean;
  /**
   * Runs the task's own solution. The same task, style and seed give the same turns. Rejects if the task has no
   * solution.
   */
  demonstrate(taskId: string, style: DemonstrationStyle, seed: number): Promise<Demonstration>;
  close(): Promise<void>;
}
