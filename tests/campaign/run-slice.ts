/** Runs cases of a part in a child process, and notices when the child dies or hangs. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Part } from "./part.ts";
import type { Results } from "./results.ts";
import type { CaseEvent, RunCasesRequest } from "./run-cases.ts";

interface Slice extends Omit<RunCasesRequest, "part"> {
  readonly part: Part;
}

/** A part is opened within this time, also on a busy machine. */
const OPEN_LIMIT_MS = 180_000;
/** The most of what the child wrote to stderr that a failure quotes. */
const STDERR_CHARACTERS = 2000;

/** Runs cases from number `first` on, for `forMs`. Returns the number of the last case that began. */
export async function runSlice(slice: Slice, results: Results): Promise<number> {
  const { part } = slice;
  const child = startChild({ ...slice, part: part.name });
  let [current, isReady, stderr, hung] = [slice.first, false, "", false];
  let timer: NodeJS.Timeout | undefined;
  const expectNextEvent = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      hung = true;
      child.kill("SIGKILL");
    }, ms);
  };
  expectNextEvent(OPEN_LIMIT_MS);
  child.stderr!.on("data", (chunk) => {
    stderr = (stderr + chunk).slice(-STDERR_CHARACTERS);
  });
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const event = parseEvent(line);
    if (event === undefined) return;
    expectNextEvent(part.caseLimitMs);
    if (event.type === "ready") isReady = true;
    if (event.type === "case") current = event.number;
    if (event.type === "counts") results.addCases(part.name, event.cases, event.counts);
    if (event.type === "failure")
      results.addFailure(part.name, event.number, event.failures, event.steps);
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  if (code !== 0) {
    const what = hung ? "it did not end in time" : `the process ended with ${code}`;
    const where = isReady ? "" : " while the part was opened";
    results.addFailure(part.name, current, [`${what}${where}: ${stderr}`]);
  }
  return current;
}

function startChild(request: RunCasesRequest): ChildProcess {
  const program = fileURLToPath(new URL("run-cases.ts", import.meta.url));
  return spawn(process.execPath, [...process.execArgv, program, JSON.stringify(request)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function parseEvent(line: string): CaseEvent | undefined {
  try {
    return JSON.parse(line) as CaseEvent;
  } catch {
    return undefined;
  }
}
