import fc from "fast-check";
import { expect, test } from "vitest";
import { renderTable } from "./table.ts";
import { displayWidth, wrapText } from "./text.ts";

const alphabet = ["a", "bc", "defghij", " ", "  ", "\n", "\t", "é", "😀", "."];
const characters = fc
  .array(fc.constantFrom(...alphabet), { maxLength: 60 })
  .map((all) => all.join(""));

test("wrapText keeps every character except the spaces at line breaks, and no line is too long", () => {
  fc.assert(
    fc.property(characters, fc.integer({ min: 1, max: 40 }), (text, width) => {
      const plain = text.replaceAll("\t", "  ");
      const lines = wrapText(text, width);
      expect(lines.every((line) => [...line].length <= width)).toBe(true);
      const solid = (value: string) => value.replace(/[ \n]/g, "");
      expect(solid(lines.join(""))).toBe(solid(plain));
    }),
  );
});

test("wrapText breaks no word where a space is near, and keeps indents", () => {
  expect(wrapText("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrapText("    return value", 10)).toEqual(["    return", "value"]);
  expect(wrapText("a\n\nb", 5)).toEqual(["a", "", "b"]);
});

test("renderTable ignores colour codes when it computes the width of a column", () => {
  const red = "\u001b[31m12.5\u001b[39m";
  const text = renderTable(
    [{ title: "name" }, { title: "x", align: "right" }],
    [
      ["ab", red],
      ["abcdef", "7"],
    ],
  );
  expect(text.split("\n").map(displayWidth)).toEqual([14, 14, 14, 14]);
  expect(text.split("\n")[3]).toBe("  abcdef     7");
});
