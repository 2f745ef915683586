/**
 * General helpers: seeded randomness, errors, checked arguments, configuration fields, files, concurrency and workers.
 * The folder gguf/ has its own index, because most programs read no models.
 */
export * from "./arguments.ts";
export * from "./concurrency.ts";
export * from "./errors.ts";
export * from "./exact-json.ts";
export * from "./fields/index.ts";
export * from "./files.ts";
export * from "./formats/index.ts";
export * from "./give-way.ts";
export * from "./group-by.ts";
export * from "./load-failure.ts";
export * from "./load-module.ts";
export * from "./machine.ts";
export * from "./opened.ts";
export * from "./other-time-and-randomness.ts";
export * from "./own-version.ts";
export * from "./refusals.ts";
export * from "./rng.ts";
export * from "./shared-lists.ts";
export { signalGroup } from "./signal-group.ts";
export * from "./signals.ts";
export * from "./spawn-worker.ts";
export * from "./stopwatch.ts";
export * from "./tar.ts";
export * from "./time-limit.ts";
export * from "./trust/index.ts";
export * from "./visible-text.ts";
export * from "./without-undefined.ts";
