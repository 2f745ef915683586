/** Rounding to bfloat16 against bit patterns whose result is known, and back. */
import { expect, test } from "vitest";
import { toBfloat16, widen } from "./half.ts";

/** As bits: a subnormal that is read as a number is 0 where the kernels have told the processor so. */
const floatOf = (bits: number) => new Float32Array(Uint32Array.of(bits).buffer);

/** The bits of a float32, and of the bfloat16 nearest to it: round to nearest, ties to even. */
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

test.each(KNOWN)("%i to %i: %s", (from, to) => {
  expect(toBfloat16(floatOf(from))[0]).toBe(to);
});

test("NaN stays NaN, also one whose upper half alone would be infinite", () => {
  const source = new Float32Array(Uint32Array.of(0x7fc00000, 0x7f800001, 0xffffffff).buffer);
  const back = new Float32Array(3);
  widen("BF16", toBfloat16(source), back);
  expect([...back]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});

test("what is a bfloat16 already comes back as it was", () => {
  const all = Uint16Array.from({ length: 2 ** 16 }, (_, i) => i);
  const wide = new Float32Array(all.length);
  widen("BF16", all, wide);
  const back = toBfloat16(wide);
  const changed = [...all].filter((i) => back[i] !== i && !Number.isNaN(wide[i]));
  expect(changed).toEqual([]);
});
