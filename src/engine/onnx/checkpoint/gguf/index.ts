/** Models in GGUF, the format of llama.cpp: read like a Hugging Face folder, and written for llama.cpp. */

export { GgufWeights, loadGgufDescription } from "./gguf-weights.ts";
export type { GgufDtype } from "./quantize.ts";
export { type GgufExport, writeAdapterGguf, writeModelGguf } from "./write-gguf.ts";
