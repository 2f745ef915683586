/** Loads a trained policy or a published model, to talk to it and to let it solve tasks. */
export type { Act, ActOptions } from "./act.ts";
export type {
  ContinueEpisode,
  EarlierTurn,
  EpisodeStart,
  ResumeOptions,
} from "./continue-episode.ts";
export type { GenerateOptions, Generation } from "./generate.ts";
export {
  type LoadedPolicy,
  type LoadPolicyOptions,
  loadPolicy,
  loadPolicyToContinue,
  loadPolicyWith,
  type PolicySessionOptions,
  type ResumablePolicy,
} from "./load-policy.ts";
