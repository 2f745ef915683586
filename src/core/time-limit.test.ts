import { expect, test } from "vitest";
import { runWithinTimeLimit } from "./time-limit.ts";

const onTimeout = () => new Error("too slow");

test("a function that does not return is interrupted, also when it catches everything", () => {
  const loops = () => {
    try {
      for (;;);
    } finally {
      for (;;);
    }
  };
  expect(() => runWithinTimeLimit(50, loops, onTimeout)).toThrow("too slow");
});

test("values and errors pass through, and one limit stands inside another", () => {
  expect(runWithinTimeLimit(1000, () => runWithinTimeLimit(1, () => 7, onTimeout), onTimeout)).toBe(
    7,
  );
  const thrown = { reason: "mine" };
  const fails = () => {
    throw thrown;
  };
  expect(() => runWithinTimeLimit(1000, fails, onTimeout)).toThrow(
    expect.objectContaining({ reason: "mine" }),
  );
  expect(runWithinTimeLimit(1000, () => 8, onTimeout)).toBe(8);
});
