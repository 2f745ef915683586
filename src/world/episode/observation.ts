/** What the model sees of a cell: what the cell printed, and then what stopped it. */
import type { ApiCall, Limit, StepResult, TaskSession } from "../../spec/index.ts";

export const NO_OUTPUT = "(no output)";

const LIMIT_TEXT: { readonly [L in Limit]: string } = {
  fuel: "it ran too long",
  calls: "it made too many API calls",
  jobs: "it queued too many promise jobs",
  memory: "it used too much memory",
  stack: "it recursed too deeply",
  "wall-clock": "it did not come back",
};

/** Completes a step's result with its text, which is computed from the other fields. */
export function makeStepResult(result: Omit<StepResult, "text">): StepResult {
  return { ...result, text: formatObservation(result) };
}

/** Makes the result of a cell that was ended by a limit. Its variables are undone, but its API calls remain. */
export function makeLimitResult(
  limit: Limit,
  stdout: string,
  calls: readonly ApiCall[],
): StepResult {
  const finished = calls.some(
    ({ app, api, status }) => `${app}.${api}` === "me.finishTask" && status === 200,
  );
  return makeStepResult({ status: "limit", limit, stdout, calls, finished });
}

/** Adds the session that begins with the next cell to a step's result. The text says it to agents that go on reading. */
export function announceSession(
  result: StepResult,
  { number, instruction }: TaskSession,
): StepResult {
  const printed = result.text === NO_OUTPUT ? [] : [result.text];
  const text = [...printed, `Session ${number} begins. ${instruction}`].join("\n");
  return { ...result, finished: false, nextSession: { number, instruction }, text };
}

/** Makes the result of a cell that comes after the end of the task. */
export function finishedResult(): StepResult {
  const error = { name: "TaskFinished", message: "the task is finished; no more code is run" };
  return makeStepResult({ status: "error", stdout: "", error, calls: [], finished: true });
}

function formatObservation({ stdout, error, limit }: Omit<StepResult, "text">): string {
  const lines = stdout === "" ? [] : [stdout.replace(/\n$/, "")];
  if (error) lines.push(`${error.name}: ${error.message}`);
  if (limit)
    lines.push(
      `Limit (${limit}): ${LIMIT_TEXT[limit]}; its variables are undone, its API calls stay made`,
    );
  return lines.length > 0 ? lines.join("\n") : NO_OUTPUT;
}
