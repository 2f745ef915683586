/** Tests the model shape that is computed from width and heads, and that impossible widths are rejected. */
import { expect, test } from "vitest";
import { findShapeConflict, modelShape } from "./model-shape.ts";

const shape = { hiddenSize: 128, layers: 4, heads: 4, contextLength: 256 };

test("two query heads share one key and value head, and SwiGLU is 8/3 as wide as the model, rounded up", () => {
  const derived = { kvHeads: 2, headSize: 32, intermediateSize: 352, vocabularySize: 512 };
  expect(modelShape(shape, 512)).toMatchObject({
    ...shape,
    ...derived,
    qkvBias: true,
    qkNorm: false,
  });
  expect(modelShape({ ...shape, hiddenSize: 64 }, 1)).toMatchObject({ intermediateSize: 176 });
  expect(modelShape({ ...shape, hiddenSize: 96 }, 1)).toMatchObject({ intermediateSize: 256 });
  expect(modelShape({ ...shape, heads: 1 }, 1)).toMatchObject({ kvHeads: 1, headSize: 128 });
});

test("rejects a shape in which the width of a head is odd or not a whole number", () => {
  expect(findShapeConflict(shape)).toBeUndefined();
  expect(findShapeConflict({ ...shape, heads: 3 })?.sentence).toMatch(
    /^model\.heads: .*\(128\).* got 3$/,
  );
  expect(findShapeConflict({ ...shape, hiddenSize: 12 })?.sentence).toMatch(/\(12\)/);
});
