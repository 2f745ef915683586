import { expect, it } from "vitest";
import { collectResult, computeCotangents, planRows } from "./training-rows.ts";

const createBatch = (datum: object, loss = "cross_entropy" as const) => ({
  loss,
  config: {},
  data: [{ tokens: [1, 2, 3], targets: [2, 3, 4], ...datum }],
});

it("all targets that are the next input share one row", () => {
  const plan = planRows(createBatch({}));
  expect(plan).toHaveLength(1);
  expect(Array.from(plan[0]!.row.tokens)).toEqual([1, 2, 3, 4]);
  expect(plan[0]!.row.at).toEqual([1, 2, 3]);
});

it("any other target gets its own row if it has weight, and is skipped if it has none", () => {
  const weighted = planRows(createBatch({ targets: [9, 3, 4] }));
  expect(weighted.map(({ row }) => Array.from(row.tokens))).toEqual([
    [1, 2, 3, 4],
    [1, 9],
  ]);
  expect(weighted.map(({ targets }) => targets)).toEqual([[1, 2], [0]]);
  const padded = planRows(createBatch({ targets: [0, 0, 4], weights: [0, 0, 1] }));
  expect(padded).toHaveLength(1);
  expect(padded[0]!.targets).toEqual([2]);
});

it("the outputs of rows are assigned to the right targets", () => {
  const given = createBatch({ targets: [9, 3, 0], weights: [1, 2, 0.5] });
  const plan = planRows(given);
  const outputs = [
    { logprobs: Float32Array.from([-2, -3]) },
    { logprobs: Float32Array.from([-1]) },
  ];
  const result = collectResult(given, plan, outputs);
  expect([...result.logprobs[0]!]).toEqual([-1, -2, -3]);
  expect(result.loss).toBe(1 + 4 + 1.5);
  expect(result.skipped).toBe(0);
  expect(computeCotangents(given, plan, outputs).map(({ logprobs }) => [...logprobs])).toEqual([
    [-2, -0.5],
    [-1],
  ]);
  const half = createBatch({ targets: [0, 3, 4], weights: [0, 1, 1] });
  const skipped = collectResult(half, planRows(half), [{ logprobs: Float32Array.from([-2, -3]) }]);
  expect([...skipped.logprobs[0]!]).toEqual([0, -2, -3]);
  expect(skipped.skipped).toBe(1);
});

it("refuses a datum with too many targets that each need a pass", () => {
  const tokens = new Array<number>(600).fill(1);
  const targets = new Array<number>(600).fill(2);
  expect(() => planRows(createBatch({ tokens, targets }))).toThrow(/shift the targets by one/);
});
