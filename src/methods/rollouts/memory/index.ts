/** What is remembered from episode to episode without changing a weight. */
export * from "./items.ts";
export * from "./memory.ts";
export * from "./similarity.ts";
export { rewriteMessages, TEXT_NAMES, textSections } from "./texts.ts";
