/**
 * Tests that only a bounded sample of rollouts gets notes on tokens, and that every line of the notes can be parsed.
 */
import { expect, test } from "vitest";
import type { GradedRollout } from "../../algo/index.ts";
import type { TokenRatios } from "../../methods/index.ts";
import { rolloutNotesSchema } from "../../spec/index.ts";
import { fakeRollout } from "../../testing/fake-rollout.ts";
import { findOtherReturns, makeRolloutNotes } from "./rollout-notes.ts";

const createRatios = (id: string, tokens = 3, more: Partial<TokenRatios> = {}): TokenRatios => ({
  id,
  advantage: 0.5,
  at: Array.from({ length: tokens }, (_, t) => t),
  ratios: new Array<number>(tokens).fill(1.123_456_7),
  ...more,
});
const createManyRatios = (count: number, tokens?: number) =>
  Array.from({ length: count }, (_, i) => createRatios(`1/0/${i}`, tokens));

test("at most twelve rollouts get notes on tokens, evenly spread over those that were learned from", () => {
  expect(makeRolloutNotes(createManyRatios(5)).map(({ id }) => id)).toHaveLength(5);
  const some = makeRolloutNotes(createManyRatios(100)).map(({ id }) => id);
  expect(some).toEqual([0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 90, 99].map((i) => `1/0/${i}`));
});

test("notes hold rounded numbers in plain arrays, and only the columns that the method has", () => {
  const [plain] = makeRolloutNotes([createRatios("a", 1)]);
  expect(plain).toEqual({ id: "a", advantage: 0.5, at: [0], ratios: [1.12346] });
  const [full] = makeRolloutNotes([
    createRatios("a", 1, {
      old: new Float32Array([-0.1]),
      current: new Float32Array([-0.2]),
      clipped: new Uint8Array([1]),
      entropies: new Float32Array([1.5]),
      advantages: new Float64Array([0.250001]),
    }),
  ]);
  expect(rolloutNotesSchema.parse(JSON.parse(JSON.stringify(full)))).toEqual({
    ...plain,
    old: [-0.1],
    current: [-0.2],
    clipped: [1],
    entropies: [1.5],
    advantages: [0.25],
  });
});

test("notes that exceed the byte limit are left out, and shorter notes after them are kept", () => {
  const sizeBytes = (notes: readonly object[]) =>
    notes.reduce((sum, line) => sum + JSON.stringify(line).length + 1, 0);
  const all = [createRatios("a"), createRatios("long", 1000), createRatios("b"), createRatios("c")];
  const bytes = sizeBytes(makeRolloutNotes([createRatios("a"), createRatios("b")]));
  expect(makeRolloutNotes(all, [], { maxBytes: bytes }).map(({ id }) => id)).toEqual(["a", "b"]);
  const large = makeRolloutNotes(createManyRatios(12, 20_000));
  expect(large.length).toBeLessThan(12);
  expect(sizeBytes(large)).toBeLessThanOrEqual(1 << 20);
});

test("a rollout whose notes have a number that JSON cannot hold gets no notes", () => {
  expect(
    makeRolloutNotes([createRatios("a", 1, { ratios: [Number.NaN] }), createRatios("b")]),
  ).toHaveLength(1);
});

test("the other graded rollouts follow with only their advantage", () => {
  const graded = ["a", "b", "nan"].map((id) => ({
    rollout: { id } as GradedRollout["rollout"],
    advantage: id === "nan" ? Number.NaN : -0.25,
  }));
  expect(makeRolloutNotes([createRatios("a")], graded).slice(1)).toEqual([
    { id: "b", advantage: -0.25, at: [], ratios: [] },
  ]);
});

test("a return is noted where it is not the reward of the outcome", () => {
  const options = { reward: "fraction", unfinished: "fail" } as const;
  const half = fakeRollout({ id: "a", checks: [true, false] });
  const graded = [
    { rollout: half, advantage: 0.5, reward: 0.75 },
    { rollout: { ...half, id: "b" }, advantage: -0.5, reward: 0.5 },
    { rollout: { ...half, id: "c" }, advantage: 0, reward: Number.NaN },
  ];
  const returns = findOtherReturns(graded, options);
  expect([...returns]).toEqual([["a", 0.75]]);
  expect(makeRolloutNotes([createRatios("a"), createRatios("b")], [], { returns })).toMatchObject([
    { id: "a", return: 0.75 },
    { id: "b" },
  ]);
  expect(makeRolloutNotes([createRatios("b")], graded, { returns })).toEqual([
    expect.not.objectContaining({ return: expect.anything() }),
    { id: "a", advantage: 0.5, return: 0.75, at: [], ratios: [] },
    { id: "c", advantage: 0, at: [], ratios: [] },
  ]);
});
