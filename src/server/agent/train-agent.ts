/**
 * Trains a user's own agent: a function that works on a task with any client and returns a reward.
 *
 *   trainAgent({ tasks, run: async (task, { model }) => reward, warmStart, out })
 *
 * It calls `train()`, so methods, engines, run directories, metrics, report and resume are the same. It adds how an
 * episode is played (`player.ts`), how the agent reaches its session (`agent-connections.ts`), the tasks
 * (`task-world.ts`), and the warm start (`teacher.ts`).
 */
import { callAcrossBoundary, evaluateEpisode } from "../../agent/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { Method } from "../../methods/index.ts";
import type {
  AgentSession,
  Episode,
  Evaluation,
  Summary,
  TaskInfo,
  World,
} from "../../spec/index.ts";
import {
  type Config,
  DEFAULT_SCORES,
  type NamedMethod,
  type OwnAgent,
  type ResolveInput,
  resolveConfigForModel,
  train,
} from "../../train/index.ts";
import { type AgentConnections, createContext, openAgentConnections } from "./agent-connections.ts";
import { readRecordings } from "./chat-recordings.ts";
import {
  type AgentContext,
  type RecordingsOptions,
  requireOptions,
  type TaskAgentOptions,
  type WarmStart,
  type WorldAgentOptions,
  type WorldContext,
} from "./options.ts";
import { createEpisodePlayer } from "./player.ts";
import { type PreparedRecordings, prepareRecordings } from "./prepare-recordings.ts";
import { toEvaluation } from "./reward.ts";
import { createTaskWorld } from "./task-world.ts";
import { recordLessons, type Teacher } from "./teacher.ts";
import type { EpisodeCeilings } from "./watch-episode.ts";

/**
 * Trains, or resumes the run in `out`, or returns its summary when it is finished. Rejects with a BowlineError:
 * `config` for wrong options, `tripwire` when a larger share of episodes fails than `scaffold.maxFailed` allows.
 */
export function trainAgent<T>(options: TaskAgentOptions<T>): Promise<Summary>;
/** Trains an agent in a Bowline world, whose checks decide when `run` returns no reward. */
export function trainAgent(options: WorldAgentOptions): Promise<Summary>;
/** Trains a model on recorded conversations alone. */
export function trainAgent(options: RecordingsOptions): Promise<Summary>;
export async function trainAgent<T>(options: AnyOptions<T>): Promise<Summary> {
  requireOptions(options);
  const { out, onEvent, signal, warmFrom, engine, rewards, filters, sampler } = options;
  const passedOptions = { onEvent, signal, warmFrom, engine, rewards, filters, sampler };
  const definedOptions = Object.entries(passedOptions).filter(([, value]) => value !== undefined);
  const connections = await openAgentConnections();
  try {
    const recorded = prepareRecordings(options);
    const { agent, world } = createAgent(options, connections, recorded);
    const { config, method } = await resolveConfigOf(options, recorded, world);
    return await train(config, {
      ...{ out, agent, ...(method && { method }) },
      ...Object.fromEntries(definedOptions),
    });
  } finally {
    if ("run" in options) await options.run.settled?.();
    await connections.close();
  }
}

/**
 * Resolves the configuration with which `trainAgent` would train on own tasks, without starting the run. Throws a
 * `config` error for wrong tasks, fields and methods.
 */
export async function resolveAgentConfig<T>(options: TaskAgentOptions<T>): Promise<Config> {
  requireOptions(options);
  return (await resolveConfigOf(options, undefined, createTaskWorld(options.tasks))).config;
}

/**
 * Resolves the configuration with which `trainAgent` would train on recordings alone, without starting the run. Throws
 * a `config` error for wrong recordings, fields and methods.
 */
export async function resolveRecordingsConfig(options: RecordingsOptions): Promise<Config> {
  requireOptions(options);
  const recorded = prepareRecordings({ ...options, onEvent: () => {} });
  const world = createTaskWorld(recorded?.instructions ?? []);
  return (await resolveConfigOf(options, recorded, world)).config;
}

/** Resolves the configuration, and returns the method if it is not one of the package. */
async function resolveConfigOf<T>(
  options: AnyOptions<T>,
  recorded: PreparedRecordings | undefined,
  world: World | undefined,
): Promise<{ readonly config: Config; readonly method: Method | undefined }> {
  const method = recorded?.method ?? options.method;
  const warmStart = options.warmStart ?? recorded?.warmStart;
  const config = await createConfig({ ...options, method } as AnyOptions<T>, world, warmStart);
  recorded?.recordings.requireLesson(config);
  return { config, method: typeof method === "object" ? toMethod(method) : undefined };
}

type AnyOptions<T> = TaskAgentOptions<T> | WorldAgentOptions | RecordingsOptions;

/** Returns a user's own method, which `loadMethod` pairs with its name. */
const toMethod = (method: Method | NamedMethod): Method =>
  "method" in method ? method.method : method;

function createAgent<T>(
  options: AnyOptions<T>,
  connections: AgentConnections,
  recorded: PreparedRecordings | undefined,
): CreatedAgent {
  if ("world" in options) return createWorldAgent(options, connections, recorded);
  if ("tasks" in options) return createTaskAgent(options, connections, recorded);
  const tasks = recorded?.instructions ?? [];
  const created = createTaskAgent({ ...options, tasks, run: refuseToPlay }, connections, recorded);
  return { ...created, agent: { ...created.agent, neverPlays: true } };
}

const refuseToPlay = () => {
  throw new BowlineError("config", "run: recordings alone are not played");
};

/** Runs the agent on one task in one session. */
type RunTask<T> = (
  task: T,
  world: Pick<World, "open">,
  session: AgentSession,
  signal: AbortSignal,
) => Promise<Evaluation>;

export interface CreatedAgent {
  readonly agent: OwnAgent;
  /** The world of the user's own tasks, or undefined for a Bowline world. */
  readonly world: World | undefined;
}

/** Creates the agent of a user's own tasks. */
export function createTaskAgent<T>(
  { tasks, run, warmStart, passAt }: TaskAgentOptions<T>,
  connections: AgentConnections,
  recorded: PreparedRecordings | undefined,
): CreatedAgent {
  const world = createTaskWorld(tasks);
  const work: RunTask<T> = async (task, _, session, signal) => {
    const connection = connections.open(session);
    try {
      const result = await run(task, createContext(connection, session, signal));
      return toEvaluation(result ?? connection.postedReward(), passAt);
    } finally {
      connection.close();
    }
  };
  return {
    agent: createOwnAgent(work, ({ id }) => world.getTaskData(id), { warmStart, world, recorded }),
    world,
  };
}

function createWorldAgent(
  { world, run, warmStart, passAt }: WorldAgentOptions,
  connections: AgentConnections,
  recorded: PreparedRecordings | undefined,
): CreatedAgent {
  const work: RunTask<TaskInfo> = async (task, from, session, signal) => {
    const episode = await callAcrossBoundary("world", () => from.open(task.id));
    const connection = connections.open(session);
    try {
      const context: WorldContext = addEpisode(createContext(connection, session, signal), episode);
      const result = (await run(task, context)) ?? connection.postedReward();
      if (result !== undefined) return toEvaluation(result, passAt);
      // The agent has returned, so the episode has ended.
      return {
        ...(await callAcrossBoundary("world", () => evaluateEpisode(episode))),
        finished: true,
      };
    } finally {
      connection.close();
      await episode.close().catch(() => {});
    }
  };
  const own = typeof world === "string" ? {} : { world };
  return {
    agent: createOwnAgent(work, (task) => task, { warmStart, recorded, ...own }),
    world: undefined,
  };
}

/** Adds the episode to a context. It copies property descriptors, because a spread would read and so open the URLs. */
function addEpisode(context: AgentContext, episode: Episode): WorldContext {
  return Object.defineProperties(
    { episode },
    Object.getOwnPropertyDescriptors(context),
  ) as WorldContext;
}

function createOwnAgent<T>(
  work: RunTask<T>,
  dataOf: (task: TaskInfo) => T,
  {
    recorded,
    warmStart = recorded?.warmStart,
    world,
  }: {
    readonly warmStart?: WarmStart<T> | undefined;
    readonly recorded?: PreparedRecordings | undefined;
    readonly world?: World;
  },
): OwnAgent {
  return {
    ...(world && { world }),
    player(renderer, config) {
      recorded?.recordings.setModel(renderer, config.scaffold);
      return {
        play: createEpisodePlayer({
          renderer,
          limits: config.scaffold,
          ceilings: readCeilings(config),
          run: (task, from, session, signal) => work(dataOf(task), from, session, signal),
        }),
        maxFailed: requireAgentScaffold(config).maxFailed,
      };
    },
    async conversations(config, { world: from, tasks, onDone, onNote, signal }) {
      if (warmStart === undefined) return [];
      if ("conversations" in warmStart) return readRecordings(warmStart.conversations, onNote);
      return recordLessons({
        tasks: tasks.map(dataOf),
        count: config.warm.demonstrations,
        seed: config.run.seed,
        concurrency: config.world.episodes,
        maxTurns: config.scaffold.maxTurns,
        seconds: requireAgentScaffold(config).episodeSeconds,
        teacher: warmStart.teacher as Teacher<T>,
        run: (task, session, ends) => work(task, from, session, ends),
        onDone,
        signal,
      });
    },
  };
}

function requireAgentScaffold({ scaffold }: Config) {
  if ("maxFailed" in scaffold) return scaffold;
  throw new BowlineError("config", `scaffold.name: expected "agent", got ${scaffold.name}`);
}

function readCeilings(config: Config): EpisodeCeilings {
  const { episodeSeconds, episodeTokens, episodeCost } = requireAgentScaffold(config);
  const { budget } = config;
  const isPriced = episodeCost !== null && budget !== null;
  return {
    seconds: episodeSeconds,
    tokens: episodeTokens,
    cost: isPriced ? { maxCost: episodeCost, prices: budget } : null,
  };
}

/** Creates the configuration. `world` is the world of the user's own tasks, all of which are trained on and scored. */
async function createConfig<T>(
  options: AnyOptions<T>,
  world: World | undefined,
  warmStart: WarmStart<never> | undefined,
): Promise<Config> {
  const { recipe = "agent", method, overrides = {} } = options;
  const demonstrations = countDemonstrations(warmStart);
  const input = {
    recipe,
    ...(method !== undefined && { method }),
    overrides: {
      ...(world
        ? { "evaluation.scores": "tasks" in options ? chooseScores(world) : [] }
        : worldOverrides((options as WorldAgentOptions).world)),
      ...(demonstrations !== undefined && { "warm.demonstrations": demonstrations }),
      ...overrides,
    },
  };
  return (await resolveConfigForModel(input as ResolveInput)).config;
}

/** Returns the names of the scores; those on the test split are left out when there are no test tasks. */
function chooseScores(world: World): readonly string[] {
  const isTested = world.tasks("test-normal").length > 0;
  return DEFAULT_SCORES.filter((key) => isTested || key.startsWith("dev"));
}

/** Returns the fields for a Bowline world, which composes as many tasks as requested. */
function worldOverrides(world: string | World) {
  return {
    "world.name": typeof world === "string" ? world : world.name,
    "world.trainScenarios": 400,
    "evaluation.scenarios": 60,
    "evaluation.everyScenarios": 20,
  };
}

function countDemonstrations(warmStart: WarmStart<never> | undefined): number | undefined {
  if (warmStart === undefined) return 0;
  return "conversations" in warmStart ? warmStart.conversations.length : warmStart.demonstrations;
}
