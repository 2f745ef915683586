/** Checks of a caller's input that every engine makes (src/spec/engine.ts). All engines use the same error texts. */
export * from "./validate.ts";
