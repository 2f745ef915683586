/** Reports of runs and evaluations: the studio's page as one file. */
export { writeEvaluationReport, writeReport } from "./write-report.ts";
