/** The engine in its own thread. */
export * from "./engine.ts";
