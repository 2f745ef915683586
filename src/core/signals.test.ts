import { expect, test, vi } from "vitest";
import { combineSignals } from "./signals.ts";

test("any number of listeners on a combined signal causes no warning, even if it combines only one signal", () => {
  const warned = vi.spyOn(process, "emitWarning");
  const [one, other] = [new AbortController(), new AbortController()];
  expect(combineSignals(undefined, one.signal)).toBe(one.signal);
  for (const signal of [one.signal, combineSignals(one.signal, other.signal)!]) {
    for (let i = 0; i < 30; i++) signal.addEventListener("abort", () => {});
  }
  expect(warned).not.toHaveBeenCalled();
  expect(combineSignals(undefined)).toBeUndefined();
  warned.mockRestore();
});
