/**
 * Iterations collected ahead of the learner (`algo.staleness`), so that sampling does not wait for training.
 *
 * With staleness S, iteration n is collected by the version that was published after iteration n - 1 - S, all of its
 * turns by that one. So at most S versions lie between the policy that sampled and the one that learns, who samples
 * what depends on nothing but the iteration, and equal runs stay equal whatever overlaps.
 */
import { enginePolicy } from "../../agent/index.ts";
import { combineSignals, createConcurrencyLimiter } from "../../core/index.ts";
import type { RolloutPlan } from "../../methods/index.ts";
import { readStaleness } from "../config/config.ts";
import type { TrainingRun } from "../run/training-run.ts";

export interface Collecting<T> {
  /** What a 1-based iteration collected; starts all that may start by now. */
  take(number: number): Promise<T>;
  /** The learner's version from now on. */
  published(version: number): void;
  /** The version that the newest update was learned by; undefined where nothing is collected ahead. */
  readonly learnedBy: number | undefined;
  /** Gives up what runs ahead. Resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** What binds a collection to the version that was the newest when it began; live episodes are shared with others. */
export type VersionBinding = Pick<RolloutPlan, "policy" | "limiter" | "signal">;

/** `collect`: a 1-based iteration, under what binds it. */
export function createCollectingAhead<T>(
  { config, engine, signal }: Pick<TrainingRun, "config" | "engine" | "signal">,
  collect: (number: number, bound: VersionBinding) => Promise<T>,
): Collecting<T> {
  const episodes = createConcurrencyLimiter(config.world.episodes);
  const cancelled = new AbortController();
  let version: number | undefined;
  let learnedBy: number | undefined;
  const ahead = scheduleAhead(
    { staleness: readStaleness(config), iterations: config.algo.iterations },
    (number) =>
      collect(number, {
        policy: enginePolicy(engine, version),
        limiter: episodes,
        signal: combineSignals(cancelled.signal, signal),
      }),
    () => cancelled.abort(new Error("not needed any more")),
  );
  return {
    async take(number) {
      // What is collected names the policy that samples it.
      version ??= await engine.publish();
      return ahead.take(number);
    },
    published(now) {
      learnedBy = version;
      version = now;
    },
    get learnedBy() {
      return learnedBy;
    },
    stop: () => ahead.stop(),
  };
}

export interface AheadSchedule<T> {
  /** What the 1-based iteration collected. Starts all that may start by now. */
  take(iteration: number): Promise<T>;
  /** Gives up what runs ahead. Resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** `cancel` makes the collections that run reject. */
export function scheduleAhead<T>(
  { staleness, iterations }: { readonly staleness: number; readonly iterations: number },
  collect: (iteration: number) => Promise<T>,
  cancel: () => void,
): AheadSchedule<T> {
  const running = new Map<number, Promise<T>>();
  let started = 0;
  return {
    take(iteration) {
      const last = Math.min(iteration + staleness, iterations);
      for (let next = Math.max(started + 1, iteration); next <= last; next++) {
        const collected = collect(next);
        // Whoever takes it sees the error; until then nobody must.
        collected.catch(() => {});
        running.set(next, collected);
        started = next;
      }
      const taken = running.get(iteration);
      running.delete(iteration);
      return taken ?? Promise.reject(new Error(`invariant violated: ${iteration} was taken twice`));
    },
    async stop() {
      if (running.size === 0) return;
      cancel();
      await Promise.allSettled(running.values());
      running.clear();
    },
  };
}
