import { expect, test } from "vitest";
import { parseModelConfig } from "../model/index.ts";
import {
  buildFittingMicrobatches,
  buildMicrobatches,
  type Microbatch,
  outputPlaces,
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

function createRow(length: number, at: readonly number[] = [length - 1]) {
  return { tokens: Array.from({ length }, (_, i) => i % 9), at };
}

const withoutPrefix = (rows: readonly number[]) => ({ prefix: 0, rows });

test("output places invert the requested tokens, and tokens that no row requests share the last entry", () => {
  const rows = [createRow(6, [5, 2, 5]), createRow(4, [1])];
  const [batch] = buildMicrobatches(rows, requiredLengths(rows, config), withoutPrefix([0, 1]), 64);
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

test("microbatches are halved when halves fit and the whole does not", () => {
  const rows = Array.from({ length: 4 }, () => createRow(17));
  const lengths = requiredLengths(rows, config);
  const batchShapes = (fits: (batch: Microbatch) => boolean) =>
    buildFittingMicrobatches(rows, lengths, withoutPrefix([0, 1, 2, 3]), 64, fits).map(
      ({ batch, time }) => [batch, time],
    );
  const fitsTokens = (tokens: number) => (batch: Microbatch) => batch.batch * batch.time <= tokens;
  const [whole, halved] = [
    [[4, 16]],
    [
      [2, 16],
      [2, 16],
    ],
  ];
  expect(batchShapes(fitsTokens(64))).toEqual(whole);
  expect(batchShapes(fitsTokens(63))).toEqual(halved);
  expect(batchShapes(fitsTokens(32))).toEqual(halved);
  expect(batchShapes(fitsTokens(31))).toEqual(whole);
});
