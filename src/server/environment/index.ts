/** Somebody else's environments, which play whole episodes themselves and take our gateway as their model. */
export { command } from "./command.ts";
export type { CommandOptions, EnvironmentOptions } from "./command-options.ts";
export { type EndpointOptions, endpoint } from "./endpoint.ts";
export { ENVIRONMENT_FORMATS } from "./environment-format.ts";
export { readEnvironmentRecord, recordEnvironment } from "./environment-record.ts";
export { type Environment, loadEnvironment } from "./load-environment.ts";
