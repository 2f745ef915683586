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

/** Merges by rank, straight from the definition: the reference for what the library does. */
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
  it("has one id for every byte, special token and merge, and merges what is frequent", () => {
    expect(tokenizer.vocabularySize).toBe(340);
    expect(SPECIAL_TOKENS.map((name) => tokenizer.special(name))).toEqual([0, 1, 2, 3]);
    const texts = [...Array(340).keys()].slice(4).map((id) => tokenizer.decode([id]));
    expect(texts.some((text) => text.startsWith("apis."))).toBe(true);
    expect(texts).toContain("Brown");
  });

  it("has the special tokens in its vocabulary too, without which other programs number them anew", () => {
    const { model, added_tokens } = JSON.parse(json);
    for (const { content, id } of added_tokens) expect(model.vocab[content]).toBe(id);
    expect(added_tokens).toHaveLength(SPECIAL_TOKENS.length);
  });

  it("learns no merges that spell a special token, however often texts do", () => {
    const texts = Array.from({ length: 50 }, () => SPECIAL_TOKENS.join(" "));
    const from = loadTokenizer(trainTokenizer(texts, { vocabularySize: 340, minimumCount: 2 }));
    for (const text of SPECIAL_TOKENS) {
      const ids = from.encode(text);
      expect(ids.every((id) => id >= SPECIAL_TOKENS.length)).toBe(true);
      expect(from.decode(ids)).toBe(text);
    }
  });

  it("round-trips any text, also text that looks like special tokens", () => {
    fc.assert(
      fc.property(fc.oneof(unicode, tricky), (text) => {
        const ids = tokenizer.encode(text);
        expect(tokenizer.decode(ids)).toBe(text);
        expect(ids.every((id) => id >= SPECIAL_TOKENS.length)).toBe(true);
      }),
    );
  });

  it("segments as the trainer's merges say", () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...TEXT), unicode, tricky), (text) => {
        expect([...tokenizer.encode(text)]).toEqual(encodeByDefinition(text));
      }),
    );
  });

  it("gives the ids that the library gives on whole texts, in any file of the format", () => {
    // Another way of cutting makes the file a foreign one, which the library runs alone; these cut the same.
    const foreign = JSON.parse(json);
    foreign.pre_tokenizer.pretokenizers[0].pattern.Regex = `(?:${PIECE_PATTERN})`;
    const library = loadTokenizer(JSON.stringify(foreign));
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...TEXT), unicode, tricky), (text) => {
        expect(tokenizer.encode(text)).toEqual(library.encode(text));
      }),
    );
  });

  it("splits digits one by one and gives a word the same tokens wherever it stands", () => {
    expect(tokenizer.encode("2025").length).toBe(4);
    const name = tokenizer.encode("Anna");
    for (const context of [" Anna", '"Anna"', "1Anna", "Anna. ", "Anna, Anna"]) {
      expect(tokenizer.encode(context).join(",")).toContain(name.join(","));
    }
  });

  it("is the same every time and stops where pairs get rare", () => {
    expect(trainTokenizer(TEXT, { vocabularySize: 340, minimumCount: 20 })).toBe(json);
    const rare = loadTokenizer(trainTokenizer(["ab"], { vocabularySize: 512, minimumCount: 2 }));
    expect(rare.vocabularySize).toBe(260);
    expect(new Set(BYTE_CHARACTERS).size).toBe(256);
  });

  it("decodes special tokens by name and refuses names and files that it does not know", () => {
    expect(tokenizer.decode([1, ...tokenizer.encode("é"), 3])).toBe("<|task|>é<|run|>");
    expect(() => tokenizer.special("<|user|>")).toThrow(/no special token <\|user\|>.*<\|pad\|>/);
    expect(() => loadTokenizer("{}")).toThrow(/not a tokenizer.json/);
  });
});

it("a part that cuts off digits cuts off every number character, as in transformers", () => {
  const file = JSON.parse(trainTokenizer(["x"], { vocabularySize: 300, minimumCount: 2 })) as {
    model: { vocab: Record<string, number>; merges: unknown };
  };
  // The last byte of one half with the first of a superscript two: a cut between them keeps them apart.
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
