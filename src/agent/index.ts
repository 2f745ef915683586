/** How an episode becomes tokens and a message becomes code: scaffolds, renderers, the rollout, and fakes for tests. */
export * from "./compact-renderer.ts";
export * from "./compact-scaffold.ts";
export * from "./demonstration.ts";
export * from "./engine-policy.ts";
export {
  type RolloutOptions,
  type RolloutRequest,
  runRollout,
  runTask,
} from "./rollout.ts";
export * from "./testing.ts";
