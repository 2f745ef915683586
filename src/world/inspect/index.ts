/**
 * Lets people inspect a world and its episodes: tables, documentation, answers of calls, and what each call changed.
 */

export {
  type AppDetails,
  describeApp,
  readTablePage,
  type TablePageRequest,
  type TableRows,
} from "./app-and-table-inspection.ts";
export {
  type AnsweredCall,
  type EpisodeState,
  type InspectedChange,
  readEpisodeState,
  runRecordedStep,
} from "./episode-inspection.ts";
export { type Inventory, takeInventory } from "./inventory.ts";
export {
  describeTask,
  describeWorld,
  listTaskPage,
  type TaskDetails,
  type TaskPageRequest,
  type WorldOverview,
} from "./world-inspection.ts";
export type {
  EpisodeRecord,
  InspectedEpisode,
  InspectedStep,
  WorldInspector,
} from "./world-inspector.ts";
