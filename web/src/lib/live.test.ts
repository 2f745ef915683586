import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { countEvents, createBatcher, NO_CHANGES, retryDelayMs } from "./live.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("changes in a run", () => {
  it("count up for each part that an event names, and for all parts after hello", () => {
    const one = countEvents(NO_CHANGES, new Set(["rollouts"] as const));
    expect(one).toEqual({ metrics: 0, rollouts: 1, status: 0, progress: 0 });
    expect(countEvents(one, new Set(["hello"] as const))).toEqual({
      metrics: 1,
      rollouts: 2,
      status: 1,
      progress: 1,
    });
  });

  it("are requested again after a delay, which doubles up to a limit", () => {
    expect([0, 1, 2, 20].map(retryDelayMs)).toEqual([500, 1000, 2000, 15_000]);
  });

  it("are passed on at once the first time, and then at most once per second", () => {
    const seen: string[][] = [];
    const events = createBatcher<string>(1000, (names) => seen.push([...names]));
    events.add("a");
    for (const name of ["b", "c", "b"]) events.add(name);
    expect(seen).toEqual([["a"]]);
    vi.advanceTimersByTime(1000);
    expect(seen).toEqual([["a"], ["b", "c"]]);
    vi.advanceTimersByTime(5000);
    events.add("d");
    expect(seen).toHaveLength(3);
    events.add("e");
    events.stop();
    vi.advanceTimersByTime(5000);
    expect(seen).toHaveLength(3);
  });
});
