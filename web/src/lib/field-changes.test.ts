import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/spec/studio/index.ts";
import { listFieldChanges } from "./field-changes.ts";

const makeUpdate = (before: Change["before"], after: Change["after"]): Change => ({
  table: "t",
  id: 1,
  kind: "update",
  content: true,
  ...(before && { before }),
  ...(after && { after }),
});

describe("the changed fields of a row", () => {
  it("are those that differ", () => {
    const change = makeUpdate(
      { id: 1, a: 1, b: [1, 2], c: null },
      { id: 1, a: 2, b: [1, 2], c: "x" },
    );
    expect(listFieldChanges(change)).toEqual([
      { name: "a", before: 1, after: 2 },
      { name: "c", before: null, after: "x" },
    ]);
  });

  it("are all fields of a row that was added or removed", () => {
    expect(listFieldChanges(makeUpdate(undefined, { id: 1, a: null }))).toEqual([
      { name: "a", before: undefined, after: null },
    ]);
    expect(listFieldChanges(makeUpdate({ id: 1, a: 2 }, undefined))).toEqual([
      { name: "a", before: 2, after: undefined },
    ]);
  });
});
