import { expect, test } from "vitest";
import type { RunRow } from "../../../src/spec/studio/index.ts";
import { parseTags } from "./notes.ts";
import { createRunExtras, formatConfigValue, groupRuns } from "./run-extras.ts";
import { filterRuns, sortRuns } from "./run-table.ts";

const runs: RunRow[] = ["a", "b", "c", "__proto__"].map((id, i) => ({
  ...{ id, status: "finished" },
  ...(i < 2 && { method: "loop" }),
}));
const extras = createRunExtras(
  {
    runs: ["a", "b", "c"],
    fields: [
      { path: "algo.rate", values: ["0.0003", "1e-4", null] },
      { path: "engine.model", values: ['"x"', '"y"', '"x"'] },
    ],
  },
  { runs: { a: { tags: ["good", "basis"], note: "the First" }, c: { tags: ["good"], note: "" } } },
);
const groups = (by: string) =>
  groupRuns(runs, by, extras).map(({ name, runs }) => [name, runs.map(({ id }) => id).join()]);
const ids = (rows: readonly RunRow[]) => rows.map(({ id }) => id).join();

test("runs are grouped by a field of the row, of the configuration, or by each of their tags", () => {
  expect(groups("method")).toEqual([
    ["loop", "a,b"],
    ["not set", "c,__proto__"],
  ]);
  expect(groups("config:engine.model")).toEqual([
    ["x", "a,c"],
    ["y", "b"],
    ["not set", "__proto__"],
  ]);
  expect(groups("tag")).toEqual([
    ["good", "a,c"],
    ["basis", "a"],
    ["no tag", "b,__proto__"],
  ]);
});

test("runs are sorted by numbers of the configuration, and filtered by tag and by words of the note", () => {
  const order = { column: "config:algo.rate", direction: "ascending" } as const;
  expect(ids(sortRuns(runs, order, extras))).toBe("b,a,c,__proto__");
  expect(ids(filterRuns(runs, { tag: "good" }, extras))).toBe("a,c");
  expect(ids(filterRuns(runs, { text: "first basis" }, extras))).toBe("a");
});

test("a value of the configuration is shown without the quotes of a text", () => {
  expect(['"x"', "1", "[1]", "null", '"half'].map(formatConfigValue)).toEqual([
    "x",
    "1",
    "[1]",
    "null",
    '"half',
  ]);
  expect(parseTags(" a, b  a ")).toEqual(["a", "b"]);
});
