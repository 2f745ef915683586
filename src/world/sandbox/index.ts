/** The agent's action is code: a QuickJS REPL with deterministic limits, replay and fork. One sandbox per thread. */
export { createSandbox, DEFAULT_LIMITS } from "./repl.ts";
export * from "./types.ts";
