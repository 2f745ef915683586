/**
 * Turns finished steps into metric lines, timing lines and progress events. Rates and the time left are measured within
 * a phase; they go to `timings.jsonl` and to people, never to `metrics.jsonl`.
 */
import type { Stopwatch } from "../../core/index.ts";
import type { Rollout } from "../../spec/index.ts";
import type { OnEvent, Phase } from "./events.ts";
import type { RunStore } from "./run-store.ts";

/** Work that a step did, for rates. */
export interface Work {
  readonly tokens?: number;
  readonly rollouts?: number;
  /** Seconds of its parts, by name. */
  readonly seconds?: { readonly [part: string]: number };
}

export interface Progress {
  start(phase: Phase, detail: string, steps?: number): void;
  /** Records a step of the warm start or the loop. */
  step(
    phase: "warm" | "loop",
    step: number,
    steps: number,
    metrics: { readonly [name: string]: number },
    work: Work,
  ): void;
  /** Counts a rollout of the evaluations that `start` announced. */
  evaluated(rollout: Rollout): void;
  demonstrations<T>(
    count: number,
    work: (onDone: (done: number) => void) => Promise<T>,
  ): Promise<T>;
  tokenizer(work: () => string): string;
}

/** Evaluations and demonstrations are told in about so many steps, not one by one. */
const TOLD = 24;

export function progressOf(onEvent: OnEvent, store: RunStore, watch: Stopwatch): Progress {
  let begun = watch.seconds();
  let first = 0;
  let last = begun;
  let evaluated = 0;
  let evaluations = 0;

  const start: Progress["start"] = (phase, detail, steps) => {
    begun = watch.seconds();
    last = begun;
    first = -1;
    evaluated = 0;
    evaluations = phase === "eval" ? (steps ?? 0) : 0;
    onEvent({ type: "phase-start", phase, detail, ...(steps !== undefined && { steps }) });
  };

  const counted = (phase: Phase, done: number, total: number) => {
    if (done % Math.ceil(total / TOLD) !== 0 && done !== total) return;
    const perSecond = done / Math.max(watch.seconds() - begun, 1e-9);
    onEvent({
      type: "progress",
      phase,
      step: done,
      steps: total,
      rolloutsPerSecond: perSecond,
      secondsLeft: Math.max(0, total - done) / perSecond,
      metrics: {},
    });
  };

  return {
    start,
    step(phase, step, steps, metrics, { tokens, rollouts, seconds: parts }) {
      const now = watch.seconds();
      const seconds = Math.max(now - last, 1e-9);
      if (first < 0) first = step - 1;
      const secondsLeft = ((now - begun) / (step - first)) * (steps - step);
      const rates = {
        ...(rollouts !== undefined && { rolloutsPerSecond: rollouts / seconds }),
        ...(tokens !== undefined && { tokensPerSecond: tokens / seconds }),
      };
      last = now;
      store.appendMetrics({ phase, step, ...metrics });
      store.appendTiming({ phase, step, seconds, elapsed: now, ...rates, ...parts });
      onEvent({ type: "progress", phase, step, steps, secondsLeft, ...rates, metrics });
    },
    evaluated() {
      if (evaluations > 0) counted("eval", Math.min(++evaluated, evaluations), evaluations);
    },
    async demonstrations(count, work) {
      start("world", "running demonstrations", count);
      return work((done) => counted("world", done, count));
    },
    tokenizer(work) {
      start("tokenizer", "byte-pair encoding of the demonstrations");
      return work();
    },
  };
}
