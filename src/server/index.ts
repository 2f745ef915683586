/** Servers: what speaks to other programs. Above training's parts, below the command line. */
export * from "./agent/index.ts";
export * from "./gateway/index.ts";
export * from "./studio/index.ts";
export * from "./tinker/index.ts";
