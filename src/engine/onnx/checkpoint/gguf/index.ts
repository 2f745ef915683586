/** Models in GGUF, the format of llama.cpp: read as a Hugging Face folder is, and written for llama.cpp to load. */
export type { GgufDtype } from "./quantize.ts";
export { GgufWeights, loadGgufConfig } from "./weights.ts";
export { type GgufExport, writeAdapterGguf, writeModelGguf } from "./write.ts";
