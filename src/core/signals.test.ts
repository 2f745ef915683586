import { expect, test, vi } from "vitest";
import { anySignal } from "./signals.ts";

test("a signal may be heard by as many as there are episodes, also where it is the only one", () => {
  const warned = vi.spyOn(process, "emitWarning");
  const [one, other] = [new AbortController(), new AbortController()];
  expect(anySignal(undefined, one.signal)).toBe(one.signal);
  for (const signal of [one.signal, anySignal(one.signal, other.signal)!]) {
    for (let i = 0; i < 30; i++) signal.addEventListener("abort", () => {});
  }
  expect(warned).not.toHaveBeenCalled();
  expect(anySignal(undefined)).toBeUndefined();
  warned.mockRestore();
});
