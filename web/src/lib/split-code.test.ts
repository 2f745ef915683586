import { expect, test } from "vitest";
import { splitCode } from "./split-code.ts";

test("code is split into pieces that together are the whole code", () => {
  const code = "for (const x of apis.mail.list({to: 'b\\'o', n: 12})) // go\n  print(`a${x}`)";
  const pieces = splitCode(code);
  expect(pieces.map(({ text }) => text).join("")).toBe(code);
  const kinds = pieces.filter(({ kind }) => kind !== "plain").map(({ kind, text }) => [kind, text]);
  expect(kinds).toEqual([
    ["word", "for"],
    ["word", "const"],
    ["word", "of"],
    ["api", "apis.mail.list"],
    ["text", "'b\\'o'"],
    ["number", "12"],
    ["comment", "// go"],
    ["text", "`a${x}`"],
  ]);
});

test("an unclosed string or comment extends to the end of its line or of the code", () => {
  expect(splitCode('a = "open\nb')[1]).toEqual({ kind: "text", text: '"open' });
  expect(splitCode("/* open")).toEqual([{ kind: "comment", text: "/* open" }]);
  expect(splitCode("")).toEqual([]);
});
