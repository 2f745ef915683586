/**
 * Measures what holds a collection of rollouts back: the model, the world, or this process, the controller. The numbers
 * depend on the machine, so they go to `timings.jsonl` and change nothing.
 */
import { type IntervalHistogram, monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { RolloutPlan } from "../../methods/index.ts";
import type { Policy } from "../../spec/index.ts";

/** What `timings.jsonl` says about a collection. */
export interface CollectionTimings {
  /** The 99th percentile of how late the main thread was, in milliseconds. */
  readonly "controller/lag_ms": number;
  /** The share of the time in which the main thread worked, from 0 to 1. */
  readonly "controller/main_thread": number;
  /** The share of the rollouts' time in which they waited for the model, from 0 to 1. */
  readonly "controller/waits_for_model": number;
}

/** From this share on, the main thread has no time left, and everything waits for it. */
const BUSY_SHARE = 0.85;
const MIN_MODEL_SHARE = 0.5;
const LAG_RESOLUTION_MS = 10;

/** Says which stage holds a collection back. */
export function findSlowestStage(
  timings: Omit<CollectionTimings, "controller/lag_ms">,
): "model" | "world" | "controller" {
  if (timings["controller/main_thread"] >= BUSY_SHARE) return "controller";
  return timings["controller/waits_for_model"] >= MIN_MODEL_SHARE ? "model" : "world";
}

/** Watches one collection, from its creation until `read`. */
export class CollectionWatch {
  readonly #lag: IntervalHistogram = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  readonly #loop = performance.eventLoopUtilization();
  readonly #startMs = performance.now();
  readonly #endsMs: number[] = [];
  #modelMs = 0;

  constructor() {
    this.#lag.enable();
  }

  /** Returns the plan with a policy whose samples are timed. */
  watchPlan(plan: RolloutPlan): RolloutPlan {
    const onDone: RolloutPlan["onDone"] = (done, rollout) => {
      this.#endsMs.push(performance.now());
      plan.onDone?.(done, rollout);
    };
    return { ...plan, policy: this.#watchPolicy(plan.policy), onDone };
  }

  /** Ends the watch. `episodes` is the most rollouts that could run at once. */
  read(episodes: number): CollectionTimings {
    this.#lag.disable();
    const lagMs = this.#lag.percentile(99) / 1e6;
    const openMs = this.#countOpenMs(episodes);
    return {
      "controller/lag_ms": roundTo(2, Math.max(0, lagMs - LAG_RESOLUTION_MS)),
      "controller/main_thread": roundTo(
        4,
        performance.eventLoopUtilization(this.#loop).utilization,
      ),
      "controller/waits_for_model": roundTo(
        4,
        openMs > 0 ? Math.min(1, this.#modelMs / openMs) : 0,
      ),
    };
  }

  #watchPolicy(policy: Policy): Policy {
    if (policy.kind !== "tokens") return policy;
    const sample: typeof policy.sample = async (request, signal) => {
      const startMs = performance.now();
      try {
        return await policy.sample(request, signal);
      } finally {
        this.#modelMs += performance.now() - startMs;
      }
    };
    return {
      kind: "tokens",
      get filtersSamples() {
        return policy.filtersSamples ?? false;
      },
      sample,
      release: (cacheKey) => policy.release(cacheKey),
    };
  }

  /** Sums the time that rollouts were open. Until few are left, as many are open as may be at once. */
  #countOpenMs(episodes: number): number {
    let fromMs = this.#startMs;
    let openMs = 0;
    this.#endsMs.forEach((endMs, done) => {
      openMs += (endMs - fromMs) * Math.min(episodes, this.#endsMs.length - done);
      fromMs = endMs;
    });
    return openMs;
  }
}

const roundTo = (digits: number, value: number) =>
  Number.isFinite(value) ? Number(value.toFixed(digits)) : 0;
