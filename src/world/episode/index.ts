/** Tasks and live episodes within one thread. */
export { demonstrate } from "./demonstrate.ts";
export { loadDefinition, requireScenarios, type Start, WorldInstance } from "./instance.ts";
export { LiveEpisode, type PastTurn } from "./live-episode.ts";
export { limitResult } from "./observation.ts";
