/**
 * The same task again with feedback: an episode that, when the agent has finished and failed, opens a fresh one behind the
 * same dialogue. To the loop it is one episode; what the last attempt earned is what it earns.
 */
import type { Episode, Evaluation, StepResult } from "../spec/index.ts";

export interface RetryOptions {
  /** In all. */
  readonly attempts: number;
  /** What is said after a failure: that it failed, or also which checks did. */
  readonly feedback: "try-again" | "checks";
}

/** An attempt that the agent ended. */
export interface Attempt {
  /** Index of the cell that ended it, over all attempts. */
  readonly cell: number;
  /** Share of its checks that passed, 0..1. */
  readonly worth: number;
}

export interface RetryingEpisode extends Episode {
  readonly attempts: readonly Attempt[];
}

interface Progress {
  readonly cells: number;
  readonly attempts: readonly Attempt[];
}

/** Owns `first` and whatever it opens. */
export function retryingEpisode(
  first: Episode,
  open: () => Promise<Episode>,
  options: RetryOptions,
  before: Progress = { cells: 0, attempts: [] },
): RetryingEpisode {
  let present = first;
  let { cells } = before;
  const attempts = [...before.attempts];

  const ended = async (result: StepResult): Promise<StepResult> => {
    const evaluation = await present.evaluate();
    attempts.push({ cell: cells - 1, worth: worthOf(evaluation) });
    if (evaluation.passed || attempts.length >= options.attempts) return result;
    await present.close();
    present = await open();
    const feedback = feedbackOn(evaluation, options.feedback);
    return {
      ...result,
      finished: false,
      text: [result.text.trimEnd(), feedback].join("\n").trim(),
    };
  };

  return {
    task: first.task,
    attempts,
    step: async (code, signal) => {
      const result = await present.step(code, signal);
      cells += 1;
      return result.finished ? ended(result) : result;
    },
    evaluate: () => present.evaluate(),
    fork: async () => retryingEpisode(await present.fork(), open, options, { cells, attempts }),
    close: () => present.close(),
  };
}

function worthOf({ passed, checks }: Evaluation): number {
  if (checks.length === 0) return Number(passed);
  return checks.filter((check) => check.passed).length / checks.length;
}

/** What a failed attempt is told. */
export const TRY_AGAIN = "That is not right. Try again.";

function feedbackOn({ checks }: Evaluation, feedback: RetryOptions["feedback"]): string {
  if (feedback === "try-again") return TRY_AGAIN;
  const failed = checks.filter((check) => !check.passed).map(({ name }) => name);
  return `${TRY_AGAIN} Failed: ${failed.join("; ")}`;
}
