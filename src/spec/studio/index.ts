/** The studio's API, as types and schemas: what its server answers, what its page and scripts read. */
export * from "./documents.ts";
export * from "./rollouts.ts";
export * from "./runs.ts";
export * from "./training.ts";
export * from "./worlds.ts";
