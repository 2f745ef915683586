/**
 * `bowline bench world`: what episodes of a world cost on this machine.
 *
 * Memory and throughput come first, over two worker threads and before anything else has grown the process; then single
 * operations over one worker. The same seed does the same work on any machine.
 */

import { describeMachine, type Machine } from "../core/index.ts";
import type { Dials } from "../spec/index.ts";
import { resolveWorld } from "../train/index.ts";
import { openWorld, type PooledWorld } from "../world/index.ts";
import type { Quantiles } from "./quantiles.ts";
import {
  type Effort,
  type Latencies,
  listReads,
  measureCalls,
  measureColdOpen,
  measureFork,
  measureLatencies,
  measureOpen,
  type Program,
} from "./world-latency.ts";
import { type Live, measureLive, measureThroughput, recordPrograms } from "./world-throughput.ts";

export interface WorldBenchOptions {
  /** A built-in world or the path of a module. */
  readonly world: string;
  readonly seed: number;
  /** Those that are not named are off. */
  readonly dials?: Partial<Dials>;
  /** A few seconds in place of a minute: it shows that everything works, its numbers are rough. */
  readonly quick?: boolean;
  /** Hears what is measured next. */
  readonly onPhase?: (what: string) => void;
}

/** How times grow with the population. */
export interface Growth {
  readonly distractors: number;
  /** Rows of all tables. */
  readonly rows: number;
  readonly openMs: Quantiles;
  readonly forkMs: Quantiles;
  readonly callUs: Quantiles;
}

export interface WorldBench extends Latencies {
  readonly machine: Machine;
  readonly world: string;
  readonly seed: number;
  readonly quick: boolean;
  /** Whole solution episodes, over two worker threads. */
  readonly episodesPerSecond: number;
  readonly live: Live;
  /** Empty where the world does not heed the `distractors` dial. */
  readonly populationGrowth: readonly Growth[];
}

interface Plan extends Effort {
  readonly tasks: number;
  readonly live: number;
  readonly throughputRounds: number;
  readonly episodes: number;
  readonly distractors: readonly number[];
  readonly growth: Effort;
}

const WORKERS = 2;
const FULL: Plan = {
  tasks: 240,
  live: 1000,
  throughputRounds: 3,
  episodes: 800,
  rounds: 5,
  samples: 120,
  callsPerCell: 100,
  growth: { rounds: 3, samples: 80, callsPerCell: 100 },
  distractors: [1, 4, 10],
};
const QUICK: Plan = {
  tasks: 12,
  live: 40,
  throughputRounds: 1,
  episodes: 60,
  rounds: 1,
  samples: 12,
  callsPerCell: 50,
  growth: { rounds: 1, samples: 12, callsPerCell: 50 },
  distractors: [1, 4],
};

export async function benchWorld(options: WorldBenchOptions): Promise<WorldBench> {
  const { seed, dials, quick = false, onPhase = () => {} } = options;
  const { name, url } = resolveWorld(options.world);
  const plan = quick ? QUICK : FULL;
  const open = (workers: number, others?: Partial<Dials>) =>
    openWorld(url, { seed, workers, dials: { ...dials, ...others } });

  onPhase("solving the tasks");
  const [programs, live, episodesPerSecond] = await using(open(WORKERS), async (world) => {
    const recorded = await recordPrograms(world, plan.tasks);
    onPhase(`weighing ${plan.live} live episodes`);
    const weight = await measureLive(world, recorded, plan.live);
    onPhase(`running ${plan.throughputRounds * plan.episodes} whole episodes`);
    const rate = await measureThroughput(world, recorded, plan.throughputRounds, plan.episodes);
    return [recorded, weight, rate] as const;
  });
  onPhase("timing single operations");
  const latencies = await using(open(1), async (world) =>
    measureLatencies(world, programs, await listReads(world, url), plan),
  );
  onPhase("growing the population");
  const populationGrowth = await measureGrowth(
    (distractors) => open(1, { distractors }),
    url,
    plan,
  );
  const machine = describeMachine();
  return {
    machine,
    world: name,
    seed,
    quick,
    ...latencies,
    episodesPerSecond,
    live,
    populationGrowth,
  };
}

async function measureGrowth(
  open: (distractors: number) => Promise<PooledWorld>,
  url: string,
  plan: Plan,
): Promise<Growth[]> {
  const [least = 1, next = 1] = plan.distractors;
  const sizes = await Promise.all([least, next].map((d) => using(open(d), async (w) => rowsOf(w))));
  if (sizes[0] === sizes[1]) return [];
  const found: Growth[] = [];
  for (const distractors of plan.distractors) {
    found.push(await using(open(distractors), (world) => measureAt(world, distractors, url, plan)));
  }
  return found;
}

async function measureAt(
  world: PooledWorld,
  distractors: number,
  url: string,
  plan: Plan,
): Promise<Growth> {
  const tasks = world.tasks("train", Math.ceil(plan.tasks / 12));
  const programs: Program[] = tasks.map(({ id }) => ({ taskId: id, cells: [] }));
  const reads = await listReads(world, url);
  await measureColdOpen(world, programs);
  return {
    distractors,
    rows: rowsOf(world),
    openMs: await measureOpen(world, programs, plan.growth),
    forkMs: await measureFork(world, programs, reads, plan.growth),
    callUs: await measureCalls(world, programs, reads, plan.growth),
  };
}

function rowsOf(world: PooledWorld): number {
  return world.inventory().tables.reduce((sum, { rows }) => sum + rows, 0);
}

async function using<T>(
  opening: Promise<PooledWorld>,
  use: (world: PooledWorld) => Promise<T>,
): Promise<T> {
  const world = await opening;
  try {
    return await use(world);
  } finally {
    await world.close();
  }
}
