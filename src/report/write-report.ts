/**
 * Writes `report.html`, a single file that needs no other file, from a run directory. It can be written at any time
 * during a run.
 */

import { join } from "node:path";
import { requireNonEmptyText, requireParentFolder, writeFileAtomic } from "../core/index.ts";
import { renderReportPage } from "./report-page.ts";
import { selectReportRollouts } from "./rollout-selection.ts";
import { readRun } from "./run-directory.ts";
import { loadTokenDecoder } from "./token-text.ts";

/**
 * Writes the report of the run in `directory` and returns its path. Throws a `config` error when there is no run, or
 * when the folder of `file` does not exist.
 */
export function writeReport(directory: string, file?: string): string {
  requireNonEmptyText("the run", directory, "the path of a run directory");
  const run = readRun(directory);
  const path = file ?? join(directory, "report.html");
  requireParentFolder(path);
  writeFileAtomic(
    path,
    renderReportPage(run, selectReportRollouts(run), loadTokenDecoder(directory)),
  );
  return path;
}
