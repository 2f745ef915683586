/** Many episodes at once: how many whole ones a second, and what a thousand live ones weigh. */
import { BowlineError, mapConcurrently, residentMemoryMb } from "../core/index.ts";
import type { World } from "../spec/index.ts";
import { median } from "./quantiles.ts";
import type { Program } from "./world-latency.ts";

/** In flight at once, so that no worker waits for this thread. */
const LANES = 16;

/** The cells of the careful solutions of so many tasks of `train`. */
export async function recordPrograms(world: World, tasks: number): Promise<Program[]> {
  const ids = world.tasks("train", Math.ceil(tasks / 3)).slice(0, tasks);
  return mapConcurrently(ids, LANES, async ({ id }) => {
    const { turns, evaluation } = await world.demonstrate(id, "careful", world.seed);
    if (evaluation.passed) return { taskId: id, cells: turns.map(({ code }) => code) };
    throw new BowlineError("world", `the solution of ${id} fails, so there is nothing to measure`);
  });
}

/** Whole solution episodes a second: open, every cell, evaluate, close. The median of `rounds`, after one to warm up. */
export async function measureThroughput(
  world: World,
  programs: readonly Program[],
  rounds: number,
  episodes: number,
): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const some = Array.from({ length: episodes }, (_, i) => programs[i % programs.length]!);
    const start = performance.now();
    await mapConcurrently(some, LANES, (program) => solve(world, program));
    if (round > 0) rates.push((1000 * episodes) / (performance.now() - start));
  }
  return Math.round(median(rates));
}

async function solve(world: World, { taskId, cells }: Program): Promise<void> {
  const episode = await world.open(taskId);
  for (const cell of cells) await episode.step(cell);
  const { passed } = await episode.evaluate();
  await episode.close();
  if (!passed) throw new BowlineError("world", `the solution of ${taskId} fails in a benchmark`);
}

export interface Live {
  readonly episodes: number;
  /** Of the process with its workers, all episodes open. */
  readonly rssMb: number;
  /** The same before the first of them was opened. */
  readonly baseRssMb: number;
}

/** Opens `count` episodes at once, and runs the first two cells of its solution in each. */
export async function measureLive(
  world: World,
  programs: readonly Program[],
  count: number,
): Promise<Live> {
  const baseRssMb = residentMemoryMb();
  const some = Array.from({ length: count }, (_, i) => programs[i % programs.length]!);
  const episodes = await mapConcurrently(some, LANES, async ({ taskId, cells }) => {
    const episode = await world.open(taskId);
    for (const cell of cells.slice(0, 2)) await episode.step(cell);
    return episode;
  });
  const rssMb = residentMemoryMb();
  await mapConcurrently(episodes, LANES, (episode) => episode.close());
  return { episodes: count, rssMb, baseRssMb };
}
