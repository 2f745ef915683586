/**
 * Measuring what a server of the Tinker protocol does where the protocol is silent: each measurement once, as numbers.
 *
 * The doctor shows them with a verdict; an engine that is about to train there makes its traits of them. Neither believes
 * what a server says of itself.
 */
export * from "./clipping.ts";
export * from "./example-datum.ts";
export * from "./gradients.ts";
export * from "./noise.ts";
export * from "./old-sampler.ts";
export * from "./probe-trainer.ts";
export * from "./probed-model.ts";
export * from "./rows.ts";
export * from "./sampling.ts";
export * from "./subject.ts";
