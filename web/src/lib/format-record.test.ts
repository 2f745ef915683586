import { expect, test } from "vitest";
import { formatRecord } from "./format-record.ts";

test("a record is formatted as JSON, with lists of numbers on one line", () => {
  const value = { a: [1, 2], b: [{ c: "x\n" }, []], d: {}, e: null };
  const text = formatRecord(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.split("\n")).toContain('  "a": [1, 2],');
});

test("a long list of numbers is shortened and its length is shown", () => {
  const text = formatRecord({ ids: Array.from({ length: 20_000 }, (_, i) => i) });
  expect(text).toContain("22, 23, … 20,000 in all]");
  expect(text.length).toBeLessThan(200);
});
