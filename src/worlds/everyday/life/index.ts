/** The owner's life, and its traces in every app. */
export * from "./life.ts";
