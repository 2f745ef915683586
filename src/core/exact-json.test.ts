import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  JsonNumber,
  parseExactJson,
  parseJsonMembers,
  printExactJson,
  toPlainJson,
} from "./exact-json.ts";

describe("exact JSON", () => {
  it.each([
    "12345678901234567890",
    "1.0",
    "1e22",
    "-0",
    "1E5",
    "-0.0",
    '{"10":1,"2":2,"__proto__":{"a":[]},"":null}',
    '["é","\\ud800",true,false,{}]',
  ])("prints %s as it was written", (text) => {
    expect(printExactJson(parseExactJson(text))).toBe(text);
  });

  it("keeps the first place and the last value of a key that is written twice", () => {
    expect(printExactJson(parseExactJson('{"a": 1, "b": 2, "a": 3}'))).toBe('{"a":3,"b":2}');
  });

  it("reads escapes and joins the halves of a character", () => {
    expect(parseExactJson(String.raw`"\u00e9\/\ud83d\ude00\n"`)).toBe("é/😀\n");
  });

  it("agrees with JSON.parse on every value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(toPlainJson(parseExactJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("refuses every text that JSON.parse refuses", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "1",
      "-",
      ".",
      "e",
      "tru",
      "e",
      " ",
      "\\",
      "u0",
      "\n",
    );
    const parses = (parse: (text: string) => unknown, text: string) => {
      try {
        parse(text);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        return false;
      }
    };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join("");
        expect(parses(parseExactJson, text)).toBe(parses(JSON.parse, text));
      }),
      { numRuns: 3000 },
    );
  });

  it("refuses brackets that are nested too deeply, instead of exhausting the stack", () => {
    expect(() => parseExactJson("[".repeat(100_000))).toThrow(/deeper than 1000 levels/);
  });

  it("returns the members of an object with their source", () => {
    const members = parseJsonMembers(' {"a" : {"x": 1.0 } , "n":"f", "a":  [1,  2] } ');
    expect([...members!].map(([key, { source }]) => [key, source])).toEqual([
      ["a", "[1,  2]"],
      ["n", '"f"'],
    ]);
    expect(parseJsonMembers("[1]")).toBeUndefined();
  });

  it("keeps the objects at the paths that are asked for", () => {
    const plain = toPlainJson(parseExactJson('{"a": [{"input": {"n": 1.0}}], "b": 1.50}'), (path) =>
      /^a\.\d+\.input$/.test(path),
    );
    expect(plain).toEqual({ a: [{ input: new Map([["n", new JsonNumber("1.0")]]) }], b: 1.5 });
  });
});
