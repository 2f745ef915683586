/**
 * How a world is written whose apps are not ours: servers of tools, HTTP APIs, environments of other packages.
 *
 * An adapter such as `mcpApps` describes apps and opens connections to them; this file has its interface. The tasks come
 * from the world's author. Handlers are asynchronous: a cell that makes a call without a known answer is undone, the call
 * is awaited, and the cell runs again with the answers so far. Every answer is kept with the episode, so replaying needs
 * no server.
 */
import type { Rng } from "../../core/index.ts";
import type { CheckResult, Difficulty, Split, TaskInfo } from "../../spec/index.ts";
import type { JsonSchema } from "../api/index.ts";
import type { Answer, Finish, Profile, Solution } from "../define.ts";
import type { HostReply } from "../sandbox/index.ts";

/** The answer of an app: a value that JSON has, or an error with an HTTP-like status that the agent's code may catch. */
export type ForeignReply = HostReply;

/** A call of an app. `args` has the names and values that the agent wrote. */
export interface ForeignCall {
  readonly app: string;
  readonly api: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call with its answer, as the episode keeps it. */
export interface AnsweredForeignCall extends ForeignCall {
  readonly reply: ForeignReply;
}

/** One operation of a foreign app, as the documentation shows it. */
export interface ForeignApi {
  /** One line that says what the API does. */
  readonly summary: string;
  /** The JSON Schema of the arguments, an object. Arguments are checked by the app itself, except for their names. */
  readonly params: JsonSchema;
  /** The JSON Schema of the value; absent when it is not known. */
  readonly returns?: JsonSchema | undefined;
  /** True if a call changes nothing. */
  readonly readOnly?: boolean | undefined;
}

/** A foreign app. Names of apps and APIs consist of letters and digits and begin with a lower-case letter. */
export interface ForeignApp {
  readonly name: string;
  readonly summary: string;
  readonly apis: Readonly<Record<string, ForeignApi>>;
}

/** The start of an episode, for an adapter. */
export interface ForeignStart {
  /** The task; undefined for the empty state with which a reset is verified. */
  readonly task: TaskInfo | undefined;
  /** A seed that is the same for every episode of the task. */
  readonly seed: number;
  /** The contents of files by their path in the connection's folder. The folder holds nothing else. */
  readonly files: Readonly<Record<string, string>>;
  /** What the task's author gave to the adapter, such as the row of a data set. */
  readonly data: unknown;
}

/** The end of an episode, for checks. */
export interface ForeignEnd {
  readonly task: TaskInfo;
  /** How the agent ended the task; undefined when it did not. */
  readonly finish: Finish | undefined;
  /** All calls of foreign apps in the order in which they were made, those of the agent's undone cells included. */
  readonly calls: readonly AnsweredForeignCall[];
  /** The folder of the connection. */
  readonly directory: string;
  /** What the connection's own `evaluate` returned; undefined when it has none. */
  readonly verdict: ForeignVerdict | undefined;
  /**
   * Calls an API that changes nothing, and returns its value. The call is not part of the episode. Rejects when the
   * answer is an error.
   */
  read(app: string, api: string, args?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** A judgement of an episode. Without `reward`, the reward comes from the checks. */
export interface ForeignVerdict {
  readonly checks: readonly CheckResult[];
  /** The reward in [0, 1] that the environment gave itself. */
  readonly reward?: number | undefined;
  readonly metrics?: Readonly<Record<string, number>> | undefined;
}

/** What a connection is opened with. */
export interface ForeignPlace {
  /** A folder of the connection's own, which exists and is removed after the connection was closed. */
  readonly directory: string;
  /** Aborted when the connection must end; what the adapter started must then end too. */
  readonly signal: AbortSignal;
}

/**
 * A connection to apps, which serves one episode at a time. Whatever rejects ends the connection: its episode fails as a
 * failure of the world and never gets a reward. An answer that the agent may see is a value of `call`.
 */
export interface ForeignConnection {
  /** Puts the apps into the start state. It is called once for each episode, and the connection's files are written. */
  begin(start: ForeignStart): Promise<void>;
  call(call: ForeignCall): Promise<ForeignReply>;
  /** Judges the episode in its present state, for apps that judge themselves. It must not change the state. */
  evaluate?(end: Omit<ForeignEnd, "verdict">): Promise<ForeignVerdict | undefined>;
  /** Ends everything that the connection started. It must not reject. */
  close(): Promise<void>;
}

/** Apps outside of this package: what an adapter returns, and what `defineForeignWorld` takes. */
export interface ForeignApps {
  /** Describes the apps. It is called once when the world is opened. */
  describe(place: ForeignPlace): Promise<readonly ForeignApp[]>;
  connect(place: ForeignPlace): Promise<ForeignConnection>;
}

/** One variant of a scenario of a foreign world. */
export interface ForeignTask {
  readonly signature: string;
  readonly difficulty: Difficulty;
  readonly instruction: string;
  /** The contents of files by their path in the connection's folder, which are written before the episode starts. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the adapter needs to know about the task, such as the row of a data set. */
  readonly data?: unknown;
  /** Prepares the start state by calls that are not part of the episode. It must make the same calls every time. */
  readonly setup?: (
    call: (app: string, api: string, args?: Readonly<Record<string, unknown>>) => Promise<unknown>,
  ) => Promise<void>;
  /** The answer expected from `finishTask({ answer })`; absent when no answer is wanted. */
  readonly answer?: Answer;
  /** Judges the end state. It may read and must not write. Absent when the apps judge themselves or the answer decides. */
  readonly check?: (
    end: ForeignEnd,
  ) => Promise<readonly CheckResult[] | ForeignVerdict> | readonly CheckResult[] | ForeignVerdict;
  /** Yields cells of code; each `yield` returns what the cell did. All tasks of a world have one, or none. */
  readonly solution?: Solution;
}

/** The input of `tasks`. The same request must give the same three tasks. */
export interface ForeignScenarioRequest {
  readonly split: Split;
  /** The number of the scenario, counted from 0. */
  readonly index: number;
  /** A random stream derived from the world's seed, the split and the index. */
  readonly rng: Rng;
}

/** Everything that makes a foreign world. */
export interface ForeignWorldDefinition {
  readonly name: string;
  /** The version of its tasks. */
  readonly version?: string;
  readonly apps: ForeignApps | readonly ForeignApps[];
  /** The number of scenarios that `tasks(split)` lists by default. */
  readonly scenarios: { readonly [S in Split]?: number };
  readonly tasks: (
    request: ForeignScenarioRequest,
  ) => readonly [ForeignTask, ForeignTask, ForeignTask];
  /**
   * `process`: every episode has a connection of its own. `reset`: a connection serves one episode after the other, and
   * `begin` resets it; `probe` verifies that. Default: `process`.
   */
  readonly isolation?: "process" | "reset";
  /** A call that changes nothing and shows the state. With `reset`, its answer in the empty state must always be equal. */
  readonly probe?: ForeignCall;
  /**
   * `directory`: the whole state is in the connection's folder, so that a fork copies the folder. `replay`: a fork makes
   * the episode's calls again on another connection, and compares the answers. Default: `replay`.
   */
  readonly snapshot?: "directory" | "replay";
  /** False if equal calls from the start may get other answers. Then a call is never made a second time. Default: true. */
  readonly deterministic?: boolean;
  /** The largest number of connections that are open at the same time. Default: 16. */
  readonly connections?: number;
  /** The largest number of milliseconds for opening or resetting a connection. Default: 60,000. */
  readonly startTimeoutMs?: number;
  /** The largest number of milliseconds for one call. Default: 30,000. */
  readonly callTimeoutMs?: number;
  /** The instant at which every episode's clock starts, ISO in UTC. Default: 2026-01-05T09:00:00Z. */
  readonly now?: string;
  /** The person whom the agent works for, as `me.profile` shows this person. */
  readonly owner?: Profile;
}
