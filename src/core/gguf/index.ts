/** Reads and writes GGUF files: typed metadata and tensors in one file. Other folders know what the contents mean. */
export { GgufFile } from "./gguf-file.ts";
export { GgufShards, readGgufKeys } from "./gguf-shards.ts";
export { type GgufKeys, parseGgufKeys } from "./parse-keys.ts";
export * from "./types.ts";
export { type GgufTensorToWrite, ggufHeader, writeGguf } from "./write-gguf.ts";
