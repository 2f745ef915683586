import { expect, test } from "vitest";
import { describeTest } from "./describe-test.ts";

const TEST = { a: "starter/loop", b: "starter/rloo", split: "dev", difference: 0.1 };

test("a test is described with its difference, interval, p-value and note", () => {
  const interval: [number, number] = [0.0004, 0.2];
  expect(
    describeTest({ ...TEST, interval, p: 0.03, note: "paired t test over 5 pairs of runs" }),
  ).toBe(
    "On dev, the score of starter/loop is 10.0 points higher than that of starter/rloo; 95% interval over runs ±0.0 to +20.0; p = 0.030: more than chance would explain. Paired t test over 5 pairs of runs.",
  );
});

test("equal differences are described without an interval, and the note says why", () => {
  const note = "over 2 pairs of runs, which all differ equally, so there is no interval";
  const text = describeTest({
    ...TEST,
    difference: 0.1 + 0.2 - 0.3,
    interval: null,
    p: null,
    note,
  });
  expect(text).toBe(
    "On dev, starter/loop and starter/rloo have the same score. Over 2 pairs of runs, which all differ equally, so there is no interval.",
  );
});
