import { styleText } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hideCredentials, toVisibleJson, toVisibleText } from "./visible-text.ts";

test.each([
  ["\u001b]0;owned\u0007", "\\u{1b}]0;owned\\u{7}"],
  ["a\u001b[2Jb", "a\\u{1b}[2Jb"],
  ["\u001b[31mred", "\\u{1b}[31mred"],
  ["over\rwritten", "over\\u{d}written"],
  ["\u009b5A", "\\u{9b}5A"],
  ["a\u202eb", "a\\u{202e}b"],
  ["a\ud800b\0", "a\\u{d800}b\\u{0}"],
  ["world\u200b.mjs\ufeff\u2060\u00ad", "world\\u{200b}.mjs\\u{feff}\\u{2060}\\u{ad}"],
  ["a\u2028b\u{e0041}", "a\\u{2028}b\\u{e0041}"],
  ["👨\u200d👩 می\u200cخواهم", "👨\u200d👩 می\u200cخواهم"],
  ["tab\tline\nä漢😀", "tab\tline\nä漢😀"],
])("%j becomes visible as %j", (text, visible) => {
  expect(toVisibleText(text)).toBe(visible);
});

test("colours of the program stay, and other sequences beside them do not", () => {
  const options = { validateStream: false };
  for (const style of [
    "bold",
    "dim",
    "green",
    "red",
    "yellow",
    "blue",
    "cyan",
    "magenta",
  ] as const) {
    const painted = styleText(style, "x", options);
    expect(toVisibleText(painted, true)).toBe(painted);
  }
  expect(toVisibleText(`${styleText("red", "x", options)}\u001b[8m`, true)).toMatch(
    /x.*\\u\{1b\}\[8m$/,
  );
});

const MUST_GO =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must be gone
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

test("no text keeps a control character, and a text without any is unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(toVisibleText(text)).not.toMatch(MUST_GO);
      if (!MUST_GO.test(text)) expect(toVisibleText(text)).toBe(text);
    }),
  );
});

test("colours that hide text on a dark or a light screen do not stay", () => {
  expect(toVisibleText("\u001b[30ma\u001b[37mb", true)).toBe("\\u{1b}[30ma\\u{1b}[37mb");
});

test("JSON has no hidden characters, and is read as the same value", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, isIndented) => {
      const value = { [text]: [text, 1, null] };
      const json = toVisibleJson(value, isIndented ? 2 : undefined);
      expect(json).not.toMatch(MUST_GO);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  expect(toVisibleJson("\u009b\u202e\u001b\ud800")).toBe('"\\u009b\\u202e\\u001b\\ud800"');
  expect(toVisibleJson("\u{e0041}")).toBe('"\\udb40\\udc41"');
});

test.each([
  ["http://me:hunter2@host/x", "http://[hidden]@host/x"],
  ["cannot reach https://hunter2@host: refused", "cannot reach https://[hidden]@host: refused"],
  ["http://a:hunter2@h and ws://b:hunter2@h", "http://[hidden]@h and ws://[hidden]@h"],
  ["https://host/@name and me@host", "https://host/@name and me@host"],
])("%s is printed as %s", (text, printed) => {
  expect(hideCredentials(text)).toBe(printed);
});
