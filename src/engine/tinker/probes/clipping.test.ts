import { expect, test } from "vitest";
import { isStepClipped } from "./clipping.ts";

test.each([
  [0.0001, true],
  [0.19, true],
  [0.2, false],
  [1, false],
  [-0.19, true],
  [-1, false],
])(
  "a step that moves by %d of what it does without a bound is clipped: %s",
  (clipped, expected) => {
    expect(isStepClipped({ clipped, free: 1 })).toBe(expected);
    expect(isStepClipped({ clipped: -3 * clipped, free: 3 })).toBe(expected);
  },
);
