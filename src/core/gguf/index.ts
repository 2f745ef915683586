/** The GGUF container: typed metadata and tensors in one file. What they mean is for the rooms above. */
export { GgufFile, isFile, readGgufMetadata } from "./gguf-file.ts";
export * from "./types.ts";
export { type GgufTensorToWrite, ggufHeader, writeGguf } from "./write-gguf.ts";
