/**
 * Watches one lesson of the warm start: it must end in time, and when it does not, the error says who did not return,
 * the teacher or the agent.
 */
import { combineSignals, runWithinTimeLimit } from "../../core/index.ts";

export interface LessonWatch {
  /** Aborts when the run is cancelled or the lesson has taken too long. */
  readonly signal: AbortSignal;
  /** Wraps the teacher, so that it is known whether it is at work. A loop in the teacher is interrupted. */
  watchTeacher<R, A>(teach: (request: R) => A | Promise<A>): (request: R) => Promise<A>;
  /** Runs the lesson to its end. Rejects when it takes too long, with an error that names the culprit. */
  runToEnd<T>(run: () => Promise<T>): Promise<T>;
}

/** Starts to watch a lesson. `cancelled` is the signal of the run. */
export function watchLesson(seconds: number, cancelled: AbortSignal | undefined): LessonWatch {
  const timeLimit = new AbortController();
  const signal = combineSignals(timeLimit.signal, cancelled) ?? timeLimit.signal;
  let answers = 0;
  let answering = 0;
  const explainTimeout = () =>
    new Error(
      `${answering > 0 ? `the teacher had not answered request ${answers + 1}` : `the agent (\`run\`) had not returned after ${answers} answers of the teacher`} within scaffold.episodeSeconds (${seconds})`,
    );
  return {
    signal,
    watchTeacher: (teach) => async (request) => {
      answering += 1;
      try {
        const answer = await runWithinTimeLimit(
          seconds * 1000,
          () => teach(request),
          explainTimeout,
        );
        answers += 1;
        return answer;
      } finally {
        answering -= 1;
      }
    },
    async runToEnd(run) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const error = explainTimeout();
          timeLimit.abort(error);
          reject(error);
        }, seconds * 1000);
      });
      const stopped = new Promise<never>((_, reject) =>
        cancelled?.addEventListener("abort", () => reject(cancelled.reason), { once: true }),
      );
      try {
        return await Promise.race([run(), late, stopped]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
