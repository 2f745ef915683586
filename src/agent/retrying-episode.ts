/**
 * An episode that retries its task with feedback. When the agent finishes and has failed, a fresh episode opens behind
 * the same conversation. The rollout loop sees a single episode, which earns the reward of its last attempt.
 */

import type { Episode, Evaluation, StepResult } from "../spec/index.ts";
import { evaluateEpisode } from "./evaluate-episode.ts";

export interface RetryOptions {
  /** The number of attempts, including the first. */
  readonly attempts: number;
  /** Says what the agent is told after a failure: only that it failed, or also which checks failed. */
  readonly feedback: "try-again" | "checks";
}

/** An attempt that the agent ended by finishing the task. */
export interface RetryAttempt {
  /** The index of the code cell that ended the attempt, counted over all attempts. */
  readonly cell: number;
  /** The share of the attempt's checks that passed, from 0 to 1. */
  readonly passedShare: number;
}

export interface RetryingEpisode extends Episode {
  readonly attempts: readonly RetryAttempt[];
}

interface RetryProgress {
  readonly cells: number;
  readonly attempts: readonly RetryAttempt[];
}

/** Wraps an episode so that a failed task is tried again. The result owns `first` and every episode that it opens. */
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
    const evaluation = await evaluateEpisode(currentEpisode);
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

/** The agent reads this text after a failed attempt. */
export const TRY_AGAIN = "That is not right. Try again.";

function composeFeedback({ checks }: Evaluation, feedback: RetryOptions["feedback"]): string {
  if (feedback === "try-again") return TRY_AGAIN;
  const failed = checks.filter((check) => !check.passed).map(({ name }) => name);
  return `${TRY_AGAIN} Failed: ${failed.join("; ")}`;
}
