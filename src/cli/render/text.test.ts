import fc from "fast-check";
import { expect, test } from "vitest";
import { renderTable } from "./table.ts";
import { compact, count, cut, duration, points, widthOf, wrap } from "./text.ts";

const alphabet = ["a", "bc", "defghij", " ", "  ", "\n", "\t", "é", "😀", "."];
const characters = fc
  .array(fc.constantFrom(...alphabet), { maxLength: 60 })
  .map((all) => all.join(""));

test("wrapping keeps every character but the spaces it breaks at, and no line is too long", () => {
  fc.assert(
    fc.property(characters, fc.integer({ min: 1, max: 40 }), (text, width) => {
      const plain = text.replaceAll("\t", "  ");
      const lines = wrap(text, width);
      expect(lines.every((line) => [...line].length <= width)).toBe(true);
      const solid = (value: string) => value.replace(/[ \n]/g, "");
      expect(solid(lines.join(""))).toBe(solid(plain));
    }),
  );
});

test("words are not broken where a space is near, and indents stay", () => {
  expect(wrap("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrap("    return value", 10)).toEqual(["    return", "value"]);
  expect(wrap("a\n\nb", 5)).toEqual(["a", "", "b"]);
});

test("numbers for people", () => {
  expect([0.4, 59.4, 60, 192, 5400].map(duration)).toEqual([
    "0 s",
    "59 s",
    "1 min 0 s",
    "3 min 12 s",
    "1 h 30 min",
  ]);
  expect([7, 7.25, 950.4, 31_234, 1_234_567].map(count)).toEqual([
    "7",
    "7.3",
    "950",
    "31.2k",
    "1.2M",
  ]);
  expect([0, 0.5, 1 / 3, 2e-6, 0.00012, 12_000].map(compact)).toEqual([
    "0",
    "0.5",
    "0.333",
    "2e-6",
    "1.2e-4",
    "12.0k",
  ]);
  expect([points(0.4, 0.75), points(0.5, 0.48), points(0.5, 0.5)]).toEqual([
    "+35.0",
    "−2.0",
    "±0.0",
  ]);
  expect(cut("a  long\nstory about it", 10)).toBe("a long st…");
});

test("a table is as wide as its widest cells, whatever their colours", () => {
  const red = "\u001b[31m12.5\u001b[39m";
  const text = renderTable(
    [{ title: "name" }, { title: "x", align: "right" }],
    [
      ["ab", red],
      ["abcdef", "7"],
    ],
  );
  expect(text.split("\n").map(widthOf)).toEqual([14, 14, 14, 14]);
  expect(text.split("\n")[3]).toBe("  abcdef     7");
});
