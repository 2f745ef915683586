/**
 * Runs cases of one part in this process, for some time, and prints a line of JSON for each event. The campaign starts
 * this program as a child, so that a case that ends the process, or that never ends, is a failure like others.
 *
 * Arguments: a JSON object with `part`, `seed`, `first` (number of the first case), `forMs` and `folder`.
 */
import { mkdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { addCounts, type Counts, caseRng, runAndMinimise } from "./part.ts";
import { findPart } from "./parts.ts";

export interface RunCasesRequest {
  readonly part: string;
  readonly seed: number;
  readonly first: number;
  readonly forMs: number;
  readonly folder: string;
}

/** What the child reports: it is ready, it begins a case, a case failed, or it has finished so many cases. */
export type CaseEvent =
  | { readonly type: "ready" }
  | { readonly type: "case"; readonly number: number }
  | {
      readonly type: "failure";
      readonly number: number;
      readonly steps?: readonly number[];
      readonly failures: readonly string[];
    }
  | { readonly type: "counts"; readonly cases: number; readonly counts: Counts };

// A pipe to the campaign: written at once, because the next case may end the process.
const report = (event: CaseEvent) => writeSync(1, `${JSON.stringify(event)}\n`);

/** Counts are reported once in this time. */
const COUNTS_MS = 1000;

async function runCases({ part: name, seed, first, forMs, folder }: RunCasesRequest) {
  const part = findPart(name);
  mkdirSync(folder, { recursive: true });
  const opened = await part.open(folder);
  report({ type: "ready" });
  const endMs = performance.now() + forMs;
  let [reportedMs, cases, counts] = [performance.now(), 0, {} as Record<string, number>];
  for (let number = first; ; number++) {
    report({ type: "case", number });
    const { outcome, steps } = await runAndMinimise((kept) =>
      opened.runCase(caseRng(seed, name, number), kept, number),
    );
    addCounts(counts, outcome.counts);
    cases += 1;
    const { failures } = outcome;
    if (failures.length > 0) report({ type: "failure", number, failures, ...(steps && { steps }) });
    const isOver = performance.now() >= endMs;
    if (isOver || performance.now() > reportedMs + COUNTS_MS) {
      report({ type: "counts", cases, counts });
      [reportedMs, cases, counts] = [performance.now(), 0, {}];
    }
    if (isOver) break;
  }
  await opened.close();
}

const request = JSON.parse(process.argv[2]!) as RunCasesRequest;
await runCases({ ...request, folder: join(request.folder, request.part) });
process.exit(0);
