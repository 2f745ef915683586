import { describe, expect, it } from "vitest";
import type { RunRow } from "../../../src/spec/studio/index.ts";
import { filterRuns, orderSplits, runSortKey, sortRuns } from "./run-table.ts";
import { formatOrder, nextOrder, parseOrder } from "./sort.ts";

const makeScore = (tgc: number) => ({ tgc }) as NonNullable<RunRow["after"]>[string];

const runs: RunRow[] = [
  { id: "a", status: "finished", method: "loop", seed: 10, after: { dev: makeScore(0.4) } },
  { id: "b", status: "broken", problem: "no run.json" },
  { id: "c", status: "running", method: "rloo", seed: 2, before: { dev: makeScore(0.6) } },
];

const runIds = (rows: readonly RunRow[]) => rows.map(({ id }) => id).join("");

describe("the table of runs", () => {
  it("sorts by any column, with missing values last in both directions", () => {
    expect(runIds(sortRuns(runs, { column: "seed", direction: "ascending" }))).toBe("cab");
    expect(runIds(sortRuns(runs, { column: "seed", direction: "descending" }))).toBe("acb");
    expect(runIds(sortRuns(runs, { column: "tgc:dev", direction: "descending" }))).toBe("cab");
    expect(runSortKey(runs[1]!, "progress")).toBeUndefined();
  });

  it("filters by words, status and method", () => {
    expect(runIds(filterRuns(runs, { text: "LOOP seed10" }))).toBe("a");
    expect(runIds(filterRuns(runs, { text: "run.json" }))).toBe("b");
    expect(runIds(filterRuns(runs, { status: "running", method: "rloo" }))).toBe("c");
    expect(runIds(filterRuns(runs, { status: "running", method: "loop" }))).toBe("");
  });

  it("puts held-out splits first and sampled ones last", () => {
    expect(orderSplits(["dev@T1", "dev", "test-normal@T1", "other", "test-normal"])).toEqual([
      "test-normal",
      "dev",
      "other",
      "test-normal@T1",
      "dev@T1",
    ]);
  });
});

describe("the sort order in the address", () => {
  it("is written and read back, and is reversed when the same header is pressed again", () => {
    const otherwise = { column: "changed", direction: "descending" } as const;
    const order = parseOrder("-seed", otherwise);
    expect(order).toEqual({ column: "seed", direction: "descending" });
    expect(formatOrder(order)).toBe("-seed");
    expect(parseOrder(undefined, otherwise)).toBe(otherwise);
    expect(nextOrder(order, "seed", "ascending").direction).toBe("ascending");
    expect(nextOrder(order, "cost", "ascending")).toEqual({
      column: "cost",
      direction: "ascending",
    });
  });
});
