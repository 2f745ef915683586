/** Weights on disk: Hugging Face folders that resume exactly, and GGUF files. */
export * from "./adapter.ts";
export { type BaseName, baseNameOf, isHubId } from "./base-name.ts";
export * from "./checkpoint.ts";
export { writeDirectory } from "./directory.ts";
export { writeMerged } from "./export.ts";
export * from "./gguf/index.ts";
export * from "./huggingface-config.ts";
export * from "./safetensors.ts";
export * from "./value-head.ts";
export { checkWeights, loadWeights, planReads, withFiles } from "./weight-files.ts";
