/** What `trainAgent` is told, and what an agent is given in an episode. */
import type { LanguageModelV3 } from "../../agent/index.ts";
import { BowlineError, formatValue, requireKnownFields } from "../../core/index.ts";
import type { AgentSession, Episode, TaskInfo, World } from "../../spec/index.ts";
import type { OwnParts, ResolveInput, TrainOptions } from "../../train/index.ts";
import type { ChatRecording } from "./chat-recordings.ts";
import type { RewardWithMetrics } from "./reward.ts";
import type { AgentTasks } from "./task-world.ts";
import type { Teacher } from "./teacher.ts";

/** What an agent is given in one episode: three ways to the same model, and when to stop. */
export interface AgentContext {
  /** A language model of the AI SDK, in this process. */
  readonly model: LanguageModelV3;
  /** For clients of OpenAI's protocols: `http://127.0.0.1:PORT/e/EPISODE/openai/v1`, this episode's own. */
  readonly baseURL: string;
  /** For clients of Anthropic's protocol, which add `/v1`. */
  readonly anthropicBaseURL: string;
  /** This episode's key. Whoever has it may also post the reward: `POST /e/EPISODE/reward { value, metrics? }`. */
  readonly apiKey: string;
  /** The conversation itself, without a client's words. */
  readonly session: AgentSession;
  /** Aborted: the episode is over, by its time or because the run stops. */
  readonly signal: AbortSignal;
}

/** In a world of Bowline's kind. */
export interface WorldContext extends AgentContext {
  /** Freshly opened for this task; closed behind the agent. */
  readonly episode: Episode;
}

/** A number in [0, 1], or one with others beside it; undefined: it was posted, or a world's checks decide. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that posts its reward returns nothing.
export type AgentReward = number | RewardWithMetrics | undefined | void;

/**
 * One episode: works on the task, returns what that was worth. What it throws is a failed rollout, which teaches nothing;
 * where the model is to blame, return 0 instead. Episodes run at the same time.
 */
export type RunAgent<T, C extends AgentContext = AgentContext> = (
  task: T,
  context: C,
) => AgentReward | Promise<AgentReward>;

/** What a model made here imitates first. */
export type WarmStart<T> =
  | {
      /** Recorded, of a hosted model for example, in OpenAI's chat format. */
      readonly conversations: readonly ChatRecording[];
    }
  | {
      /** Answers in the place of the model while `run` runs on training tasks; what it says is recorded. */
      readonly teacher: Teacher<T>;
      /** Episodes to record; default: `warm.demonstrations` of the setting. */
      readonly demonstrations?: number;
    };

interface AgentOptions<T, C extends AgentContext>
  extends Pick<TrainOptions, "out" | "onEvent" | "signal" | "warmFrom">,
    Pick<OwnParts, "engine" | "rewards" | "filters" | "sampler"> {
  readonly run: RunAgent<T, C>;
  /** A method's name or value; default LOOP. */
  readonly method?: ResolveInput["method"];
  /** Without it the model has to be a trained one (`engine.model`, or an engine of one's own). */
  readonly warmStart?: WarmStart<T>;
  /** The least reward that counts as solved; default 1. */
  readonly passAt?: number;
  /** A setting to start from; default `agent`. */
  readonly recipe?: string;
  /** Fields of the configuration, such as `{ "algo.iterations": 20 }`. */
  readonly overrides?: ResolveInput["overrides"];
}

/** An agent whose tasks are data of its owner's. */
export interface TaskAgentOptions<T> extends AgentOptions<T, AgentContext> {
  /** Any data; a string or number as `id` names a task, a string as `kind` its kind. */
  readonly tasks: AgentTasks<T>;
}

/** An agent in a world of Bowline's kind. */
export interface WorldAgentOptions extends AgentOptions<TaskInfo, WorldContext> {
  /** A built-in world, the path of a world module, or an opened world, which is closed with the run. */
  readonly world: string | World;
}

const OPTION_NAMES = [
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
export function requireOptions<T>(options: TaskAgentOptions<T> | WorldAgentOptions): void {
  requireKnownFields("the options of trainAgent()", options, OPTION_NAMES);
  const { run, passAt = 1, warmStart } = options;
  if ("tasks" in options === "world" in options) {
    throw configError("tasks: expected either tasks of your own or a `world`, one of the two");
  }
  if (typeof run !== "function") {
    throw configError(
      `run: expected a function (task, { model }) => reward, came ${formatValue(run)}`,
    );
  }
  if (!(typeof passAt === "number" && passAt > 0 && passAt <= 1)) {
    throw configError(
      `passAt: expected a number above 0 and at most 1, came ${formatValue(passAt)}`,
    );
  }
  if (warmStart === undefined) return;
  const { conversations, teacher } = warmStart as { conversations?: unknown; teacher?: unknown };
  if (Array.isArray(conversations) !== (typeof teacher === "function")) return;
  throw configError(
    `warmStart: expected { conversations: [...] } or { teacher: (request, { task }) => answer }, came ${formatValue(warmStart)}`,
  );
}

const configError = (message: string) => new BowlineError("config", message);
