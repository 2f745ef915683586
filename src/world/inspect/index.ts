/**
 * A world and its episodes as people may inspect them: tables, documentation, answers of calls, and what each changed.
 */
export {
  type AnsweredCall,
  type EpisodeState,
  recordedStep,
  type SeenChange,
  stateOf,
} from "./episode-look.ts";
export { type AppLook, appLook, type TableLook, type TablePage, tableLook } from "./parts-look.ts";
export {
  type TaskLook,
  type TaskPage,
  taskLook,
  tasksLook,
  type WorldLook,
  worldLook,
} from "./world-look.ts";
