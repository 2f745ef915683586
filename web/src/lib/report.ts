/**
 * The report that this page is, if it was opened as `report.html`: then the page contains the answers of the API, and
 * no server is asked.
 */
import type { Report } from "../../../src/spec/studio/index.ts";

let report: Report | undefined;

/** Reads the report that the page contains. Returns whether it contains one. */
export function loadReport(): boolean {
  const text = document.getElementById("report")?.textContent;
  if (text) report = JSON.parse(text) as Report;
  return report !== undefined;
}

/** Returns the report that this page is; undefined in the studio. */
export function getReport(): Report | undefined {
  return report;
}

/** Returns true if the report contains the rollout. */
export function isInReport(file: string, rollout: string): boolean {
  return report?.rollouts.some((one) => one.file === file && one.rollout === rollout) === true;
}

/**
 * Returns the answer to a request of the API. The checks of test splits are in the report, and are shown as in the
 * studio only if the reader asks for them.
 */
export function findAnswer(path: string, query: Readonly<Record<string, unknown>>): unknown {
  const answer = report?.answers[path];
  const isView = typeof answer === "object" && answer !== null && "hidden" in answer;
  return isView && query["checks"] === "1" ? { ...answer, hidden: false } : answer;
}
