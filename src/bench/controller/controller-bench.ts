/**
 * Measures what a run costs the machine that steers it, when the model is elsewhere: processor time, main thread and
 * memory of this process while many rollouts wait for a remote model.
 *
 * Client, HTTP, the react prompt and its tokenizer, the world in worker threads and the journal are real. The caller
 * provides a server that returns the same message for every sample, in a process of its own. Every rollout plays the
 * same number of turns, so the work depends on nothing that was sampled.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { enginePolicy } from "../../agent/index.ts";
import { describeMachine, type Machine, randomStreamId } from "../../core/index.ts";
import { runAssignments } from "../../methods/index.ts";
import type { Engine, Episode, Rollout, TaskInfo } from "../../spec/index.ts";
import { openJournal, resolveWorld } from "../../train/index.ts";
import { type OpenedWorld, openWorld } from "../../world/index.ts";
import { roundToThousandths } from "../quantiles.ts";
import { type BenchAgent, createBenchAgent, MESSAGE, openBenchEngine } from "./bench-agent.ts";

/** A server in another process that returns the same tokens for every sample. */
export interface ControllerBenchServer {
  readonly url: string;
  counts(): Promise<{ readonly samples: number; readonly repeats: number }>;
  close(): Promise<void>;
}

export interface ControllerBenchOptions {
  /** The number of rollouts, which all begin at once. */
  readonly rollouts: number;
  /** The number of turns of each rollout. */
  readonly turns: number;
  /** The shortest and the longest time of a sample. */
  readonly latencyMs: readonly [shortest: number, longest: number];
  /** The share of samples whose first attempt fails; default 0. */
  readonly failureShare?: number;
  /** The name of a built-in world or the path of a module. */
  readonly world: string;
  readonly seed: number;
  /** The number of worker threads of the world; default 2. */
  readonly workers?: number;
  /** A directory with the tokenizer and the chat template of a model. By default a small tokenizer is trained. */
  readonly model?: string;
  readonly startServer: (options: {
    readonly latencyMs: readonly [shortest: number, longest: number];
    readonly failureShare: number;
    readonly tokens: readonly number[];
  }) => Promise<ControllerBenchServer>;
  readonly onPhase?: (what: string) => void;
  /** Called after each turn, with the number of turns so far. */
  readonly onTurn?: (turns: number) => void;
  /** Called with the path of the journal before it is removed. */
  readonly onJournal?: (path: string) => void;
}

export interface ControllerBench {
  readonly machine: Machine;
  readonly world: string;
  readonly seed: number;
  readonly rollouts: number;
  /** The most episodes that were open at the same time. */
  readonly atOnce: number;
  /** The turns of all rollouts together. */
  readonly turns: number;
  readonly turnsPerRollout: number;
  readonly latencyMs: readonly [shortest: number, longest: number];
  readonly failureShare: number;
  /** The tokens of the longest row. */
  readonly rowTokens: number;
  readonly seconds: number;
  /** The processor time of all threads of this process, divided by the elapsed time: 1 is one core. */
  readonly cpuShare: number;
  readonly cpuMsPerTurn: number;
  /** The share of the time in which the main thread worked. */
  readonly mainThreadShare: number;
  /** The delay of the event loop: the median, the 99th percentile and the largest. */
  readonly lagMs: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly rssBeforeMb: number;
  readonly peakRssMb: number;
  /** The memory of the process when the records of the rollouts are no longer held, as after an iteration. */
  readonly rssAfterMb: number;
  /** What the main thread holds, its heap and its buffers, before and afterwards. */
  readonly heldBeforeMb: number;
  readonly heldAfterMb: number;
  /** Whether garbage was collected before both: only when Node runs with `--expose-gc`. */
  readonly garbageCollected: boolean;
  /** What was lost or done twice: all of these are 0 when nothing was. */
  readonly losses: {
    readonly unfinishedRollouts: number;
    readonly missingTurns: number;
    /** Samples at the server beyond one for each turn. */
    readonly doubledSamples: number;
    readonly missingJournalLines: number;
  };
}

const MEMORY_INTERVAL_MS = 50;
const MEGABYTE = 2 ** 20;
/** One collection is not enough: some buffers can be freed only after the objects that held them. */
const COLLECTIONS = 4;
const COLLECTION_PAUSE_MS = 250;

/** Throws what the engine or the world throws. */
export async function benchController(options: ControllerBenchOptions): Promise<ControllerBench> {
  const { seed, rollouts, workers = 2, failureShare = 0, latencyMs, onPhase } = options;
  const agent = createBenchAgent(options.model);
  const root = mkdtempSync(join(tmpdir(), "bowline-controller-"));
  const tokens = agent.renderer.turn(MESSAGE);
  const server = await options.startServer({ latencyMs, failureShare, tokens });
  const { name, url } = resolveWorld(options.world);
  const world = await openWorld(url, { seed, workers });
  try {
    onPhase?.(`${rollouts} rollouts of ${options.turns} turns in ${name}`);
    const engine = await openBenchEngine(server.url, agent, { seed, rollouts, root });
    const tasks = await prepareTasks(world, rollouts);
    const { counts, ...measured } = await measureLoad({
      ...options,
      ...agent,
      world,
      engine,
      tasks,
      root,
    });
    const after = await measureMemory();
    const { samples } = await server.counts();
    await engine.close();
    options.onJournal?.(journalPath(root));
    const losses = countLosses(counts, samples, options, root);
    return {
      ...{ ...measured, rssAfterMb: after.rssMb, heldAfterMb: after.heldMb },
      garbageCollected: global.gc !== undefined,
      world: name,
      losses,
    };
  } finally {
    await world.close();
    await server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function prepareTasks(world: OpenedWorld, rollouts: number): Promise<readonly TaskInfo[]> {
  const all = world.tasks("train", Math.ceil(rollouts / 3));
  // The first episodes of a world are slower, so some are opened before anything is measured.
  await Promise.all(all.slice(0, 8).map(async ({ id }) => (await world.open(id)).close()));
  return Array.from({ length: rollouts }, (_, i) => all[i % all.length]!);
}

type BenchLoad = Omit<ControllerBenchOptions, "world"> &
  Omit<BenchAgent, "vocabularySize"> & {
    readonly world: OpenedWorld;
    readonly engine: Engine;
    readonly tasks: readonly TaskInfo[];
    readonly root: string;
  };

/** What is counted of the rollouts, so that their records need not be held. */
interface PlayedCounts {
  readonly evaluated: number;
  readonly turns: number;
  readonly rowTokens: number;
}

type Measured = Omit<
  ControllerBench,
  "losses" | "world" | "rssAfterMb" | "heldAfterMb" | "garbageCollected"
> & { readonly counts: PlayedCounts };

async function measureLoad(load: BenchLoad): Promise<Measured> {
  const { rollouts, turns, latencyMs, failureShare = 0, seed } = load;
  await load.engine.publish();
  const world = countOpenEpisodes(load.world);
  const before = await measureMemory();
  const watch = watchProcess();
  const counts = countPlayed(await playRollouts(load, world));
  const watched = watch.stop();
  return {
    counts,
    machine: describeMachine(),
    seed,
    rollouts,
    atOnce: world.most(),
    turns: counts.turns,
    turnsPerRollout: turns,
    latencyMs,
    failureShare,
    rowTokens: counts.rowTokens,
    cpuMsPerTurn: roundToThousandths((watched.cpuShare * watched.seconds * 1000) / counts.turns),
    rssBeforeMb: before.rssMb,
    heldBeforeMb: before.heldMb,
    ...watched,
  };
}

function countPlayed(played: readonly Rollout[]): PlayedCounts {
  return {
    evaluated: played.filter(({ evaluation }) => evaluation).length,
    turns: played.reduce((sum, rollout) => sum + rollout.turns.length, 0),
    rowTokens: played.reduce((most, { turns }) => Math.max(most, turns.at(-1)?.span?.[1] ?? 0), 0),
  };
}

/** Collects garbage if that is possible, and reads how much memory the process has and the main thread holds. */
async function measureMemory(): Promise<{ readonly rssMb: number; readonly heldMb: number }> {
  for (let i = 0; global.gc && i < COLLECTIONS; i++) {
    global.gc();
    await wait(COLLECTION_PAUSE_MS);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const toMb = (bytes: number) => Math.round(bytes / MEGABYTE);
  return { rssMb: toMb(rss), heldMb: toMb(heapUsed + external) };
}

function playRollouts(
  { rollouts, turns, engine, scaffold, renderer, tasks, seed, root, onTurn }: BenchLoad,
  world: { open(id: string): Promise<Episode> },
): Promise<readonly Rollout[]> {
  const assignments = tasks.map((task, i) => ({
    task,
    id: `1/${i}/0`,
    index: 0,
    stream: randomStreamId(seed, "bench", i),
  }));
  let played = 0;
  return runAssignments(assignments, {
    world,
    policy: enginePolicy(engine),
    agent: { scaffold, renderer },
    temperature: 1,
    maxTurns: turns,
    episodes: rollouts,
    journal: openJournal(journalPath(root)),
    onTurn: () => onTurn?.(++played),
  });
}

const journalPath = (root: string) => join(root, "journal", "train-0001.jsonl");

function countOpenEpisodes(world: OpenedWorld) {
  let open = 0;
  let most = 0;
  return {
    most: () => most,
    async open(id: string): Promise<Episode> {
      const episode = await world.open(id);
      most = Math.max(most, ++open);
      const close = async () => {
        open -= 1;
        await episode.close();
      };
      return {
        task: episode.task,
        step: (code, signal) => episode.step(code, signal),
        evaluate: () => episode.evaluate(),
        fork: () => episode.fork(),
        close,
      };
    },
  };
}

/** Begins to watch the processor, the memory and the main thread of this process. */
function watchProcess() {
  let peak = process.memoryUsage.rss();
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, MEMORY_INTERVAL_MS);
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  const start = performance.now();
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  return {
    stop() {
      const seconds = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      const { utilization } = performance.eventLoopUtilization(loop);
      clearInterval(timer);
      lag.disable();
      const toMs = (nanoseconds: number) => roundToThousandths(nanoseconds / 1e6);
      return {
        seconds: roundToThousandths(seconds),
        cpuShare: roundToThousandths((user + system) / 1e6 / seconds),
        mainThreadShare: roundToThousandths(utilization),
        lagMs: { p50: toMs(lag.percentile(50)), p99: toMs(lag.percentile(99)), max: toMs(lag.max) },
        peakRssMb: Math.round(peak / MEGABYTE),
      };
    },
  };
}

function countLosses(
  played: PlayedCounts,
  samples: number,
  { rollouts, turns }: ControllerBenchOptions,
  root: string,
): ControllerBench["losses"] {
  const journaled = new Set(readJournalIds(journalPath(root)));
  return {
    unfinishedRollouts: rollouts - played.evaluated,
    missingTurns: rollouts * turns - played.turns,
    doubledSamples: samples - played.turns,
    missingJournalLines: rollouts - journaled.size,
  };
}

/** Reads the ids alone, because the journal of a large measurement does not fit into a string. */
function readJournalIds(path: string): string[] {
  const bytes = readFileSync(path);
  const ids: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const id = /"id":"([^"]+)"/.exec(bytes.toString("utf8", from, Math.min(end, from + 200)))?.[1];
    if (id !== undefined) ids.push(id);
    from = end + 1;
  }
  return ids;
}
