/** Types and schemas of the studio's API, which connects its server with its web page and with scripts. */
export * from "./documents.ts";
export * from "./explore.ts";
export * from "./forks.ts";
export * from "./notes.ts";
export * from "./report.ts";
export * from "./rollouts.ts";
export * from "./runs.ts";
export * from "./training.ts";
export * from "./worlds.ts";
