/** The engine in its own thread. */
export * from "./onnx-engine.ts";
