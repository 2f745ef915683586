/** Published models on disk, in the layout of Hugging Face. */
export type { GenerationDefaults } from "./generation-config.ts";
export { markedTokenizer } from "./marked-tokenizer.ts";
export { type ModelText, readModelText } from "./model-text.ts";
export { type ModelDirectory, openModelDirectory } from "./open-model-directory.ts";
export { openTextDirectory, type TextDirectory } from "./open-text-directory.ts";
