/**
 * Trains one iteration of a thousand rollouts on the Tinker server at the given address, whose models are tables.
 * Arguments: the address and the run directory.
 */
import { trainWith } from "../../src/train/index.ts";
import { createTableConfig, createTableMakers } from "./tinker-run.ts";

const [url, out] = process.argv.slice(2);
const config = createTableConfig(url!, {
  "world.trainScenarios": 20,
  "world.episodes": 1000,
  "algo.iterations": 1,
  "algo.tasksPerIteration": 50,
  "algo.groupSize": 20,
  "algo.minibatch": 250,
});
await trainWith(createTableMakers(), config, { out: out! });
