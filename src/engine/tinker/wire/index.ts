/**
 * The messages of the Tinker protocol, for clients and servers: all of them as JSON, three of them also as protobuf.
 */
export * from "./forward-backward.ts";
export * from "./forward-backward-output.ts";
export * from "./gradient-norm.ts";
export * from "./messages.ts";
export * from "./sample-response.ts";
export { floatTensor } from "./tensors.ts";

/** The media type of a protobuf body, in `Content-Type` and `Accept`. */
export const PROTOBUF = "application/x-protobuf";
