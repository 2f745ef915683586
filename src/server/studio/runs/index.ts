/**
 * Reads runs for the studio. It never writes, never leaves the studio's folder and never loads a whole rollout file.
 */

export type { RunLocation } from "./find-runs.ts";
export { forEachLine } from "./json-lines.ts";
export { parseTurnTexts, parseWithoutTokens } from "./parse-rollout.ts";
export type { RolloutIndex } from "./rollout-index.ts";
export { rolloutRoutes, runRoutes, studioRoutes } from "./routes.ts";
export type { RunFile } from "./run-files.ts";
export { openRuns, type Runs } from "./runs.ts";
export { scanRollout } from "./scan-rollout.ts";
export { computeFingerprint, readSmallJson, type StudioFolder, withFile } from "./studio-folder.ts";
export { walkFolders } from "./walk-folders.ts";
