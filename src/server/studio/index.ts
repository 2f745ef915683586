/** The studio's server: runs, rollouts, worlds and episodes as JSON, and the web page that shows them. */
export { writeEvaluationReport, writeReport } from "./report/index.ts";
export { openStudio, type Studio, type StudioOptions } from "./studio.ts";
