import fc from "fast-check";
import { expect, test } from "vitest";
import { barStyle, placeBars } from "./bar-scale.ts";

test.each([
  [
    [1.25, 1.5],
    ["left:0%;width:83.33%", "left:0%;width:100%"],
  ],
  [
    [0.2, 0.4],
    ["left:0%;width:50%", "left:0%;width:100%"],
  ],
  [
    [3000, 0],
    ["left:0%;width:100%", "left:0%;width:0%"],
  ],
  [
    [-1, 3],
    ["left:0%;width:25%", "left:25%;width:75%"],
  ],
  [
    [-2, -1],
    ["left:0%;width:100%", "left:50%;width:50%"],
  ],
  [
    [0, 0],
    ["left:0%;width:0%", "left:0%;width:0%"],
  ],
])("the bars of %j begin at zero of one scale", (values, styles) => {
  expect(placeBars(values).map(barStyle)).toEqual(styles);
});

test("lengths are proportional to values, and all bars lie within the scale", () => {
  const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 6 }), (values) => {
      const bars = placeBars(values);
      for (const [i, { left, width }] of bars.entries()) {
        expect(left).toBeGreaterThanOrEqual(0);
        expect(left + width).toBeLessThanOrEqual(1 + 1e-9);
        const product = width * Math.abs(values[0]!);
        expect(product).toBeCloseTo(bars[0]!.width * Math.abs(values[i]!), 3);
      }
    }),
  );
  expect(placeBars([Number.NaN, 1])).toEqual([
    { left: 0, width: 0 },
    { left: 0, width: 1 },
  ]);
});
