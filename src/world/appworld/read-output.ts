/** Reads the text that AppWorld returns for a cell of Python. The agent sees this text as it is. */
import type { StepResult } from "../../spec/index.ts";

/** How a failed cell begins. What it had printed before the error is not in the text. */
const FAILURE = "Execution failed. Traceback:";
const NOTHING_PRINTED = "Execution successful.";

/** Turns the text of a cell into its result. Which APIs it called is not known, so `calls` is empty. */
export function readCellOutput(output: string, finished: boolean): StepResult {
  const shared = { calls: [], finished, text: output.trimEnd() };
  if (!output.startsWith(FAILURE)) {
    const stdout = output.trim() === NOTHING_PRINTED ? "" : output;
    return { status: "ok", stdout, ...shared };
  }
  const limit = findLimit(output);
  if (limit) return { status: "limit", limit, stdout: "", ...shared };
  return { status: "error", stdout: "", error: findError(output), ...shared };
}

function findLimit(output: string): StepResult["limit"] {
  if (/Exception: Execution timed out after \d+ seconds/.test(output)) return "wall-clock";
  if (/Exception: Number of requests exceeded the limit/.test(output)) return "calls";
  return undefined;
}

/** Returns the error of a traceback: the first line that begins with the name of an exception, and what follows it. */
function findError(output: string): NonNullable<StepResult["error"]> {
  const text = output.slice(FAILURE.length).trim();
  const match = /^([A-Z]\w*(?:Error|Exception|Exit|Interrupt)): ?([\s\S]*)$/m.exec(text);
  if (match) return { name: match[1]!, message: match[2]!.trim() };
  return { name: text.startsWith("Syntax error") ? "SyntaxError" : "Error", message: text };
}

/** The result of a cell that did not come back, so that its server was ended. The cells before it still count. */
export function makeLostCellResult(seconds: number): StepResult {
  const text = `${FAILURE}\nException: The code did not come back within ${seconds} seconds and was ended. What it did is undone.`;
  return { status: "limit", limit: "wall-clock", stdout: "", calls: [], finished: false, text };
}
