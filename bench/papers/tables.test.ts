import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatDifference, listWorldPages, renderResults } from "./tables.ts";

const ROOT = join(import.meta.dirname, "../..");

test("the tables of the papers' worlds are made from the files of results", () => {
  const pages = listWorldPages().map((path) => readFileSync(join(ROOT, path), "utf8"));
  expect(pages.some((page) => page.includes("<!-- results: "))).toBe(true);
  for (const page of pages) expect(renderResults(page)).toBe(page);
});

test("a difference has the paired interval over tasks", () => {
  expect(formatDifference([0, 0, 1, 0], [1, 1, 1, 0])).toBe("+50.0 [−41.9, +141.9]");
  expect(formatDifference([0, 1], [0, 1])).toBe("+0.0");
});
