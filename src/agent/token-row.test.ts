import { describe, expect, it } from "vitest";
import type { RolloutTokens } from "../spec/index.ts";
import { countRowTokens, GrowingRow, rowToJson, shareRow } from "./token-row.ts";

const prompt = Array.from({ length: 600 }, (_, i) => i % 97);

function plainRow(own: number): RolloutTokens {
  return {
    ids: [...prompt, own, 5, 6, own],
    mask: [...prompt.map(() => 0 as const), 1, 1, 0, 1],
    logprobs: [...prompt.map(() => 0), -1 / 3, -0.25, 0, -1e-9],
  };
}

function grownRow(own: number): GrowingRow {
  const row = new GrowingRow();
  row.appendText(prompt);
  row.push(own, 1, -1 / 3);
  row.push(5, 1, -0.25);
  row.appendText([6]);
  row.push(own, 1, -1e-9);
  return row;
}

describe("a row of tokens", () => {
  it("has the record of plain arrays, whatever it shares with earlier rows", () => {
    for (const own of [11, 12, 13]) {
      const row = grownRow(own);
      const record = row.toRecord();
      expect(record).toEqual(plainRow(own));
      expect(structuredClone(record)).toEqual(plainRow(own));
      expect(countRowTokens(record)).toBe(604);
      const text = Buffer.concat(rowToJson(record)).toString();
      expect(text).toBe(JSON.stringify(plainRow(own)));
      expect(JSON.stringify(record)).toBe(text);
    }
  });

  it("shares its prompt when it is read from a file", () => {
    shareRow(plainRow(1));
    const shared = shareRow(plainRow(2));
    expect(shared).toEqual(plainRow(2));
    expect(Buffer.concat(rowToJson(shared)).toString()).toBe(JSON.stringify(plainRow(2)));
    const odd = { ids: [2 ** 40], mask: [0 as const], logprobs: [0] };
    expect(shareRow(odd)).toBe(odd);
  });

  it("keeps earlier views of its ids when it grows", () => {
    const row = grownRow(1);
    const before = row.ids;
    for (let i = 0; i < 2000; i++) row.push(i, 0, 0);
    expect(before.toArray()).toEqual(plainRow(1).ids);
  });

  it("refuses a token that is no 32-bit integer", () => {
    expect(() => new GrowingRow().push(1.5, 1, 0)).toThrow(/32-bit integer, got 1.5/);
  });
});
