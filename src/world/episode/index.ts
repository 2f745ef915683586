/** Tasks and live episodes within one thread. */

export { loadDefinition, requireScenarios } from "./definition.ts";
export { cellTrouble, demonstrate } from "./demonstrate.ts";
export { type Start, WorldInstance } from "./instance.ts";
export { LiveEpisode, type PastTurn } from "./live-episode.ts";
export { limitResult } from "./observation.ts";
