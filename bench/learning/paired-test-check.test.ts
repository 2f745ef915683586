import { expect, test } from "vitest";
import { shareFound } from "./paired-test-check.ts";

const DIFFERENCES = [0.01, -0.02, 0.03, -0.01, 0.02, -0.03, 0.015, -0.025];

test("the paired test finds a large planted difference, and seldom one where there is none", () => {
  expect(shareFound(DIFFERENCES, 0.1, 500)).toBeGreaterThan(0.99);
  expect(shareFound(DIFFERENCES, 0, 2000)).toBeLessThan(0.08);
  expect(shareFound(DIFFERENCES, 0, 2000)).toBeGreaterThan(0.01);
});
