/** Loads a trained policy or a published model, so that a program can chat with it or let it solve tasks. */
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
export {
  type PolicyWithWeights,
  type RecognisedPolicy,
  recognisePolicy,
  recognisePolicyWithWeights,
} from "./recognise-policy.ts";
