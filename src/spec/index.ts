/** Bowline's domain as types and wire schemas, without logic. Read this folder first. */
export * from "./agent.ts";
export * from "./chat-template.ts";
export * from "./dials.ts";
export * from "./engine.ts";
export * from "./facts.ts";
export * from "./lora.ts";
export * from "./rollout.ts";
export * from "./run.ts";
export * from "./sampling-fields.ts";
export * from "./session.ts";
export * from "./world.ts";
