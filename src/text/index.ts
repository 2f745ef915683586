/**
 * Turns text into token ids and back: tokenizers (trained here, or read from a `tokenizer.json`), chat templates in
 * Jinja, and the text files of a published model. This folder knows no engine, no weights and no agent.
 */
export { createGgufEntries } from "./gguf/write-texts.ts";
export { addCompactMarkers } from "./model-directory/compact-markers.ts";
export type { GenerationDefaults } from "./model-directory/generation-config.ts";
export {
  type ModelFiles,
  modelFilesFromTexts,
  openModelFiles,
} from "./model-directory/model-files.ts";
export {
  type ModelText,
  readModelText,
  readModelTextOfFolders,
} from "./model-directory/model-text.ts";
export { openTextDirectory, type TextDirectory } from "./model-directory/open-text-directory.ts";
export { formatDay, withDate } from "./model-directory/template-date.ts";
export { CHAT_TEMPLATE, CHAT_TOKENS, THINK_TOKENS } from "./new-model/chat-template.ts";
export {
  type ChatFormat,
  compileNewModelChatTemplate,
  createNewModelText,
  createNewModelTextFiles,
  defaultChatFormat,
} from "./new-model/new-model-text.ts";
export {
  createBackgroundEncoder,
  type EncodedText,
  type EncodeInBackground,
} from "./tokenizer/background-encoder.ts";
export { type FileTokenizer, loadTokenizer } from "./tokenizer/load-tokenizer.ts";
export { SPECIAL_TOKENS } from "./tokenizer/pieces.ts";
export { type TokenizerOptions, trainTokenizer } from "./tokenizer/train-tokenizer.ts";
