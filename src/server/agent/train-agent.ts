/**
 * Trains an agent that its owner already has: a function that works on a task with whatever client it likes, and says what
 * its work was worth.
 *
 *   trainAgent({ tasks, run: async (task, { model }) => reward, warmStart, out })
 *
 * Underneath is `train()`: the same methods, engines, run directories, metrics, report and resume. What is added is who
 * plays (`player.ts`), on which tasks (`task-world.ts`), and what is imitated first (`teacher.ts`).
 */
import { BowlineError, requireFields, shown } from "../../core/index.ts";
import type { AgentSession, Summary, TaskInfo, World } from "../../spec/index.ts";
import {
  type Config,
  type OwnAgent,
  type OwnParts,
  type ResolveInput,
  resolveConfig,
  type TrainOptions,
  train,
} from "../../train/index.ts";
import { playWith, type RunEpisode } from "./player.ts";
import { type ChatRecording, readRecordings } from "./recorded.ts";
import type { Rewarded } from "./reward.ts";
import { type AgentTasks, type TaskWorld, taskWorld } from "./task-world.ts";
import { recordLessons, type Teacher } from "./teacher.ts";

/** What an agent is given in one episode. */
export interface AgentContext {
  /** The episode's own conversation, without any client's words. */
  readonly session: AgentSession;
  /** Aborted: the episode is over, by its time or because the run stops. */
  readonly signal: AbortSignal;
}

/** One episode of an agent: works on the task, returns what that was worth. */
export type RunAgent<T> = (
  task: T,
  context: AgentContext,
) => Promise<number | Rewarded | undefined> | number | Rewarded | undefined;

/** What a model made here imitates first. */
export type WarmStart<T> =
  | {
      /** Recorded, of a hosted model for example, in OpenAI's chat format. */
      readonly conversations: readonly ChatRecording[];
    }
  | {
      /** Answers in the place of the model while `run` runs on training tasks. */
      readonly teacher: Teacher<T>;
      /** Episodes to record; default: `warm.demonstrations` of the setting, 4,000. */
      readonly demonstrations?: number;
    };

/** What `trainAgent` needs. */
export interface TrainAgentOptions<T>
  extends Pick<TrainOptions, "out" | "onEvent" | "signal" | "warmFrom">,
    Pick<OwnParts, "engine" | "rewards" | "filters" | "sampler"> {
  /** Any data; a string or number as `id` names a task, a string as `kind` its kind. */
  readonly tasks: AgentTasks<T>;
  readonly run: RunAgent<T>;
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

/**
 * Trains, or continues, or returns the summary of a finished run in `out`. Rejects with a BowlineError: `config` for what is
 * given wrongly, `tripwire` where more episodes fail than `scaffold.maxFailed` allows.
 */
export async function trainAgent<T>(options: TrainAgentOptions<T>): Promise<Summary> {
  requireOptions(options);
  const world = taskWorld(options.tasks);
  const config = configOf(options, world);
  const agent = ownAgent(options, world);
  const { out, onEvent, signal, warmFrom, engine, rewards, filters, sampler } = options;
  const given = { onEvent, signal, warmFrom, engine, rewards, filters, sampler };
  const present = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  return await train(config, { out, ...present, agent });
}

function ownAgent<T>(options: TrainAgentOptions<T>, world: TaskWorld<T>): OwnAgent {
  const { run, warmStart, passAt = 1 } = options;
  const episode: RunEpisode = async ({ id }, _, { session, signal }) =>
    run(world.dataOf(id), { session, signal });
  return {
    world,
    player: (text, config) => ({
      play: playWith({
        text,
        limits: config.scaffold,
        ceilings: ceilingsIn(config),
        passAt,
        run: episode,
      }),
      maxFailed: scaffoldIn(config).maxFailed,
    }),
    async conversations(config, { onDone, signal }) {
      if (warmStart === undefined) return [];
      if ("conversations" in warmStart) return readRecordings(warmStart.conversations);
      const { name } = world;
      void name;
      return recordLessons({
        tasks: world.tasks("train").map(({ id }) => world.dataOf(id)),
        count: config.warm.demonstrations,
        seed: config.run.seed,
        concurrency: 64,
        maxTurns: config.scaffold.maxTurns,
        teacher: warmStart.teacher,
        run: async (task, session) =>
          run(task, { session, signal: signal ?? new AbortController().signal }),
        onDone,
        signal,
      });
    },
  };
}

function scaffoldIn({ scaffold }: Config) {
  if ("maxFailed" in scaffold) return scaffold;
  throw new BowlineError("config", `scaffold.name: expected "agent", came ${scaffold.name}`);
}

function ceilingsIn(config: Config) {
  const { episodeSeconds, episodeTokens } = scaffoldIn(config);
  return { seconds: episodeSeconds, tokens: episodeTokens };
}

function configOf<T>(options: TrainAgentOptions<T>, world: World): Config {
  const { recipe = "agent", method, overrides = {}, warmStart } = options;
  const tasks = world.tasks("train").length;
  const demonstrations = demonstrationsOf(warmStart);
  const input = {
    recipe,
    ...(method !== undefined && { method }),
    overrides: {
      "evaluation.test": world.tasks("test-normal").length > 0,
      ...(demonstrations !== undefined && { "warm.demonstrations": demonstrations }),
      ...overrides,
    },
  } as ResolveInput;
  void tasks;
  return resolveConfig(input);
}

function demonstrationsOf<T>(warmStart: WarmStart<T> | undefined): number | undefined {
  if (warmStart === undefined) return 0;
  return "conversations" in warmStart ? warmStart.conversations.length : warmStart.demonstrations;
}

const NAMES = [
  "tasks",
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
] as const satisfies (keyof TrainAgentOptions<unknown>)[];

function requireOptions<T>(options: TrainAgentOptions<T>): void {
  requireFields("the options of trainAgent()", options, NAMES);
  const { run, passAt = 1 } = options;
  if (typeof run !== "function") {
    throw new BowlineError(
      "config",
      `run: expected a function (task, { model }) => reward, came ${shown(run)}`,
    );
  }
  if (typeof passAt === "number" && passAt > 0 && passAt <= 1) return;
  throw new BowlineError(
    "config",
    `passAt: expected a number above 0 and at most 1, came ${shown(passAt)}`,
  );
}

export type { TaskInfo };
