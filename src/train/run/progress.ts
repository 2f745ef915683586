/**
 * Turns finished steps into lines of metrics, lines of timings and progress events. Rates and the remaining time are
 * measured within a phase. They are written to `timings.jsonl` and shown to people, but never written to
 * `metrics.jsonl`.
 */
import type { Stopwatch } from "../../core/index.ts";
import type { ProgressReport, Rollout } from "../../spec/index.ts";
import type { OnEvent, RunPhase } from "./events.ts";
import type { ReportProgress } from "./progress-file.ts";
import type { RunStore } from "./run-store.ts";

/** The amount of work in a step, from which rates are computed. */
export interface StepWork {
  readonly tokens?: number;
  readonly rollouts?: number;
  /** The seconds that each part of the step took, and other timings, by name. */
  readonly seconds?: { readonly [part: string]: number };
}

/** Records the progress of a run and reports it as events. */
export interface Progress {
  /** Starts a phase. Rates and the remaining time are measured from its start. */
  startPhase(phase: RunPhase, detail: string, steps?: number): void;
  /** Records a step of the warm start or the loop. */
  recordStep(
    phase: "warm" | "loop",
    step: number,
    steps: number,
    metrics: { readonly [name: string]: number },
    work: StepWork,
  ): void;
  /** Counts a finished rollout of the evaluations that `startPhase` announced. */
  countEvaluation(rollout: Rollout): void;
  runDemonstrations<T>(
    count: number,
    work: (onDone: (done: number) => void) => Promise<T>,
  ): Promise<T>;
  runTokenizerTraining(work: () => string): string;
}

/** About this many progress reports are made for evaluations and for demonstrations, instead of one report each. */
const MAX_REPORTS = 24;

export function createProgress(
  onEvent: OnEvent,
  store: Pick<RunStore, "appendMetrics" | "appendTiming">,
  watch: Stopwatch,
  reportProgress: ReportProgress = () => {},
): Progress {
  let phaseReport: Pick<ProgressReport, "phase" | "detail"> = { phase: "world", detail: "" };
  let startedAt = watch.seconds();
  let first = 0;
  let last = startedAt;
  let evaluated = 0;
  let evaluations = 0;

  const start: Progress["startPhase"] = (phase, detail, steps) => {
    startedAt = watch.seconds();
    last = startedAt;
    first = -1;
    evaluated = 0;
    evaluations = phase === "eval" ? (steps ?? 0) : 0;
    const total = steps === undefined ? {} : { steps };
    phaseReport = { phase, detail };
    reportProgress({ ...phaseReport, ...(steps !== undefined && { step: 0 }), ...total }, true);
    onEvent({ type: "phase-start", phase, detail, ...total });
  };

  const reportCount = (phase: RunPhase, done: number, total: number) => {
    const perSecond = done / Math.max(watch.seconds() - startedAt, 1e-9);
    const secondsLeft = Math.max(0, total - done) / perSecond;
    const counts = { step: done, steps: total, rolloutsPerSecond: perSecond, secondsLeft };
    reportProgress({ ...phaseReport, ...counts });
    if (done % Math.ceil(total / MAX_REPORTS) !== 0 && done !== total) return;
    onEvent({ type: "progress", phase, ...counts, metrics: {} });
  };

  return {
    startPhase: start,
    recordStep(phase, step, steps, metrics, { tokens, rollouts, seconds: parts }) {
      const now = watch.seconds();
      const seconds = Math.max(now - last, 1e-9);
      if (first < 0) first = step - 1;
      const secondsLeft = ((now - startedAt) / (step - first)) * (steps - step);
      const rates = {
        ...(rollouts !== undefined && { rolloutsPerSecond: rollouts / seconds }),
        ...(tokens !== undefined && { tokensPerSecond: tokens / seconds }),
      };
      last = now;
      store.appendMetrics({ phase, step, ...metrics });
      store.appendTiming({ phase, step, seconds, elapsed: now, ...rates, ...parts });
      reportProgress({ ...phaseReport, step, steps, secondsLeft, ...rates });
      onEvent({ type: "progress", phase, step, steps, secondsLeft, ...rates, metrics });
    },
    countEvaluation() {
      if (evaluations > 0) reportCount("eval", Math.min(++evaluated, evaluations), evaluations);
    },
    async runDemonstrations(count, work) {
      start("world", "running demonstrations", count);
      return work((done) => reportCount("world", done, count));
    },
    runTokenizerTraining(work) {
      start("tokenizer", "byte-pair encoding of the demonstrations");
      return work();
    },
  };
}
