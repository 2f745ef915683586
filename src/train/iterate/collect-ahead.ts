/**
 * Collects the rollouts of iterations before the learner needs them (`algo.staleness`), so that sampling does not wait
 * for training.
 *
 * With staleness S, the policy version that was published after iteration n - 1 - S samples all of iteration n. So
 * rollouts lag by at most S versions. Which version samples depends only on the iteration, so equal runs stay equal,
 * however sampling and training overlap.
 */

import { enginePolicy } from "../../agent/index.ts";
import { combineSignals, createConcurrencyLimiter } from "../../core/index.ts";
import type { RolloutPlan } from "../../methods/index.ts";
import { readStaleness } from "../config/config.ts";
import { countEpisodesAtOnce } from "../config/memory-plan.ts";
import type { TrainingRun } from "../run/training-run.ts";

/** Collects the rollouts of a run's iterations, either one iteration at a time or ahead of the learner. */
export interface IterationCollector<T> {
  /** Returns the rollouts of an iteration, counted from 1, and starts all iterations that may now start. */
  take(number: number): Promise<T>;
  /** Called after each publication, with the learner's version. */
  onPublished(version: number): void;
  /**
   * The version of the policy that computed the last update; undefined if iterations are not collected ahead. The lag
   * of a rollout is counted from it.
   */
  readonly learnerVersion: number | undefined;
  /** Cancels the iterations that are being collected ahead. Resolves when none of them runs any more. */
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
  const episodes = createConcurrencyLimiter(countEpisodesAtOnce(config));
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
      // Rollouts record the version that sampled them, so a version must have been published.
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

/** Schedules iterations so that they start before the learner takes their results. */
export interface AheadSchedule<T> {
  /** Returns the result of an iteration, counted from 1, and starts all iterations that may now start. */
  take(iteration: number): Promise<T>;
  /** Cancels the iterations that are being collected ahead. Resolves when none of them runs any more. */
  stop(): Promise<void>;
}

/** Starts up to `staleness` iterations before the learner takes them. `cancel` must make the running ones reject. */
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
        // `take` throws this error later. Until then, it must not count as an unhandled rejection.
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
