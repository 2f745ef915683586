/** Types and schemas of the studio's API, between its server and its page or scripts. */
export * from "./documents.ts";
export * from "./rollouts.ts";
export * from "./runs.ts";
export * from "./training.ts";
export * from "./worlds.ts";
