import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadTokenizer } from "./load-tokenizer.ts";
import {
  BYTE_CHARACTERS,
  PIECE_PATTERN,
  SPECIAL_TOKENS,
  splitIntoPieces,
  toByteCharacters,
} from "./pieces.ts";
import { trainTokenizer } from "./train-tokenizer.ts";

const TEXT = [
  "Send a message to Anna Brown: lunch at 12:30?",
  'const page = await apis.contacts.list({ page: 1 });\nprint(page[0].name, "anna@mail.test");',
  "Pay Hannah Brown 25.50 for the annual banana plan. ¿Qué? 価格 😀",
].flatMap((line) => Array<string>(20).fill(line));
const json = trainTokenizer(TEXT, { vocabularySize: 340, minimumCount: 20 });
const tokenizer = loadTokenizer(json);

/** Encodes a text directly by the definition, merging by rank, as a reference for the library. */
function encodeByDefinition(text: string): number[] {
  const { model } = JSON.parse(json) as {
    model: { vocab: Record<string, number>; merges: [string, string][] };
  };
  return splitIntoPieces(text).flatMap((piece) => {
    let symbols = toByteCharacters(piece);
    for (;;) {
      const ranks = symbols
        .slice(1)
        .map((right, i) => model.merges.findIndex(([a, b]) => a === symbols[i] && b === right));
      const best = Math.min(...ranks.filter((rank) => rank >= 0));
      if (!Number.isFinite(best)) break;
      const at = ranks.indexOf(best);
      symbols = [
        ...symbols.slice(0, at),
        symbols[at]! + symbols[at + 1]!,
        ...symbols.slice(at + 2),
      ];
    }
    return symbols.map((symbol) => model.vocab[symbol]!);
  });
}

const unicode = fc.string({ unit: "binary" }).map((text) => Buffer.from(text).toString());
const tricky = fc
  .array(fc.constantFrom(...SPECIAL_TOKENS, "Anna", " ", "  ", "12", "\n", "<|", "|>", "'s", " ."))
  .map((parts) => parts.join(""));

describe("the tokenizer", () => {
  it("has one id for every byte, special token and merge, and merges frequent pairs", () => {
    expect(tokenizer.vocabularySize).toBe(340);
    expect(SPECIAL_TOKENS.map((name) => tokenizer.special(name))).toEqual([0, 1, 2, 3]);
    const texts = [...Array(340).keys()].slice(4).map((id) => tokenizer.decode([id]));
    expect(texts.some((text) => text.startsWith("apis."))).toBe(true);
    expect(texts).toContain("Brown");
  });

  it("has the special tokens in its vocabulary, because other programs would otherwise change their ids", () => {
    const { model, added_tokens } = JSON.parse(json);
    for (const { content, id } of added_tokens) expect(model.vocab[content]).toBe(id);
    expect(added_tokens).toHaveLength(SPECIAL_TOKENS.length);
  });

  it("learns no merges that form a special token, even if it is frequent in the texts", () => {
    const texts = Array.from({ length: 50 }, () => SPECIAL_TOKENS.join(" "));
    const trained = loadTokenizer(trainTokenizer(texts, { vocabularySize: 340, minimumCount: 2 }));
    for (const text of SPECIAL_TOKENS) {
      const ids = trained.encode(text);
      expect(ids.every((id) => id >= SPECIAL_TOKENS.length)).toBe(true);
      expect(trained.decode(ids)).toBe(text);
    }
  });

  it("decodes encoded text to the same text, even if it looks like special tokens", () => {
    fc.assert(
      fc.property(fc.oneof(unicode, tricky), (text) => {
        const ids = tokenizer.encode(text);
        expect(tokenizer.decode(ids)).toBe(text);
        expect(ids.every((id) => id >= SPECIAL_TOKENS.length)).toBe(true);
      }),
    );
  });

  it("applies the merges of the trainer in their order", () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...TEXT), unicode, tricky), (text) => {
        expect([...tokenizer.encode(text)]).toEqual(encodeByDefinition(text));
      }),
    );
  });

  it("encodes a text to the same ids as the library alone", () => {
    // With another pattern that cuts in the same way, the file does not look like ours and the library runs it alone.
    const foreign = JSON.parse(json);
    foreign.pre_tokenizer.pretokenizers[0].pattern.Regex = `(?:${PIECE_PATTERN})`;
    const library = loadTokenizer(JSON.stringify(foreign));
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...TEXT), unicode, tricky), (text) => {
        expect(tokenizer.encode(text)).toEqual(library.encode(text));
      }),
    );
  });

  it("encodes each digit separately, and a word to the same tokens in every context", () => {
    expect(tokenizer.encode("2025").length).toBe(4);
    const name = tokenizer.encode("Anna");
    for (const context of [" Anna", '"Anna"', "1Anna", "Anna. ", "Anna, Anna"]) {
      expect(tokenizer.encode(context).join(",")).toContain(name.join(","));
    }
  });

  it("is deterministic, and training stops when all pairs are rare", () => {
    expect(trainTokenizer(TEXT, { vocabularySize: 340, minimumCount: 20 })).toBe(json);
    const rare = loadTokenizer(trainTokenizer(["ab"], { vocabularySize: 512, minimumCount: 2 }));
    expect(rare.vocabularySize).toBe(260);
    expect(new Set(BYTE_CHARACTERS).size).toBe(256);
  });

  it("decodes special tokens to their names, and rejects unknown names and files", () => {
    expect(tokenizer.decode([1, ...tokenizer.encode("é"), 3])).toBe("<|task|>é<|run|>");
    expect(() => tokenizer.special("<|user|>")).toThrow(/no special token <\|user\|>.*<\|pad\|>/);
    expect(() => loadTokenizer("{}")).toThrow(/not a tokenizer.json/);
  });
});

it("the part Digits of a pre-tokenizer cuts at every number character, as in transformers", () => {
  const file = JSON.parse(trainTokenizer(["x"], { vocabularySize: 300, minimumCount: 2 })) as {
    model: { vocab: Record<string, number>; merges: unknown };
  };
  // This merge would join ½ with the first byte of ². A cut between them prevents it.
  file.model.merges = [["½", "Â"]];
  file.model.vocab["½Â"] = 260;
  const bytes = { type: "ByteLevel", add_prefix_space: false, use_regex: true };
  const encoded = (individual_digits: boolean) => {
    const digits = { type: "Digits", individual_digits };
    const pre_tokenizer = { type: "Sequence", pretokenizers: [digits, bytes] };
    return loadTokenizer(JSON.stringify({ ...file, pre_tokenizer })).encode("½²");
  };
  expect(encoded(true)).toHaveLength(4);
  expect(encoded(false)).toHaveLength(3);
});
