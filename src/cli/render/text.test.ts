import fc from "fast-check";
import { expect, test } from "vitest";
import { renderTable } from "./table.ts";
import { displayWidth, wrapText } from "./text.ts";

const SNIPPETS = ["a", "bc", "defghij", " ", "  ", "\n", "\t", "é", "😀", "."];
const texts = fc.array(fc.constantFrom(...SNIPPETS), { maxLength: 60 }).map((all) => all.join(""));

test("wrapText keeps every character except the spaces at line breaks, and no line is too long", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, width) => {
      const plain = text.replaceAll("\t", "  ");
      const lines = wrapText(text, width);
      expect(lines.every((line) => [...line].length <= width)).toBe(true);
      const removeSpaces = (value: string) => value.replace(/[ \n]/g, "");
      expect(removeSpaces(lines.join(""))).toBe(removeSpaces(plain));
    }),
  );
});

test("wrapText breaks words only if no space is near, and keeps indents", () => {
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
