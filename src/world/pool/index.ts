/** Worlds whose episodes live in worker threads. */
export { type AllSplitsReport, type CheckWorldOptions, checkWorld } from "./check-world.ts";
export {
  type InspectedEpisode,
  type InspectedStep,
  type InspectOptions,
  inspectWorld,
  type WorldInspector,
} from "./inspect-world.ts";
export type { Inventory } from "./inventory.ts";
export { type OpenWorldOptions, openWorld, PooledWorld } from "./open-world.ts";
