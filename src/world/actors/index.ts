/** Time and other people in a world: events, actors, and the history of who wrote what. */
export { makeTimeApis } from "./me-time.ts";
export { planEvent, Scene, type Stage } from "./scene.ts";
export { addWaitedMs, readWaitedMs, TIME_TABLES } from "./tables.ts";
export {
  beginSession,
  endSessionFirst,
  planSessions,
  readNextSession,
  requireRunningSession,
} from "./task-sessions.ts";
export { collectAgentWriting } from "./written-by.ts";
