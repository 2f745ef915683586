/** The Tinker protocol on the wire: every message of JSON, and the three that are also protobuf. For clients and servers. */
export * from "./forward-backward.ts";
export * from "./forward-backward-output.ts";
export * from "./gradient-norm.ts";
export * from "./messages.ts";
export * from "./sample-response.ts";
export { floatTensor } from "./tensors.ts";

/** Of bodies that are protobuf, in `Content-Type` and `Accept`. */
export const PROTOBUF = "application/x-protobuf";
