import { describe, expect, test } from "vitest";
import { escapeInvisible, splitInvisible } from "./invisible-characters.ts";

const odd = (text: string) => ({ text, isEscape: true });
const plain = (text: string) => ({ text, isEscape: false });
const isOdd = (character: string) => splitInvisible(character).every((piece) => piece.isEscape);

describe("splitting at invisible characters", () => {
  test("leaves ordinary text with line feeds and tabs in one piece", () => {
    expect(splitInvisible("for (;;)\n\tprint(1) // ok")).toEqual([
      plain("for (;;)\n\tprint(1) // ok"),
    ]);
    expect(splitInvisible("")).toEqual([]);
    expect(splitInvisible("naïve 日本語 עברית ❤️ 👩🏽‍🚀 🏴")).toHaveLength(1);
  });

  test("escapes characters that change the reading direction", () => {
    expect(splitInvisible("user\u202Egpj.exe")).toEqual([
      plain("user"),
      odd("\\u202e"),
      plain("gpj.exe"),
    ]);
    const bidi = ["\u061C", "\u200E", "\u200F"];
    for (let code = 0x202a; code <= 0x202e; code++) bidi.push(String.fromCharCode(code));
    for (let code = 0x2066; code <= 0x2069; code++) bidi.push(String.fromCharCode(code));
    expect(bidi.filter((character) => !isOdd(character))).toEqual([]);
  });

  test("escapes control characters except line feed and tab", () => {
    const codes = [...Array(32).keys(), ...Array.from({ length: 33 }, (_, i) => 0x7f + i)];
    const left = codes.filter((code) => !isOdd(String.fromCharCode(code)));
    expect(left).toEqual([9, 10]);
    expect(splitInvisible("\u001B[31mred")).toEqual([odd("\\u001b"), plain("[31mred")]);
  });

  test("escapes characters that are drawn as nothing", () => {
    const hidden = [
      "\u200B",
      "\u200C",
      "\u2060",
      "\uFEFF",
      "\u00AD",
      "\u3164",
      "\u2800",
      "\u{E0041}",
    ];
    expect(hidden.filter((character) => !isOdd(character))).toEqual([]);
    expect(splitInvisible("a\u{E0041}")).toEqual([plain("a"), odd("\\u{e0041}")]);
    expect(splitInvisible("a\u00A0b\u2028c")[1]).toEqual(odd("\\u00a0"));
  });

  test("escapes half surrogate pairs but not whole pairs", () => {
    expect(splitInvisible("\uD83D!")).toEqual([odd("\\ud83d"), plain("!")]);
    expect(splitInvisible("\uD83D\uDE00")).toEqual([plain("😀")]);
  });

  test("escapes joiners and variation selectors outside of emoji, and long stacks of combining marks", () => {
    expect(splitInvisible("a\u200Db\uFE0F")).toHaveLength(4);
    expect(splitInvisible("e\u0301")).toHaveLength(1);
    expect(splitInvisible(`e${"\u0301".repeat(50)}`)).toEqual([
      plain("e\u0301\u0301\u0301\u0301"),
      odd("\\u0301".repeat(46)),
    ]);
  });

  test("joins adjacent escapes to one piece, and does not change text that only looks like an escape", () => {
    expect(splitInvisible("\u202E\u0007")).toEqual([odd("\\u202e\\u0007")]);
    expect(splitInvisible("\\u202e")).toEqual([plain("\\u202e")]);
    expect(escapeInvisible("\\u202e\u202E")).toBe("\\u202e⟨\\u202e⟩");
  });

  test("stays fast for long texts", () => {
    const text = "print(apis.mail.list())\u0000\n".repeat(40_000);
    expect(splitInvisible(text)).toHaveLength(80_001);
  });
});
