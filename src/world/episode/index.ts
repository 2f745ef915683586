/** Tasks and live episodes within one thread. */

export {
  importWorld,
  loadDefinition,
  requireDefinition,
  requireScenarioCount,
} from "./definition.ts";
export { demonstrate, demonstrateIn, describeFailedCell } from "./demonstrate.ts";
export { type TaskStart, WorldInstance } from "./instance.ts";
export { LiveEpisode, type PastTurn } from "./live-episode.ts";
export { finishedResult, makeLimitResult, makeStepResult } from "./observation.ts";
