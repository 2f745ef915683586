/**
 * Opens many episodes of a world at once, runs two cells of the solution in each, and prints the resident memory of the
 * process with its two worker threads.
 *
 *   npx tsx bench/world/open-episodes.ts everyday/live --episodes 1000 --seed 1
 *
 * It is the part of `bowline bench world` about memory, which takes a minute less.
 */
import { parseArgs } from "node:util";
import { measureLiveEpisodes, recordPrograms } from "../../src/bench/world-throughput.ts";
import { resolveWorld } from "../../src/train/index.ts";
import { openWorld } from "../../src/world/index.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    episodes: { type: "string", default: "1000" },
    tasks: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
  },
});
const { name, url } = resolveWorld(positionals[0] ?? "everyday/live");
const world = await openWorld(url, { seed: Number(values.seed), workers: 2 });
try {
  const programs = await recordPrograms(world, Number(values.tasks));
  const result = await measureLiveEpisodes(world, programs, Number(values.episodes));
  console.log(JSON.stringify({ world: name, tasks: programs.length, ...result }));
} finally {
  await world.close();
}
