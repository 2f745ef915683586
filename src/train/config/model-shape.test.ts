/** The shape that follows from width and heads, and which widths there are none of. */
import { expect, test } from "vitest";
import { findShapeConflict, modelShape } from "./model-shape.ts";

const asked = { hiddenSize: 128, layers: 4, heads: 4, contextLength: 256 };

test("heads share keys and values by two, and SwiGLU is 8/3 as wide, rounded up", () => {
  const derived = { kvHeads: 2, headSize: 32, intermediateSize: 352, vocabularySize: 512 };
  expect(modelShape(asked, 512)).toMatchObject({
    ...asked,
    ...derived,
    qkvBias: true,
    qkNorm: false,
  });
  expect(modelShape({ ...asked, hiddenSize: 64 }, 1)).toMatchObject({ intermediateSize: 176 });
  expect(modelShape({ ...asked, hiddenSize: 96 }, 1)).toMatchObject({ intermediateSize: 256 });
  expect(modelShape({ ...asked, heads: 1 }, 1)).toMatchObject({ kvHeads: 1, headSize: 128 });
});

test("a head has an even, whole width", () => {
  expect(findShapeConflict(asked)).toBeUndefined();
  expect(findShapeConflict({ ...asked, heads: 3 })).toMatch(/^model\.heads: .*\(128\).* got 3$/);
  expect(findShapeConflict({ ...asked, hiddenSize: 12 })).toMatch(/\(12\)/);
});
