/**
 * The execution provider of ONNX Runtime on which all sessions of a thread run.
 *
 * There is one provider for all sessions because all graphs of an engine share weight buffers and must round alike.
 * The bit-for-bit promises (a row's result does not depend on its batch, two threads repeat their results) are proved
 * for the CPU kernels only. Another provider is as exact as its kernels are. ONNX Runtime itself runs operations that
 * a provider lacks on the CPU.
 */

/** The values of `engine.provider`: what may run the kernels. */
export const PROVIDERS = ["cpu", "cuda", "webgpu", "coreml"] as const;
/** The name of an execution provider. */
export type Provider = (typeof PROVIDERS)[number];

let currentProvider: Provider = "cpu";

/**
 * Makes this thread's later graphs and sessions those of `provider`. `requireProvider` checks whether it works here.
 */
export function setProvider(provider: Provider): void {
  currentProvider = provider;
}

/** Returns the provider for which graphs are built and on which sessions run. */
export function getProvider(): Provider {
  return currentProvider;
}

/** Returns the providers for a session, in order of preference. */
export function executionProviders(): Provider[] {
  return currentProvider === "cpu" ? ["cpu"] : [currentProvider, "cpu"];
}
