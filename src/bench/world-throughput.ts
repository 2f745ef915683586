/** Measures many episodes at once: how many complete per second, and how much memory a thousand open ones use. */
import { BowlineError, mapConcurrently, residentMemoryMb } from "../core/index.ts";
import type { World } from "../spec/index.ts";
import { median } from "./quantiles.ts";
import type { SolutionProgram } from "./world-latency.ts";

/** The number of episodes that run at the same time. It is large enough that no worker waits for this thread. */
const CONCURRENT_EPISODES = 16;

/** Records the code cells of the careful solutions of `tasks` training tasks. */
export async function recordPrograms(world: World, tasks: number): Promise<SolutionProgram[]> {
  const ids = world.tasks("train", Math.ceil(tasks / 3)).slice(0, tasks);
  return mapConcurrently(ids, CONCURRENT_EPISODES, async ({ id }) => {
    const { turns, evaluation } = await world.demonstrate(id, "careful", world.seed);
    if (evaluation.passed) return { taskId: id, cells: turns.map(({ code }) => code) };
    throw new BowlineError("world", `the solution of ${id} fails, so it cannot be measured`);
  });
}

/**
 * Measures complete solution episodes per second: open, run every cell, evaluate, close. Returns the median of `rounds`
 * after one round of warm-up.
 */
export async function measureThroughput(
  world: World,
  programs: readonly SolutionProgram[],
  rounds: number,
  episodes: number,
): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const some = Array.from({ length: episodes }, (_, i) => programs[i % programs.length]!);
    const start = performance.now();
    await mapConcurrently(some, CONCURRENT_EPISODES, (program) => runSolution(world, program));
    if (round > 0) rates.push((1000 * episodes) / (performance.now() - start));
  }
  return Math.round(median(rates));
}

async function runSolution(world: World, { taskId, cells }: SolutionProgram): Promise<void> {
  const episode = await world.open(taskId);
  for (const cell of cells) await episode.step(cell);
  const { passed } = await episode.evaluate();
  await episode.close();
  if (!passed) throw new BowlineError("world", `the solution of ${taskId} fails in a benchmark`);
}

export interface LiveEpisodes {
  readonly episodes: number;
  /** The resident memory of the process with its workers while all episodes are open. */
  readonly rssMb: number;
  /** The resident memory before the first episode was opened. */
  readonly baseRssMb: number;
}

/** Opens `count` episodes at once and runs the first two cells of the solution in each. */
export async function measureLiveEpisodes(
  world: World,
  programs: readonly SolutionProgram[],
  count: number,
): Promise<LiveEpisodes> {
  const baseRssMb = residentMemoryMb();
  const some = Array.from({ length: count }, (_, i) => programs[i % programs.length]!);
  const episodes = await mapConcurrently(some, CONCURRENT_EPISODES, async ({ taskId, cells }) => {
    const episode = await world.open(taskId);
    for (const cell of cells.slice(0, 2)) await episode.step(cell);
    return episode;
  });
  const rssMb = residentMemoryMb();
  await mapConcurrently(episodes, CONCURRENT_EPISODES, (episode) => episode.close());
  return { episodes: count, rssMb, baseRssMb };
}
