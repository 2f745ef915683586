/**
 * The kit for stateful API worlds: it defines a world (`define*`), opens it (`openWorld`) and proves it (`checkWorld`).
 */
import type { inspectWorld as InspectWorld } from "./pool/index.ts";

export { type ApiDescription, formatFault } from "./api/index.ts";
export {
  apisWithoutExample,
  computeSplitFacts,
  describeAsValidation,
  type ValidationResult,
} from "./check/index.ts";
export { WorldInstance } from "./episode/index.ts";
export type {
  AnsweredCall,
  AppDetails,
  EpisodeRecord,
  EpisodeState,
  InspectedChange,
  InspectedEpisode,
  InspectedStep,
  TablePageRequest,
  TableRows,
  TaskDetails,
  TaskPageRequest,
  WorldInspector,
  WorldOverview,
} from "./inspect/index.ts";
export * from "./kit.ts";
export type { InspectOptions } from "./pool/index.ts";
export { WorkerDeath } from "./pool/worker-death.ts";
export { namesHosts, readHostAddresses, splitHostAddresses } from "./remote/host-addresses.ts";
export { digestTaskList, type WorldFacts } from "./remote/world-facts.ts";
export * from "./resources/index.ts";

/** Opens a world in one worker, to look inside it and to step through its episodes by hand. */
export const inspectWorld: typeof InspectWorld = async (...args) => {
  const pool = await import("./pool/index.ts");
  return pool.inspectWorld(...args);
};
