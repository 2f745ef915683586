/**
 * Measures for `bowline bench world` what episodes of a world cost on this machine.
 *
 * Memory and throughput are measured first, with two worker threads, before anything else has enlarged the process.
 * Single operations follow, with one worker. The same seed does the same work on any machine.
 */

import { describeMachine, type Machine } from "../core/index.ts";
import type { Dials } from "../spec/index.ts";
import { resolveWorld } from "../train/index.ts";
import { type OpenedWorld, openWorld } from "../world/index.ts";
import type { Quantiles } from "./quantiles.ts";
import {
  type Latencies,
  listReadCalls,
  type MeasurementEffort,
  measureCalls,
  measureColdOpen,
  measureFork,
  measureLatencies,
  measureOpen,
  type SolutionProgram,
} from "./world-latency.ts";
import {
  type LiveEpisodes,
  measureLiveEpisodes,
  measureThroughput,
  recordPrograms,
} from "./world-throughput.ts";

export interface WorldBenchOptions {
  /** The name of a built-in world or the path of a module. */
  readonly world: string;
  readonly seed: number;
  /** The dials of the world. Dials that are not named are off. */
  readonly dials?: Partial<Dials>;
  /**
   * When true, the benchmark takes seconds instead of a minute. It shows that everything works, but its numbers are
   * rough.
   */
  readonly quick?: boolean;
  /** Called with a description of what is measured next. */
  readonly onPhase?: (what: string) => void;
}

/** How times grow with the population of the world. */
export interface PopulationGrowth {
  readonly distractors: number;
  /** The number of rows in all tables. */
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
  /** Complete solution episodes per second, with two worker threads. */
  readonly episodesPerSecond: number;
  readonly live: LiveEpisodes;
  /** The growth with the population. It is empty when the world ignores the `distractors` dial. */
  readonly populationGrowth: readonly PopulationGrowth[];
}

interface BenchPlan extends MeasurementEffort {
  readonly tasks: number;
  readonly live: number;
  readonly throughputRounds: number;
  readonly episodes: number;
  readonly distractors: readonly number[];
  readonly growth: MeasurementEffort;
}

const WORKERS = 2;
const FULL_PLAN: BenchPlan = {
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
const QUICK_PLAN: BenchPlan = {
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
  const plan = quick ? QUICK_PLAN : FULL_PLAN;
  const openBenchWorld = (workers: number, others?: Partial<Dials>) =>
    openWorld(url, { seed, workers, dials: { ...dials, ...others } });

  onPhase("solving the tasks");
  const [programs, live, episodesPerSecond] = await withWorld(
    openBenchWorld(WORKERS),
    async (world) => {
      const recorded = await recordPrograms(world, plan.tasks);
      onPhase(`measuring the memory of ${plan.live} open episodes`);
      const weight = await measureLiveEpisodes(world, recorded, plan.live);
      onPhase(`running ${plan.throughputRounds * plan.episodes} complete episodes`);
      const rate = await measureThroughput(world, recorded, plan.throughputRounds, plan.episodes);
      return [recorded, weight, rate] as const;
    },
  );
  onPhase("timing single operations");
  const latencies = await withWorld(openBenchWorld(1), async (world) =>
    measureLatencies(world, programs, await listReadCalls(world, url), plan),
  );
  onPhase("measuring larger populations");
  const populationGrowth = await measureGrowth(
    (distractors) => openBenchWorld(1, { distractors }),
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
  open: (distractors: number) => Promise<OpenedWorld>,
  url: string,
  plan: BenchPlan,
): Promise<PopulationGrowth[]> {
  const [least = 1, next = 1] = plan.distractors;
  const sizes = await Promise.all(
    [least, next].map((d) => withWorld(open(d), async (w) => countRows(w))),
  );
  if (sizes[0] === sizes[1]) return [];
  const found: PopulationGrowth[] = [];
  for (const distractors of plan.distractors) {
    found.push(
      await withWorld(open(distractors), (world) =>
        measurePopulation(world, distractors, url, plan),
      ),
    );
  }
  return found;
}

async function measurePopulation(
  world: OpenedWorld,
  distractors: number,
  url: string,
  plan: BenchPlan,
): Promise<PopulationGrowth> {
  const tasks = world.tasks("train", Math.ceil(plan.tasks / 12));
  const programs: SolutionProgram[] = tasks.map(({ id }) => ({ taskId: id, cells: [] }));
  const reads = await listReadCalls(world, url);
  await measureColdOpen(world, programs);
  return {
    distractors,
    rows: countRows(world),
    openMs: await measureOpen(world, programs, plan.growth),
    forkMs: await measureFork(world, programs, reads, plan.growth),
    callUs: await measureCalls(world, programs, reads, plan.growth),
  };
}

function countRows(world: OpenedWorld): number {
  return world.inventory().tables.reduce((sum, { rows }) => sum + rows, 0);
}

async function withWorld<T>(
  opening: Promise<OpenedWorld>,
  use: (world: OpenedWorld) => Promise<T>,
): Promise<T> {
  const world = await opening;
  try {
    return await use(world);
  } finally {
    await world.close();
  }
}
