/**
 * Trains an agent that its owner already has: a function that works on a task with whatever client it likes, and says what
 * its work was worth.
 *
 *   trainAgent({ tasks, run: async (task, { model }) => reward, warmStart, out })
 *
 * Underneath is `train()`: the same methods, engines, run directories, metrics, report and resume. What is added is who
 * plays (`player.ts`), through which door (`doors.ts`), on which tasks (`task-world.ts`), and what is imitated first
 * (`teacher.ts`).
 */
import { callAcrossBoundary } from "../../agent/index.ts";
import { BowlineError } from "../../core/index.ts";
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
  type OwnAgent,
  type ResolveInput,
  resolveConfig,
  SCORE_NAMES,
  train,
} from "../../train/index.ts";
import { type AgentConnections, openAgentConnections } from "./agent-connections.ts";
import { readRecordings } from "./chat-recordings.ts";
import {
  type AgentContext,
  requireOptions,
  type TaskAgentOptions,
  type WarmStart,
  type WorldAgentOptions,
  type WorldContext,
} from "./options.ts";
import { createPlay } from "./player.ts";
import { toEvaluation } from "./reward.ts";
import { createTaskWorld } from "./task-world.ts";
import { recordLessons, type Teacher } from "./teacher.ts";
import type { EpisodeCeilings } from "./watch-episode.ts";

/**
 * Trains, or continues, or returns the summary of a finished run in `out`. Rejects with a BowlineError: `config` for what is
 * given wrongly, `tripwire` where a larger share of episodes fails than `scaffold.maxFailed` says.
 */
export function trainAgent<T>(options: TaskAgentOptions<T>): Promise<Summary>;
/** The same in a world of Bowline's kind, whose checks decide where `run` returns no reward. */
export function trainAgent(options: WorldAgentOptions): Promise<Summary>;
export async function trainAgent<T>(
  options: TaskAgentOptions<T> | WorldAgentOptions,
): Promise<Summary> {
  requireOptions(options);
  const { out, onEvent, signal, warmFrom, engine, rewards, filters, sampler } = options;
  const passedOptions = { onEvent, signal, warmFrom, engine, rewards, filters, sampler };
  const definedOptions = Object.entries(passedOptions).filter(([, value]) => value !== undefined);
  const doors = await openAgentConnections();
  try {
    const { agent, world } =
      "tasks" in options ? createTaskAgent(options, doors) : createWorldAgent(options, doors);
    const config = createConfig(options, world);
    return await train(config, { out, ...Object.fromEntries(definedOptions), agent });
  } finally {
    await doors.close();
  }
}

/** Works on one task in one session. */
type RunTask<T> = (
  task: T,
  world: Pick<World, "open">,
  session: AgentSession,
  signal: AbortSignal,
) => Promise<Evaluation>;

interface CreatedAgent {
  readonly agent: OwnAgent;
  /** Whose lists of tasks are all that there is. */
  readonly world: World | undefined;
}

function createTaskAgent<T>(
  { tasks, run, warmStart, passAt }: TaskAgentOptions<T>,
  doors: AgentConnections,
): CreatedAgent {
  const world = createTaskWorld(tasks);
  const work: RunTask<T> = async (task, _, session, signal) => {
    const opened = doors.open(session);
    try {
      const said = await run(task, createContext(opened, session, signal));
      return toEvaluation(said ?? opened.postedReward(), passAt);
    } finally {
      opened.close();
    }
  };
  return {
    agent: createOwnAgent(work, ({ id }) => world.getTaskData(id), { warmStart, world }),
    world,
  };
}

function createWorldAgent(
  { world, run, warmStart, passAt }: WorldAgentOptions,
  doors: AgentConnections,
): CreatedAgent {
  const work: RunTask<TaskInfo> = async (task, from, session, signal) => {
    const episode = await callAcrossBoundary("world", () => from.open(task.id));
    const opened = doors.open(session);
    try {
      const context: WorldContext = addEpisode(createContext(opened, session, signal), episode);
      const said = (await run(task, context)) ?? opened.postedReward();
      if (said !== undefined) return toEvaluation(said, passAt);
      // Who comes back has ended the episode.
      return { ...(await callAcrossBoundary("world", () => episode.evaluate())), finished: true };
    } finally {
      opened.close();
      await episode.close().catch(() => {});
    }
  };
  const own = typeof world === "string" ? {} : { world };
  return { agent: createOwnAgent(work, (task) => task, { warmStart, ...own }), world: undefined };
}

type Connection = ReturnType<AgentConnections["open"]>;

/** Addresses are made when they are first read. */
function createContext(
  opened: Connection,
  session: AgentSession,
  signal: AbortSignal,
): AgentContext {
  return {
    model: opened.model,
    session,
    signal,
    get baseURL() {
      return opened.openAddress().openaiBaseURL;
    },
    get anthropicBaseURL() {
      return opened.openAddress().anthropicBaseURL;
    },
    get apiKey() {
      return opened.openAddress().key;
    },
  };
}

/** A spread would read the addresses. */
function addEpisode(context: AgentContext, episode: Episode): WorldContext {
  return Object.defineProperties(
    { episode },
    Object.getOwnPropertyDescriptors(context),
  ) as WorldContext;
}

function createOwnAgent<T>(
  work: RunTask<T>,
  dataOf: (task: TaskInfo) => T,
  { warmStart, world }: { readonly warmStart?: WarmStart<T> | undefined; readonly world?: World },
): OwnAgent {
  return {
    ...(world && { world }),
    player: (renderer, config) => ({
      play: createPlay({
        renderer,
        limits: config.scaffold,
        ceilings: readCeilings(config),
        run: (task, from, session, signal) => work(dataOf(task), from, session, signal),
      }),
      maxFailed: requireAgentScaffold(config).maxFailed,
    }),
    async conversations(config, { world: from, tasks, onDone, signal }) {
      if (warmStart === undefined) return [];
      if ("conversations" in warmStart) return readRecordings(warmStart.conversations);
      const neverAborted = new AbortController().signal;
      return recordLessons({
        tasks: tasks.map(dataOf),
        count: config.warm.demonstrations,
        seed: config.run.seed,
        concurrency: config.world.episodes,
        maxTurns: config.scaffold.maxTurns,
        teacher: warmStart.teacher as Teacher<T>,
        run: (task, session) => work(task, from, session, signal ?? neverAborted),
        onDone,
        signal,
      });
    },
  };
}

function requireAgentScaffold({ scaffold }: Config) {
  if ("maxFailed" in scaffold) return scaffold;
  throw new BowlineError("config", `scaffold.name: expected "agent", came ${scaffold.name}`);
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

/** `world`: of lists, which are trained on and scored whole. */
function createConfig<T>(
  options: TaskAgentOptions<T> | WorldAgentOptions,
  world: World | undefined,
): Config {
  const { recipe = "agent", method, overrides = {}, warmStart } = options;
  const demonstrations = countDemonstrations(warmStart);
  const input = {
    recipe,
    ...(method !== undefined && { method }),
    overrides: {
      ...(world
        ? { "evaluation.scores": chooseScores(world) }
        : worldOverrides((options as WorldAgentOptions).world)),
      ...(demonstrations !== undefined && { "warm.demonstrations": demonstrations }),
      ...overrides,
    },
  };
  return resolveConfig(input as ResolveInput);
}

/** A world of tasks that were handed over may have none to test on. */
function chooseScores(world: World): readonly string[] {
  const isTested = world.tasks("test-normal").length > 0;
  return SCORE_NAMES.filter((key) => isTested || key.startsWith("dev"));
}

/** Worlds compose as many tasks as they are asked for. */
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
