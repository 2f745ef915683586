/** Compares tokenizers of many kinds with the Python library: tests/golden/make_tokenizers.py describes the records. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseTokenizerFile } from "./format/tokenizer-format.ts";
import { createTokenizerRunner, type TokenizerRunner } from "./tokenizer-runner.ts";

interface GoldenKind {
  readonly vocabulary: number;
  /** Four characters for each text. */
  readonly hashes: string;
  /** The texts from which the library forms a special token although it is told to take such tokens for text. */
  readonly formed: readonly number[];
  readonly decoded: string;
  readonly file: unknown;
}
const path = fileURLToPath(new URL("../../../tests/golden/tokenizers.json", import.meta.url));
const { words, blocks, kinds } = JSON.parse(readFileSync(path, "utf8")) as {
  readonly words: readonly string[];
  readonly blocks: readonly (readonly [start: number, size: number])[];
  readonly kinds: Readonly<Record<string, GoldenKind>>;
};

/** Returns a linear congruential generator of numbers below a limit. */
function createDraws(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % limit;
  };
}

function drawText(number: number): string {
  const below = createDraws(number * 7919 + 17);
  let text = "";
  const count = 1 + below(14);
  for (let i = 0; i < count; i++) {
    const kind = below(12);
    if (kind < 9) text += words[below(words.length)];
    else if (kind === 9) text += words[below(words.length)]!.repeat(1 + below(20));
    else {
      const [start, size] = blocks[below(blocks.length)]!;
      const length = 1 + below(4);
      for (let j = 0; j < length; j++) text += String.fromCodePoint(start + below(size));
    }
    if (below(3) === 0) text += " ";
  }
  return text;
}

function drawIds(number: number, vocabulary: number): number[] {
  const below = createDraws(number * 104729 + 5);
  return Array.from({ length: below(16) }, () => below(vocabulary + 3));
}

function recordOf(answer: () => string | readonly number[]): string {
  try {
    const value = answer();
    return typeof value === "string" ? value : value.join(",");
  } catch {
    return "error";
  }
}

function textRecords(runner: TokenizerRunner, text: string, isFormed: boolean): string[] {
  const ids = recordOf(() => runner.encode(text));
  const plain = recordOf(() => runner.encodeAsText(text));
  const processed = recordOf(() => runner.postProcess(runner.encode(text)));
  const numbers = ids === "error" || ids === "" ? [] : ids.split(",").map(Number);
  return [ids, isFormed ? "formed" : plain, processed, ...idRecords(runner, numbers)];
}

function idRecords(runner: TokenizerRunner, ids: readonly number[]): string[] {
  return [false, true].map((skipSpecialTokens) =>
    recordOf(() => runner.decode(ids, { skipSpecialTokens })),
  );
}

function digest(records: readonly string[]): string {
  const hash = createHash("sha1").update(records.join("\n"), "utf8").digest();
  return hash.subarray(0, 3).toString("base64");
}

describe.each(Object.entries(kinds))("a tokenizer like that of %s", (_, golden) => {
  const runner = createTokenizerRunner(parseTokenizerFile(JSON.stringify(golden.file)));
  const formed = new Set(golden.formed);

  it("encodes and decodes 1,600 texts as the Python library does", () => {
    const count = golden.hashes.length / 4;
    expect(count).toBe(1600);
    const numbers = Array.from({ length: count }, (__, number) => number);
    const wrong = numbers.filter((number) => {
      const records = textRecords(runner, drawText(number), formed.has(number));
      return digest(records) !== golden.hashes.slice(4 * number, 4 * number + 4);
    });
    expect(wrong).toEqual([]);
  });

  it("decodes drawn ids as the Python library does", () => {
    const count = golden.decoded.length / 4;
    const numbers = Array.from({ length: count }, (__, number) => number);
    const wrong = numbers.filter((number) => {
      const records = idRecords(runner, drawIds(number, golden.vocabulary));
      return digest(records) !== golden.decoded.slice(4 * number, 4 * number + 4);
    });
    expect(wrong).toEqual([]);
  });

  it("forms no special token from text", () => {
    const { special } = { special: new Set(specialIds(runner, golden.file)) };
    for (const number of golden.formed) {
      const ids = runner.encodeAsText(drawText(number));
      expect(ids.filter((id) => special.has(id))).toEqual([]);
    }
  });
});

/** Returns the ids of special tokens, except the one for unknown text, which any text may contain. */
function specialIds(runner: TokenizerRunner, file: unknown): number[] {
  const { model } = file as { model: { unk_token?: string; unk_id?: number } };
  return runner.addedTokens
    .filter(({ special, content }) => special && content !== (model.unk_token ?? "<unk>"))
    .map(({ id }) => id);
}
