/** The agent's action is code: a QuickJS REPL with deterministic limits, replay and fork. One sandbox per thread. */
export * from "./types.ts";
