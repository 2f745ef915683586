/**
 * The world half of the domain: tasks, episodes and what a step returns.
 *
 * A World is a set of apps over one generated population, plus tasks. An Episode is one live interaction
 * with one task: open, step*, evaluate, close. It is single use: there is no reset, `fork()` copies instead.
 * What goes wrong inside an episode (an API error, an endless loop) is data in a StepResult; only misuse
 * by the caller (stepping a closed episode) throws.
 */
import type { Dials } from "./dials.ts";

/** Splits whose tasks are composed by a program, as many as wanted. */
export const COMPOSED_SPLITS = ["train", "dev", "test-normal", "test-challenge"] as const;
/** A split that has as many tasks as are asked for, one of `COMPOSED_SPLITS`. */
export type ComposedSplit = (typeof COMPOSED_SPLITS)[number];

/**
 * `train` and `dev` may be tuned on; the others may only be scored. `handmade` holds a few scenarios written one by one,
 * whose success is judged by a second, hand-written opinion too; few worlds have it.
 */
export const SPLITS = [...COMPOSED_SPLITS, "handmade"] as const;
/** A named part of a world's tasks, one of `SPLITS`. */
export type Split = (typeof SPLITS)[number];

/** From 1, the easiest, to 3. */
export type Difficulty = 1 | 2 | 3;

/** One concrete variant of a scenario, as anyone may see it. Checks and solutions stay inside the world. */
export interface TaskInfo {
  /** Unique in the world, and enough to open the task again: `<split>/<scenario>/<variant>`. */
  readonly id: string;
  /** The three variants of a family share this id; SGC groups by it. */
  readonly scenario: string;
  readonly split: Split;
  readonly difficulty: Difficulty;
  /** The composition of typed parts that the scenario samples, such as `people.in-group > pay.each`. */
  readonly signature: string;
  readonly instruction: string;
}

/**
 * A bug of the world that a call met, never the agent's doing: its handler threw what is no `ApiError`, gave back what it does
 * not promise, or never returned. For whoever wrote the world; the agent sees a status and a message.
 */
export interface Fault {
  /** Such as `threw TypeError: ...`. */
  readonly message: string;
  /** `file:line:column`, where a line of the world's own is known. */
  readonly at?: string | undefined;
}

/** One call that the agent's code made, in order. `status` is HTTP-like: 200 is success. */
export interface ApiCall {
  readonly app: string;
  readonly api: string;
  readonly args: unknown;
  readonly status: number;
  /** True when the call changed content (not merely tokens or read flags). */
  readonly wrote: boolean;
  /** Only where the world itself is broken. */
  readonly fault?: Fault | undefined;
}

/** The bounds of the sandbox: all deterministic but `wall-clock`, the last-resort watchdog. */
export const LIMITS = ["fuel", "calls", "jobs", "memory", "stack", "wall-clock"] as const;
/** Which bound ended a cell, one of `LIMITS`. */
export type Limit = (typeof LIMITS)[number];

/** What one cell of code did. `text` is exactly what the model sees; the rest is for machines. */
export interface StepResult {
  readonly status: "ok" | "error" | "limit";
  /** Everything printed, also what was printed before an error. Cut at the printed-length limit. */
  readonly stdout: string;
  readonly error?: { readonly name: string; readonly message: string };
  readonly limit?: Limit;
  readonly calls: readonly ApiCall[];
  /** True once the agent called `apis.me.finishTask`. Later cells are refused. */
  readonly finished: boolean;
  readonly text: string;
}

/** One property of the final state. `progress` fails when nothing is done; a `guard` passes then. */
export interface CheckResult {
  readonly name: string;
  readonly label: "progress" | "guard";
  readonly passed: boolean;
  /** For a person: what was expected and what was found. Absent when passed. */
  readonly detail?: string;
}

/** The verdict over the final state. `passed` is true when every check passed. */
export interface Evaluation {
  readonly passed: boolean;
  /** True when the agent itself ended the episode. An unfinished episode fails (LOOP paper, section 5.2). */
  readonly finished: boolean;
  readonly checks: readonly CheckResult[];
  /** In [0, 1]: what the owner of an agent paid for the episode. Where it is there, it is the reward, whatever the checks say. */
  readonly reward?: number | undefined;
  /** Numbers of the owner's own, by name; shown as means over rollouts. */
  readonly metrics?: Readonly<Record<string, number>> | undefined;
}

/** One live interaction. Calls must not overlap; after `close` every call but `close` rejects. */
export interface Episode {
  readonly task: TaskInfo;
  /** Runs one cell. Resolves also when the code fails or hits a limit; `signal` abandons the wait, not the cell. */
  step(code: string, signal?: AbortSignal): Promise<StepResult>;
  /** Checks over the present state. Pure: it may be called at any time and changes nothing. */
  evaluate(): Promise<Evaluation>;
  /** A second live episode in the same state (data, variables, finished flag), bit-equal from here on. */
  fork(): Promise<Episode>;
  close(): Promise<void>;
}

/** `careful` reads what it needs and pages to the end; `hasty` has the habits that LOOP is to unlearn. */
export type DemonstrationStyle = "careful" | "hasty";

/** One solution program, executed turn by turn in a fresh episode. */
export interface Demonstration {
  readonly task: TaskInfo;
  readonly style: DemonstrationStyle;
  readonly turns: readonly { readonly code: string; readonly result: StepResult }[];
  readonly evaluation: Evaluation;
}

/** Apps over one generated population, with tasks; open until `close`. */
export interface World {
  readonly name: string;
  readonly seed: number;
  readonly dials: Dials;
  /**
   * The first `scenarios` x 3 tasks of a split, or all that the world lists; a prefix of any longer list of the same split.
   * Throws a `config` error for a split or a number that is none.
   */
  tasks(split: Split, scenarios?: number): readonly TaskInfo[];
  open(taskId: string): Promise<Episode>;
  /** True when tasks carry solutions, so that a policy can be warm-started by imitation. */
  readonly hasSolutions: boolean;
  /** Runs the task's own solution. Same (task, style, seed): same turns. Rejects when the task has none. */
  demonstrate(taskId: string, style: DemonstrationStyle, seed: number): Promise<Demonstration>;
  close(): Promise<void>;
}
