/** `bowline/agent`: scaffolds, which turn episodes into prompts and messages into code, sessions, and rollouts. */
export {
  appworldScaffold,
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
