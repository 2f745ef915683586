import { expect, test } from "vitest";
import { parseModelConfig } from "../model/index.ts";
import {
  outputPlaces,
  buildFittingMicrobatches,
  type Microbatch,
  buildMicrobatches,
  requiredLengths,
} from "./microbatch.ts";

const config = parseModelConfig({
  vocabularySize: 9,
  hiddenSize: 8,
  layers: 1,
  heads: 2,
  kvHeads: 1,
  headSize: 4,
  intermediateSize: 8,
  contextLength: 64,
});

function row(length: number, at: readonly number[] = [length - 1]) {
  return { tokens: Array.from({ length }, (_, i) => i % 9), at };
}

const APART = (rows: readonly number[]) => ({ prefix: 0, rows });

test("places are the inverse of what is asked; tokens that nobody asks for share the last entry", () => {
  const rows = [row(6, [5, 2, 5]), row(4, [1])];
  const [batch] = buildMicrobatches(rows, requiredLengths(rows, config), APART([0, 1]), 64);
  const { at, targets, slices } = batch!;
  const last = at.length - 1;
  expect(slices.map(({ places }) => [...places])).toEqual([[0, 1, 0], [2]]);
  expect([...at].slice(0, last)).toEqual([4, 1, 8]);
  expect([...targets].slice(0, last)).toEqual([5, 2, 1]);
  const places = outputPlaces(batch!);
  expect(places).toHaveLength(2 * 8);
  for (const [token, place] of places.entries()) {
    expect(place).toBe([...at].slice(0, last).includes(token) ? at.indexOf(token) : last);
  }
});

test("microbatches are halved where halves fit and the whole does not", () => {
  const rows = Array.from({ length: 4 }, () => row(17));
  const lengths = requiredLengths(rows, config);
  const shapes = (fits: (batch: Microbatch) => boolean) =>
    buildFittingMicrobatches(rows, lengths, APART([0, 1, 2, 3]), 64, fits).map(({ batch, time }) => [
      batch,
      time,
    ]);
  const atMost = (tokens: number) => (batch: Microbatch) => batch.batch * batch.time <= tokens;
  const [whole, halved] = [
    [[4, 16]],
    [
      [2, 16],
      [2, 16],
    ],
  ];
  expect(shapes(atMost(64))).toEqual(whole);
  expect(shapes(atMost(63))).toEqual(halved);
  expect(shapes(atMost(32))).toEqual(halved);
  expect(shapes(atMost(31))).toEqual(whole);
});
