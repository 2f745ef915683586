/** What is remembered from episode to episode without changing a weight. */
export * from "./items.ts";
export * from "./memory.ts";
export * from "./similarity.ts";
export { composeRewritePrompt, TEXT_NAMES, textPromptLines } from "./texts.ts";
