/** A memory of earlier episodes, which changes no weights. */
export * from "./items.ts";
export * from "./memory.ts";
export * from "./similarity.ts";
export { composeRewritePrompt, TEXT_NAMES, textPromptLines } from "./texts.ts";
