/** Servers that other programs talk to: the gateway, the studio and the Tinker server. */
export * from "./agent/index.ts";
export * from "./environment/index.ts";
export * from "./gateway/index.ts";
export * from "./openenv/index.ts";
export * from "./studio/index.ts";
export * from "./tinker/index.ts";
