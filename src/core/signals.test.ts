import { getMaxListeners } from "node:events";
import { expect, test } from "vitest";
import { anySignal } from "./signals.ts";

test("a signal may be heard by as many as there are episodes, also where it is the only one", () => {
  const [one, other] = [new AbortController(), new AbortController()];
  expect(anySignal(undefined, one.signal)).toBe(one.signal);
  expect(getMaxListeners(one.signal)).toBe(0);
  expect(getMaxListeners(anySignal(one.signal, other.signal)!)).toBe(0);
  expect(anySignal(undefined)).toBeUndefined();
});
