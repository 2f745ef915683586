import { describe, expect, test } from "vitest";
import { layOutToken } from "./token-layout.ts";
import { findBoundaries, findLine, layOutLines, moveTokenByKey } from "./token-lines.ts";

const layOutAll = (texts: readonly string[]) => texts.map(layOutToken);

describe("the text of a token", () => {
  test("shows line feeds and tabs as marks, and a line feed ends the line", () => {
    expect(layOutToken("a\n\tb")).toEqual({
      pieces: [
        { kind: "plain", text: "a" },
        { kind: "mark", text: "↵" },
        { kind: "mark", text: "⇥" },
        { kind: "plain", text: "b" },
      ],
      width: 4,
      endsLine: true,
    });
    expect(layOutToken("").width).toBe(1);
  });

  test("has the width with which it is drawn", () => {
    expect(layOutToken("print(").width).toBe(6);
    expect(layOutToken("日本").width).toBe(4);
    expect(layOutToken("e\u0301").width).toBe(1);
    expect(layOutToken("\u202E").width).toBe(6);
    expect(layOutToken("\uFFFD").width).toBe(1);
  });
});

describe("lines of tokens", () => {
  const tokens = layOutAll(["ab", "cd", "ef\n", "ghijklmnop", "q", "r", "s"]);
  const turns = [
    { span: [4, 6] as [number, number] },
    { span: [0, 1] as [number, number], segment: 1 },
  ];

  test("break when they are full, at line feeds, and where turns begin and end", () => {
    const lines = layOutLines(tokens, findBoundaries(turns, 0), 4);
    expect(lines).toEqual([
      { from: 0, to: 2 },
      { from: 2, to: 3 },
      { from: 3, to: 4 },
      { from: 4, to: 6, turn: 0 },
      { from: 6, to: 7 },
    ]);
    expect(layOutLines(tokens, findBoundaries(turns, 1), 4)[0]).toEqual({
      from: 0,
      to: 1,
      turn: 1,
    });
    expect(layOutLines([], new Map(), 4)).toEqual([]);
  });

  test("contain every token once, and are too wide only if they contain a single token", () => {
    const many = Array.from({ length: 5000 }, (_, i) => ({
      width: (i * 7) % 11,
      endsLine: i % 97 === 0,
    }));
    const lines = layOutLines(many, new Map([[1000, 3]]), 60);
    let next = 0;
    lines.forEach(({ from, to }, n) => {
      expect(from).toBe(next);
      next = to;
      const width = many.slice(from, to).reduce((sum, token) => sum + token.width, 0);
      expect(to - from === 1 || width <= 60).toBe(true);
      expect(findLine(lines, from)).toBe(n);
      expect(findLine(lines, to - 1)).toBe(n);
    });
    expect(next).toBe(5000);
  });

  test("can be navigated by token and by line with arrow keys, Home and End", () => {
    const row = layOutAll(["aaaa", "b", "c", "\n", "d", "eeee", "\n", "f"]);
    const lines = layOutLines(row, new Map(), 80);
    const to = (key: string, from: number) =>
      moveTokenByKey(key, from, lines, (i) => row[i]!.width, 2);
    expect(to("ArrowRight", 7)).toBe(7);
    expect(to("ArrowLeft", 4)).toBe(3);
    expect(to("ArrowDown", 0)).toBe(5);
    expect(to("ArrowUp", 5)).toBe(0);
    expect(to("ArrowDown", 5)).toBe(7);
    expect(to("PageDown", 0)).toBe(7);
    expect(to("Home", 6)).toBe(4);
    expect(to("End", 4)).toBe(6);
    expect(to("x", 4)).toBeUndefined();
  });
});
