/** Time and other people in a world: events, actors, and the history of who wrote what. */
export { makeTimeApis } from "./me-time.ts";
export { planEvent, Scene, type Stage } from "./scene.ts";
export { readWaitedMs, TIME_TABLES } from "./tables.ts";
export { collectAgentWriting } from "./written-by.ts";
