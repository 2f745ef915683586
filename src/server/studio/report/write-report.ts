/**
 * Writes `report.html`: the studio's page with its data inside, in one file that needs no server and no network. The
 * report of a run can be written at any time during the run.
 */
import { join } from "node:path";
import { requireNonEmptyText, requireParentFolder, writeFileAtomic } from "../../../core/index.ts";
import { readRun } from "../../../report/index.ts";
import type { EvaluateResult } from "../../../train/index.ts";
import { PAGE_FOLDER, readPageBundle } from "../page-files.ts";
import { collectEvaluationReport } from "./evaluation-report.ts";
import { renderReportPage } from "./report-page.ts";
import { collectRunReport } from "./run-report.ts";

/**
 * Writes the report of the run in `directory` and resolves to its path. Rejects with a `config` error when there is no
 * run, when the folder of `file` does not exist, or when the studio's page was not built.
 */
export async function writeReport(directory: string, file?: string): Promise<string> {
  requireNonEmptyText("the run", directory, "the path of a run directory");
  const run = readRun(directory);
  const path = file ?? join(directory, "report.html");
  requireParentFolder(path);
  const bundle = readPageBundle(PAGE_FOLDER);
  writeFileAtomic(path, renderReportPage(bundle, await collectRunReport(run)));
  return path;
}

/**
 * Writes `report.html` into the folder and returns its path. Throws a `config` error when the folder does not exist, or
 * when the studio's page was not built.
 */
export function writeEvaluationReport(directory: string, result: EvaluateResult): string {
  const path = join(directory, "report.html");
  requireParentFolder(path);
  const bundle = readPageBundle(PAGE_FOLDER);
  writeFileAtomic(path, renderReportPage(bundle, collectEvaluationReport(result)));
  return path;
}
