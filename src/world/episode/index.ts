/** Tasks and live episodes within one thread. */

export { loadDefinition, requireScenarioCount } from "./definition.ts";
export { demonstrate, describeFailedCell } from "./demonstrate.ts";
export { type TaskStart, WorldInstance } from "./instance.ts";
export { LiveEpisode, type PastTurn } from "./live-episode.ts";
export { makeLimitResult } from "./observation.ts";
