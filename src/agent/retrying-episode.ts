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
  readonly passedShare: number;
}

export interface RetryingEpisode extends Episode {
  readonly attempts: readonly Attempt[];
}

interface RetryProgress {
  readonly cells: number;
  readonly attempts: readonly Attempt[];
}

/** Owns `first` and whatever it opens. */
export function retryingEpisode(
  first: Episode,
  open: () => Promise<Episode>,
  options: RetryOptions,
  progress: RetryProgress = { cells: 0, attempts: [] },
): RetryingEpisode {
  let currentEpisode = first;
  let { cells } = progress;
  const attempts = [...progress.attempts];

  const finishAttempt = async (result: StepResult): Promise<StepResult> => {
    const evaluation = await currentEpisode.evaluate();
    attempts.push({ cell: cells - 1, passedShare: shareOfChecksPassed(evaluation) });
    if (evaluation.passed || attempts.length >= options.attempts) return result;
    await currentEpisode.close();
    currentEpisode = await open();
    const feedback = composeFeedback(evaluation, options.feedback);
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
      const result = await currentEpisode.step(code, signal);
      cells += 1;
      return result.finished ? finishAttempt(result) : result;
    },
    evaluate: () => currentEpisode.evaluate(),
    fork: async () =>
      retryingEpisode(await currentEpisode.fork(), open, options, { cells, attempts }),
    close: () => currentEpisode.close(),
  };
}

function shareOfChecksPassed({ passed, checks }: Evaluation): number {
  if (checks.length === 0) return Number(passed);
  return checks.filter((check) => check.passed).length / checks.length;
}

/** What a failed attempt is told. */
export const TRY_AGAIN = "That is not right. Try again.";

function composeFeedback({ checks }: Evaluation, feedback: RetryOptions["feedback"]): string {
  if (feedback === "try-again") return TRY_AGAIN;
  const failed = checks.filter((check) => !check.passed).map(({ name }) => name);
  return `${TRY_AGAIN} Failed: ${failed.join("; ")}`;
}
