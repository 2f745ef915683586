/** Somebody else's environments, which play whole episodes themselves and take our gateway as their model. */
export { command } from "./command.ts";
export type { CommandOptions, EnvironmentOptions } from "./command-options.ts";
export { type EndpointOptions, endpoint } from "./endpoint.ts";
export { ENVIRONMENT_FORMATS } from "./environment-format.ts";
export { readEnvironmentRecord, recordEnvironment } from "./environment-record.ts";
export { type Environment, loadEnvironment } from "./load-environment.ts";
export { HARBOR_FORMATS, type HarborOptions, type HarborTask, harbor } from "./presets/harbor.ts";
export { type NemoGymOptions, type NemoGymTask, nemoGym } from "./presets/nemo-gym.ts";
export { TAU2_FORMATS, type Tau2Options, type Tau2Task, tau2 } from "./presets/tau2.ts";
export {
  VERIFIERS_FORMATS,
  type VerifiersOptions,
  type VerifiersTask,
  verifiers,
} from "./presets/verifiers.ts";
