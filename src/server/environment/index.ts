/** Somebody else's environments, which play whole episodes themselves and take our gateway as their model. */
export { command } from "./command.ts";
export type { CommandOptions, EnvironmentOptions } from "./command-options.ts";
