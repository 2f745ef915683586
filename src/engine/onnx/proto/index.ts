/** Writing ONNX files: the wire format and the model messages. */
export * from "./model.ts";
export type { Bytes } from "./wire.ts";
