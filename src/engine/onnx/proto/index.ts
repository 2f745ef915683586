/** Encodes ONNX model files: the protobuf wire format and the ONNX messages. */
export * from "./model.ts";
export type { Bytes } from "./wire.ts";
