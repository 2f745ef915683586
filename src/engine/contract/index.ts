/**
 * Checks of a caller's input that every engine makes (src/spec/engine.ts), with the same error texts for all engines.
 */
export * from "./validate.ts";
