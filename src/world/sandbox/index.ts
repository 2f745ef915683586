/**
 * Runs the agent's code in a QuickJS REPL with deterministic limits, replay and fork. There is one sandbox for each
 * thread.
 */
export { createSandbox, DEFAULT_LIMITS } from "./repl.ts";
export * from "./types.ts";
