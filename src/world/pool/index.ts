/** Worlds whose episodes live in worker threads. */
export { type CheckLifeOptions, checkLife } from "./check-life.ts";
export { type AllSplitsReport, type CheckWorldOptions, checkWorld } from "./check-world.ts";
export { type InspectOptions, inspectWorld } from "./inspect-world.ts";
export { type OpenWorldOptions, openWorld, PooledWorld } from "./open-world.ts";
