import { describe, expect, it } from "vitest";
import type { RunRow } from "../../../src/spec/studio/index.ts";
import { filterRuns, orderSplits, runKey, sortRuns } from "./run-table.ts";
import { orderText, parseOrder, pressed } from "./sort.ts";

const score = (tgc: number) => ({ tgc }) as NonNullable<RunRow["after"]>[string];

const runs: RunRow[] = [
  { id: "a", status: "finished", method: "loop", seed: 10, after: { dev: score(0.4) } },
  { id: "b", status: "broken", problem: "no run.json" },
  { id: "c", status: "running", method: "rloo", seed: 2, before: { dev: score(0.6) } },
];

const ids = (rows: readonly RunRow[]) => rows.map(({ id }) => id).join("");

describe("the table of runs", () => {
  it("sorts by any column, what is missing last in both directions", () => {
    expect(ids(sortRuns(runs, { column: "seed", direction: "ascending" }))).toBe("cab");
    expect(ids(sortRuns(runs, { column: "seed", direction: "descending" }))).toBe("acb");
    expect(ids(sortRuns(runs, { column: "tgc:dev", direction: "descending" }))).toBe("cab");
    expect(runKey(runs[1]!, "progress")).toBeUndefined();
  });

  it("filters by words, status and method", () => {
    expect(ids(filterRuns(runs, { text: "LOOP seed10" }))).toBe("a");
    expect(ids(filterRuns(runs, { text: "run.json" }))).toBe("b");
    expect(ids(filterRuns(runs, { status: "running", method: "rloo" }))).toBe("c");
    expect(ids(filterRuns(runs, { status: "running", method: "loop" }))).toBe("");
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

describe("an order in the address", () => {
  it("goes there and back, and turns when its header is pressed again", () => {
    const otherwise = { column: "changed", direction: "descending" } as const;
    const order = parseOrder("-seed", otherwise);
    expect(order).toEqual({ column: "seed", direction: "descending" });
    expect(orderText(order)).toBe("-seed");
    expect(parseOrder(undefined, otherwise)).toBe(otherwise);
    expect(pressed(order, "seed", "ascending").direction).toBe("ascending");
    expect(pressed(order, "cost", "ascending")).toEqual({ column: "cost", direction: "ascending" });
  });
});
