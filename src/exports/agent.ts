/** `bowline/agent`: how an episode becomes a prompt and a message becomes code, and one rollout of a policy in an episode. */
export {
  compactScaffold,
  compactToolsScaffold,
  fencedScaffold,
  type RolloutOptions,
  type RolloutRequest,
  reactScaffold,
  runRollout,
  runTask,
  toolsScaffold,
} from "../agent/index.ts";
export * from "../spec/index.ts";
