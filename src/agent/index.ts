/** How an episode becomes tokens and a message becomes code: scaffolds, renderers, the rollout. */
export { demonstrationBy, singleCalls } from "./call-demonstration.ts";
export * from "./chat-renderer.ts";
export * from "./compact-renderer.ts";
export * from "./compact-scaffold.ts";
export { COMPACT_TEMPLATE } from "./compact-template.ts";
export { COMPACT_TOOLS_LIMITS, compactToolsScaffold } from "./compact-tools-scaffold.ts";
export { type ContextOptions, chunksOf, endingWith, REQUESTS } from "./context.ts";
export * from "./demonstration.ts";
export { type LanguageModelOptions, languageModel } from "./doors/language-model.ts";
export type { LanguageModelV3 } from "./doors/language-model-v3.ts";
export * from "./engine-policy.ts";
export { at, EndOfPolicy, failureOf } from "./failure.ts";
export * from "./fenced-code.ts";
export * from "./fenced-scaffold.ts";
export type { Conversation, Pause, RolloutHooks } from "./hooks.ts";
export * from "./participants.ts";
export * from "./played.ts";
export * from "./react-code.ts";
export { REACT_EXAMPLE } from "./react-example.ts";
export * from "./react-scaffold.ts";
export * from "./replay.ts";
export * from "./retry.ts";
export {
  type Play,
  type Player,
  type RolloutOptions,
  type RolloutRequest,
  runRollout,
  runTask,
} from "./rollout.ts";
export * from "./session/index.ts";
export type { ChatTokenizer } from "./template-text.ts";
export * from "./tools/index.ts";
export { TOOLS_LIMITS, type ToolsLimits, toolsScaffold } from "./tools-scaffold.ts";
