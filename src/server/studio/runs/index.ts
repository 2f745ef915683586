/** What the studio reads of runs: never writes, never a file outside its folder, never a whole file of rollouts. */
export type { RunPlace } from "./find-runs.ts";
export { type Inside, markOf, readSmallJson, withFile } from "./inside.ts";
export { eachLine } from "./lines.ts";
export { turnsOnly } from "./parse-rollout.ts";
export type { RolloutIndex } from "./rollout-index.ts";
export { rolloutRoutes, runRoutes, studioRoutes } from "./routes.ts";
export type { RunFile } from "./run-files.ts";
export { openRuns, type Runs } from "./runs.ts";
export { walk } from "./walk.ts";
