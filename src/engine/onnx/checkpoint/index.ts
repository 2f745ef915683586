/** Weights on disk: Hugging Face folders that resume exactly, and GGUF files. */
export * from "./adapter-checkpoint.ts";
export { type BaseName, findBaseName, isHubId } from "./base-name.ts";
export * from "./checkpoint.ts";
export { writeDigests } from "./digests.ts";
export * from "./gguf/index.ts";
export * from "./huggingface-config.ts";
export { writeMergedModel } from "./merged-model.ts";
export { type AdapterConfig, readAdapterConfig } from "./peft-config.ts";
export { replaceDirectory } from "./replace-directory.ts";
export * from "./safetensors.ts";
export * from "./value-head-checkpoint.ts";
export {
  checkWeightFiles,
  loadWeights,
  planTensorReads,
  withSafetensorsFiles,
} from "./weight-files.ts";
