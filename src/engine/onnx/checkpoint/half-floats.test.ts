/** Tests rounding to bfloat16 with bit patterns whose result is known, and widening back. */
import { expect, test } from "vitest";
import { toBfloat16, widenToFloat32 } from "./half-floats.ts";

/** Returns the float32 of a bit pattern. As a number a subnormal would be 0 once ONNX Runtime has run. */
const floatFromBits = (bits: number) => new Float32Array(Uint32Array.of(bits).buffer);

/** The bits of a float32 and of its nearest bfloat16: round to nearest, ties to even. */
const KNOWN: readonly (readonly [from: number, to: number, why: string])[] = [
  [0x00000000, 0x0000, "0"],
  [0x80000000, 0x8000, "-0"],
  [0x3f800000, 0x3f80, "1, exact"],
  [0xc0490fdb, 0xc049, "-pi, down"],
  [0x3dcccccd, 0x3dcd, "0.1, up"],
  [0x3f807fff, 0x3f80, "just under a tie"],
  [0x3f808000, 0x3f80, "a tie goes to the even one: down"],
  [0x3f818000, 0x3f82, "a tie goes to the even one: up"],
  [0x3f808001, 0x3f81, "just over a tie"],
  [0x3fffffff, 0x4000, "carries into the exponent"],
  [0x00000001, 0x0000, "the smallest subnormal"],
  [0x007fffff, 0x0080, "a subnormal becomes normal"],
  [0x7f7fffff, 0x7f80, "the largest becomes infinite"],
  [0x7f800000, 0x7f80, "infinity"],
  [0xff800000, 0xff80, "minus infinity"],
];

test.each(KNOWN)(
  "rounding the float32 with bits %i gives the bfloat16 with bits %i: %s",
  (from, to) => {
    expect(toBfloat16(floatFromBits(from))[0]).toBe(to);
  },
);

test("NaN stays NaN, even when its upper half alone would be infinite", () => {
  const source = new Float32Array(Uint32Array.of(0x7fc00000, 0x7f800001, 0xffffffff).buffer);
  const back = new Float32Array(3);
  widenToFloat32("BF16", toBfloat16(source), back);
  expect([...back]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});

test("a number that is exactly a bfloat16 does not change", () => {
  const all = Uint16Array.from({ length: 2 ** 16 }, (_, i) => i);
  const wide = new Float32Array(all.length);
  widenToFloat32("BF16", all, wide);
  const back = toBfloat16(wide);
  const changed = [...all].filter((i) => back[i] !== i && !Number.isNaN(wide[i]));
  expect(changed).toEqual([]);
});
