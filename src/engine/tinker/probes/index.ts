/**
 * Probes measure, as numbers, what a Tinker server does where the protocol is silent.
 *
 * The doctor shows the numbers with a verdict; the engine derives the server's traits from them. Neither trusts what a
 * server reports about itself.
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
