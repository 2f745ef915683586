import { expect, test } from "vitest";
import { formatRecord } from "./format-record.ts";

test("is JSON, with lists of numbers on one line", () => {
  const value = { a: [1, 2], b: [{ c: "x\n" }, []], d: {}, e: null };
  const text = formatRecord(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.split("\n")).toContain('  "a": [1, 2],');
});

test("shows the beginning of a long list of numbers, and how long it is", () => {
  const text = formatRecord({ ids: Array.from({ length: 20_000 }, (_, i) => i) });
  expect(text).toContain("22, 23, … 20,000 in all]");
  expect(text.length).toBeLessThan(200);
});
