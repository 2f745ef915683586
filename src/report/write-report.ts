/** `report.html`: one self-contained file made from a run directory, at any time of the run. */

import { join } from "node:path";
import { requireNonEmptyText, requireParentFolder, writeFileAtomic } from "../core/index.ts";
import { reportPage } from "./page.ts";
import { readRun } from "./run-directory.ts";
import { sampleRollouts } from "./sample.ts";
import { tokenTextOf } from "./token-text.ts";

/**
 * Writes the report of the run in `directory` and returns its path. Throws a `config` error when there is no run, or no
 * folder for `file`: none is made.
 */
export function writeReport(directory: string, file?: string): string {
  requireNonEmptyText("the run", directory, "the path of a run directory");
  const run = readRun(directory);
  const path = file ?? join(directory, "report.html");
  requireParentFolder(path);
  writeFileAtomic(path, reportPage(run, sampleRollouts(run), tokenTextOf(directory)));
  return path;
}
