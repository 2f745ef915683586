/**
 * A world and its episodes as people may inspect them: tables, documentation, answers of calls, and what each changed.
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
export {
  describeTask,
  describeWorld,
  listTaskPage,
  type TaskDetails,
  type TaskPageRequest,
  type WorldOverview,
} from "./world-inspection.ts";
