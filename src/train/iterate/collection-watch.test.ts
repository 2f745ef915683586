import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { RolloutPlan } from "../../methods/index.ts";
import type { Rollout, SampleRequest } from "../../spec/index.ts";
import { CollectionWatch, findSlowestStage } from "./collection-watch.ts";

const request: SampleRequest = {
  tokens: [1],
  stream: 0,
  maxTokens: 1,
  temperature: 1,
  stopIds: [],
};

function planWithLatency(ms: number): RolloutPlan {
  const sample = async () => {
    if (ms > 0) await wait(ms);
    return { tokens: [1], logprobs: [0], stop: "length", policyVersion: 1 } as const;
  };
  return { policy: { kind: "tokens", sample, release() {} } } as unknown as RolloutPlan;
}

describe("what holds a collection back", () => {
  it("is the model when rollouts wait for samples, and the world when they wait elsewhere", async () => {
    for (const [modelMs, worldMs, expected] of [
      [80, 0, "model"],
      [0, 80, "world"],
    ] as const) {
      const watch = new CollectionWatch();
      const { policy, onDone } = watch.watchPlan(planWithLatency(modelMs));
      if (policy.kind !== "tokens") throw new Error("the policy has tokens");
      await policy.sample(request);
      if (worldMs > 0) await wait(worldMs);
      onDone?.(1, {} as Rollout);
      const timings = watch.read(1);
      // The main thread of a test may be busy, so only the waiting is looked at.
      expect(findSlowestStage({ ...timings, "controller/main_thread": 0 })).toBe(expected);
      expect(timings["controller/lag_ms"]).toBeGreaterThanOrEqual(0);
    }
  });

  it("is the controller when the main thread has no time left", async () => {
    const watch = new CollectionWatch();
    await wait(30);
    for (const end = performance.now() + 600; performance.now() < end; );
    await wait(30);
    const timings = watch.read(1);
    expect(timings["controller/lag_ms"]).toBeGreaterThan(300);
    expect(timings["controller/main_thread"]).toBeGreaterThan(0.3);
    expect(findSlowestStage({ ...timings, "controller/main_thread": 0.9 })).toBe("controller");
  });
});
