/** The options of `trainAgent`, and the context that an agent gets in an episode. */
import type { LanguageModelV3 } from "../../agent/index.ts";
import { BowlineError, formatValue, requireKnownFields } from "../../core/index.ts";
import type { AgentSession, Episode, TaskInfo, World } from "../../spec/index.ts";
import type { OwnParts, ResolveInput, TrainOptions } from "../../train/index.ts";
import type { ChatRecording } from "./chat-recordings.ts";
import type { RewardWithMetrics } from "./reward.ts";
import type { AgentTasks } from "./task-world.ts";
import type { Teacher } from "./teacher.ts";

/** The context of one episode: three ways to reach the same model, and a signal to stop. */
export interface AgentContext {
  /** A language model object of the AI SDK, which runs in this process. */
  readonly model: LanguageModelV3;
  /** This episode's base URL for OpenAI's clients: `http://127.0.0.1:PORT/e/EPISODE/openai/v1`. */
  readonly baseURL: string;
  /** This episode's base URL for Anthropic's clients, which add `/v1`. */
  readonly anthropicBaseURL: string;
  /** This episode's base URL for Google's clients, which add `/v1beta`. */
  readonly googleBaseURL: string;
  /** This episode's key. It also allows to post the reward: `POST /e/EPISODE/reward { value, metrics? }`. */
  readonly apiKey: string;
  /** The session itself, for agents that use no client. */
  readonly session: AgentSession;
  /** Aborts when the episode has taken too long or the run stops. */
  readonly signal: AbortSignal;
}

/** The context of an episode in a Bowline world. */
export interface WorldContext extends AgentContext {
  /** The task's episode, newly opened. It is closed when the agent returns. */
  readonly episode: Episode;
}

/** A reward in [0, 1], with or without metrics. Undefined when it was posted, or when the world's checks decide. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that posts its reward returns nothing.
export type AgentReward = number | RewardWithMetrics | undefined | void;

/**
 * Runs one episode: works on the task and returns the reward. If it throws, the rollout counts as failed and is not
 * trained on, so return 0 when the model is to blame. Several episodes run at the same time.
 */
export interface RunAgent<T, C extends AgentContext = AgentContext> {
  (task: T, context: C): AgentReward | Promise<AgentReward>;
  /**
   * Resolves when nothing that earlier calls started still runs. `trainAgent` waits for it before it returns, because an
   * episode that took too long is over before its processes have ended.
   */
  readonly settled?: () => Promise<void>;
}

/** The conversations that a new model imitates before reinforcement learning. */
export type WarmStart<T> =
  | {
      /** Recorded conversations, for example of a hosted model, in OpenAI's chat format. */
      readonly conversations: readonly ChatRecording[];
    }
  | {
      /** Answers instead of the model while `run` works on training tasks. Its answers are recorded. */
      readonly teacher: Teacher<T>;
      /** How many episodes to record; by default the setting's `warm.demonstrations`. */
      readonly demonstrations?: number;
    };

interface AgentOptions<T, C extends AgentContext>
  extends Pick<TrainOptions, "out" | "onEvent" | "signal" | "warmFrom">,
    Pick<OwnParts, "engine" | "rewards" | "filters" | "sampler"> {
  readonly run: RunAgent<T, C>;
  /** The method, by name or as a value; default LOOP. */
  readonly method?: ResolveInput["method"];
  /**
   * Recorded conversations with outcomes (`reward`, `thumb` or `edit`), from which the method learns instead of from
   * rollouts of the policy. Methods are `dmpo`, `rft` and `ei`. A new model imitates the good ones first, unless there
   * is a `warmStart`.
   */
  readonly recordings?: readonly ChatRecording[];
  /** The warm start. Without it the model must be a trained one (`engine.model`, or your own engine). */
  readonly warmStart?: WarmStart<T>;
  /** The least reward that counts as solved; default 1. */
  readonly passAt?: number;
  /** The setting to start from; default `agent`. */
  readonly recipe?: string;
  /** Fields of the configuration, such as `{ "algo.iterations": 20 }`. */
  readonly overrides?: ResolveInput["overrides"];
}

/** The options of an agent whose tasks are the user's own data. */
export interface TaskAgentOptions<T> extends AgentOptions<T, AgentContext> {
  /** Tasks of any type. A string or number in the field `id` names a task, and a string in `kind` names its kind. */
  readonly tasks: AgentTasks<T>;
}

/** The options of an agent in a Bowline world. */
export interface WorldAgentOptions extends AgentOptions<TaskInfo, WorldContext> {
  /** The name of a built-in world, the path of a world module, or an opened world, which is closed after the run. */
  readonly world: string | World;
}

/** The options for recordings alone: no episode is played, and nothing is evaluated. */
export interface RecordingsOptions
  extends Omit<AgentOptions<never, AgentContext>, "run" | "warmStart"> {
  readonly recordings: readonly ChatRecording[];
  /** Other conversations to imitate first. */
  readonly warmStart?: { readonly conversations: readonly ChatRecording[] };
}

const OPTION_NAMES = [
  "recordings",
  "tasks",
  "world",
  "run",
  "method",
  "warmStart",
  "out",
  "passAt",
  "recipe",
  "overrides",
  "onEvent",
  "signal",
  "warmFrom",
  "engine",
  "rewards",
  "filters",
  "sampler",
] as const;

/** Throws a `config` error that names the option. */
export function requireOptions<T>(
  options: TaskAgentOptions<T> | WorldAgentOptions | RecordingsOptions,
): void {
  requireKnownFields("the options of trainAgent()", options, OPTION_NAMES);
  const { passAt = 1, warmStart, recordings } = options;
  if (recordings !== undefined && !Array.isArray(recordings)) {
    throw configError(
      `recordings: expected a list of conversations, such as readRecordingFile(path) returns, got ${formatValue(recordings)}`,
    );
  }
  const isPlayed = "tasks" in options || "world" in options || "run" in options;
  if (isPlayed || recordings === undefined) requirePlayedOptions(options);
  if (!(typeof passAt === "number" && passAt > 0 && passAt <= 1)) {
    throw configError(
      `passAt: expected a number above 0 and at most 1, got ${formatValue(passAt)}`,
    );
  }
  if (warmStart === undefined) return;
  const { conversations, teacher } = warmStart as { conversations?: unknown; teacher?: unknown };
  if (Array.isArray(conversations) !== (typeof teacher === "function")) return;
  throw configError(
    `warmStart: expected { conversations: [...] } or { teacher: (request, { task }) => answer }, got ${formatValue(warmStart)}`,
  );
}

/** Throws a `config` error unless there are tasks or a world, and a function that works on them. */
function requirePlayedOptions(options: object): void {
  if ("tasks" in options === "world" in options) {
    throw configError("tasks: expected either your own tasks or a `world`, exactly one of the two");
  }
  const { run } = options as { readonly run?: unknown };
  if (typeof run !== "function") {
    throw configError(
      `run: expected a function (task, { model }) => reward, got ${formatValue(run)}`,
    );
  }
}

const configError = (message: string) => new BowlineError("config", message);
