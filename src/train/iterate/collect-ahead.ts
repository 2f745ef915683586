/**
 * Collects iterations ahead of the learner (`algo.staleness`), so that sampling does not wait for training.
 *
 * With staleness S, the version that was published after iteration n - 1 - S samples all of iteration n. So rollouts
 * lag by at most S versions. Which version samples depends only on the iteration, so equal runs stay equal, however
 * work overlaps.
 */
import { enginePolicy } from "../../agent/index.ts";
import { combineSignals, createConcurrencyLimiter } from "../../core/index.ts";
import type { RolloutPlan } from "../../methods/index.ts";
import { readStaleness } from "../config/config.ts";
import type { TrainingRun } from "../run/training-run.ts";

/** Collects the iterations of a run, in order or ahead. */
export interface IterationCollector<T> {
  /** Returns what an iteration collected, counted from 1, and starts all iterations that may start now. */
  take(number: number): Promise<T>;
  /** Is called with the learner's version after each publication. */
  onPublished(version: number): void;
  /**
   * The version of the policy that computed the last update; undefined if iterations are not collected ahead. The lag
   * of a rollout is counted from it.
   */
  readonly learnerVersion: number | undefined;
  /** Cancels iterations that run ahead. Resolves when none runs any more. */
  stop(): Promise<void>;
}

/**
 * The fields of a plan that pin the policy version which samples an iteration. All iterations share the limit on
 * episodes.
 */
export type PinnedVersion = Pick<RolloutPlan, "policy" | "limiter" | "signal">;

/** Creates a collector that runs ahead. `collect` collects one iteration with the policy version that it gets. */
export function createCollectorAhead<T>(
  { config, engine, signal }: Pick<TrainingRun, "config" | "engine" | "signal">,
  collect: (number: number, pinned: PinnedVersion) => Promise<T>,
): IterationCollector<T> {
  const episodes = createConcurrencyLimiter(config.world.episodes);
  const cancelled = new AbortController();
  let version: number | undefined;
  let learnerVersion: number | undefined;
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
      // Rollouts record the version that sampled them, so there must be a published one.
      version ??= await engine.publish();
      return ahead.take(number);
    },
    onPublished(now) {
      learnerVersion = version;
      version = now;
    },
    get learnerVersion() {
      return learnerVersion;
    },
    stop: () => ahead.stop(),
  };
}

/** Starts iterations ahead of the one that is taken. */
export interface AheadSchedule<T> {
  /** Returns what an iteration collected, counted from 1, and starts all iterations that may start now. */
  take(iteration: number): Promise<T>;
  /** Cancels iterations that run ahead. Resolves when none runs any more. */
  stop(): Promise<void>;
}

/** Schedules up to `staleness` iterations ahead of the one that is taken. `cancel` must make running ones reject. */
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
        // `take` passes an error on. Until then, it must not count as an unhandled rejection.
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
