/** `bowline/agent`: how an episode becomes a prompt and a message becomes code, and one rollout of a policy in an episode. */
export {
  compactScaffold,
  compactToolsScaffold,
  fencedScaffold,
  type LanguageModelOptions,
  type LanguageModelV3,
  languageModel,
  type RolloutOptions,
  type RolloutRequest,
  reactScaffold,
  runRollout,
  runTask,
  SessionError,
  toolsScaffold,
} from "../agent/index.ts";
export * from "../spec/index.ts";
