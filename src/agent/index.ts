/** Turns an episode into tokens and a message into code: scaffolds, renderers and the rollout. */

export { type LanguageModelOptions, languageModel } from "./ai-sdk/language-model.ts";
export type { LanguageModelV3 } from "./ai-sdk/language-model-v3.ts";
export { appworldScaffold } from "./appworld-scaffold.ts";
export {
  type CallAnswer,
  cellForCalls,
  isFunctionCall,
  parseJson,
  readCallAnswers,
  toFunctionCall,
} from "./call-cells.ts";
export { demonstrateWithScaffold, rewriteAsCallCells } from "./call-demonstration.ts";
export * from "./chat-renderer.ts";
export * from "./compact-renderer.ts";
export * from "./compact-scaffold.ts";
export { COMPACT_TEMPLATE } from "./compact-template.ts";
export { COMPACT_TOOLS_LIMITS, compactToolsScaffold } from "./compact-tools-scaffold.ts";
export {
  appendToLastMessage,
  type ContextOptions,
  splitIntoChunks,
  WRITING_REQUESTS,
} from "./context.ts";
export * from "./demonstration.ts";
export * from "./engine-policy.ts";
export { evaluateEpisode } from "./evaluate-episode.ts";
export { callAcrossBoundary, failureFromError, PolicyUnableToContinue } from "./failure.ts";
export * from "./fenced-code.ts";
export * from "./fenced-scaffold.ts";
export * from "./participants.ts";
export type { Play, Player } from "./player.ts";
export * from "./policy-participant.ts";
export * from "./react-code.ts";
export { REACT_EXAMPLE } from "./react-example.ts";
export * from "./react-scaffold.ts";
export * from "./replay.ts";
export * from "./retrying-episode.ts";
export { type RolloutOptions, type RolloutRequest, runRollout, runTask } from "./rollout.ts";
export type { Continuation, Conversation, RolloutHooks } from "./rollout-hooks.ts";
export * from "./session/index.ts";
export { splitIntoSessions, taskAfterStep } from "./task-sessions.ts";
export type { ChatTokenizer } from "./template-text.ts";
export { countRowTokens, rowToJson, shareRow } from "./token-row.ts";
export * from "./tools/index.ts";
export { TOOLS_LIMITS, type ToolsLimits, toolsScaffold } from "./tools-scaffold.ts";
