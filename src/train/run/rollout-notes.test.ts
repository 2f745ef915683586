/** Notes on tokens are a bounded sample, and every line of them parses. */
import { expect, test } from "vitest";
import type { GradedRollout } from "../../algo/index.ts";
import type { TokenRatios } from "../../methods/index.ts";
import { rolloutNotesSchema } from "../../spec/index.ts";
import { rolloutNotes } from "./notes.ts";

const told = (id: string, tokens = 3, more: Partial<TokenRatios> = {}): TokenRatios => ({
  id,
  advantage: 0.5,
  at: Array.from({ length: tokens }, (_, t) => t),
  ratios: new Array<number>(tokens).fill(1.123_456_7),
  ...more,
});
const many = (count: number, tokens?: number) =>
  Array.from({ length: count }, (_, i) => told(`1/0/${i}`, tokens));

test("at most twelve, spread over all that were learned from", () => {
  expect(rolloutNotes(many(5)).map(({ id }) => id)).toHaveLength(5);
  const some = rolloutNotes(many(100)).map(({ id }) => id);
  expect(some).toEqual([0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 90, 99].map((i) => `1/0/${i}`));
});

test("columns are rounded, in plain arrays, and only those that the method has", () => {
  const [plain] = rolloutNotes([told("a", 1)]);
  expect(plain).toEqual({ id: "a", advantage: 0.5, at: [0], ratios: [1.12346] });
  const [full] = rolloutNotes([
    told("a", 1, {
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

test("what does not fit into the bytes is left out, and shorter ones behind it stay", () => {
  const size = (notes: readonly object[]) =>
    notes.reduce((sum, line) => sum + JSON.stringify(line).length + 1, 0);
  const all = [told("a"), told("long", 1000), told("b"), told("c")];
  const bytes = size(rolloutNotes([told("a"), told("b")]));
  expect(rolloutNotes(all, [], bytes).map(({ id }) => id)).toEqual(["a", "b"]);
  const large = rolloutNotes(many(12, 20_000));
  expect(large.length).toBeLessThan(12);
  expect(size(large)).toBeLessThanOrEqual(1 << 20);
});

test("numbers that JSON does not have cannot be noted", () => {
  expect(rolloutNotes([told("a", 1, { ratios: [Number.NaN] }), told("b")])).toHaveLength(1);
});

test("the advantages of all others that were graded follow, without tokens", () => {
  const graded = ["a", "b", "nan"].map((id) => ({
    rollout: { id } as GradedRollout["rollout"],
    advantage: id === "nan" ? Number.NaN : -0.25,
  }));
  expect(rolloutNotes([told("a")], graded).slice(1)).toEqual([
    { id: "b", advantage: -0.25, at: [], ratios: [] },
  ]);
});
