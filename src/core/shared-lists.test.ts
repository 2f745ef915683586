import { describe, expect, it } from "vitest";
import {
  attachList,
  copyWithList,
  findList,
  integersToText,
  SharedList,
  StartFinder,
} from "./shared-lists.ts";

const count = (length: number, from = 0) => Array.from({ length }, (_, i) => from + i);
const prompt = count(1000);

describe("lists that begin alike", () => {
  it("share the beginning that two lists have in common, and keep their own rest", () => {
    const finder = new StartFinder();
    expect(finder.find([...prompt, 7])).toBeUndefined();
    const start = finder.find([...prompt, 8]);
    expect(start?.length).toBe(1000);
    expect(finder.find([...prompt, 9, 9])).toBe(start);
    expect(finder.find(count(1000, 5000))).toBeUndefined();
  });

  it("share no more than the limit and no short beginning", () => {
    const finder = new StartFinder();
    finder.find(prompt);
    expect(finder.find(prompt, 300)?.length).toBe(300);
    const short = new StartFinder();
    short.find(count(100));
    expect(short.find(count(100))).toBeUndefined();
  });

  it("have the text and the values of plain arrays, also without a start or a rest", () => {
    const finder = new StartFinder();
    finder.find(prompt);
    const start = finder.find(prompt)!;
    for (const [first, rest] of [
      [start, [3, 4]],
      [start, []],
      [undefined, [3, 4]],
      [undefined, []],
    ] as const) {
      const list = new SharedList(first, Int32Array.from(rest));
      const plain = [...(first ? prompt : []), ...rest];
      expect(list.toArray()).toEqual(plain);
      expect(`[${Buffer.concat(list.textParts())}]`).toBe(JSON.stringify(plain));
      expect(list.length).toBe(plain.length);
    }
    expect(new SharedList(start, Int32Array.of(2000)).isBelow(2001)).toBe(true);
    expect(new SharedList(start, Int32Array.of(2000)).isBelow(2000)).toBe(false);
    expect(new SharedList(start, Int32Array.of(1)).isBelow(999)).toBe(false);
  });

  it("stay attached to a copy, whose tokens read as a plain array", () => {
    const list = new SharedList(undefined, Int32Array.of(1, 2));
    const request = attachList({ stream: 3, maxTokens: 4 }, list);
    const copy = copyWithList(request, { maxTokens: 5 });
    expect(findList(copy)).toBe(list);
    expect(copy).toEqual({ stream: 3, maxTokens: 5, tokens: [1, 2] });
    expect(JSON.stringify(request)).toBe('{"stream":3,"maxTokens":4,"tokens":[1,2]}');
    expect(findList({ ...request })).toBeUndefined();
  });
});

describe("the text of integers", () => {
  it("is that of JSON for every length and sign", () => {
    const edges = [0, 9, 10, 99, 100, 151_935, 2 ** 31 - 1, -1, -10, -(2 ** 31)];
    for (const list of [[], [0], [7], edges, edges.toReversed(), count(3000), count(100_000)]) {
      expect(integersToText(Int32Array.from(list)).toString()).toBe(list.join(","));
    }
    expect(integersToText(Uint8Array.of(1, 0, 255)).toString()).toBe("1,0,255");
  });

  it("is checked against a limit as a whole", () => {
    const rest = (...values: number[]) => new SharedList(undefined, Int32Array.from(values));
    expect(rest(0, 9).isBelow(10)).toBe(true);
    expect(rest(0, 10).isBelow(10)).toBe(false);
    expect(rest(-1, 9).isBelow(10)).toBe(false);
    expect(rest().isBelow(10)).toBe(true);
  });
});
