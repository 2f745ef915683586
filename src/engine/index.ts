/** Engines: an engine holds weights, samples, evaluates, differentiates and updates (src/spec/engine.ts). */
export * from "./onnx/index.ts";
export * from "./tinker/index.ts";
