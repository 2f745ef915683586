/**
 * Rows that the JavaScript library got wrong, and files that are refused. The right values are the Python library's.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { parseTokenizerFile } from "./format/tokenizer-format.ts";
import { BYTE_CHARACTERS, PIECE_PATTERN } from "./pieces.ts";
import { createTokenizerRunner, type TokenizerRunner } from "./tokenizer-runner.ts";

type Json = Record<string, unknown>;
const goldenJson = (name: string) =>
  JSON.parse(
    readFileSync(fileURLToPath(new URL(`../../../tests/golden/${name}`, import.meta.url)), "utf8"),
  );
const runnerOf = (file: unknown): TokenizerRunner =>
  createTokenizerRunner(parseTokenizerFile(JSON.stringify(file)));

const qwen2: Json = goldenJson("hf-qwen2/tokenizer.json");
const gpt2Cutting = { type: "ByteLevel", add_prefix_space: false, use_regex: true };
const bytes: Json = Object.fromEntries(BYTE_CHARACTERS.map((character, id) => [character, id]));
const byteModel = { type: "BPE", vocab: bytes, merges: [] as string[][] };
const wordModel = { type: "WordLevel", vocab: { a: 0, b: 1, "<unk>": 2 }, unk_token: "<unk>" };

describe("characters that JavaScript takes for something else", () => {
  it.each([
    ["\ufeff's", [171, 119, 123, 6, 82]],
    ["\ufeff  a", [171, 119, 123, 220, 264]],
    ["\u0085's", [126, 227, 306]],
    ["a\u200b's", [64, 158, 222, 233, 6, 82]],
    ["'ſ", [6, 129, 123]],
    ["\u1680x", [157, 248, 222, 87]],
  ])("GPT-2's pattern cuts %j as in the Python library", (text, ids) => {
    const runner = runnerOf({ ...qwen2, pre_tokenizer: gpt2Cutting });
    expect(runner.encode(text)).toEqual(ids);
    expect(runner.decode(ids)).toBe(text);
  });

  it("keeps U+FEFF when SentencePiece's bytes are decoded", () => {
    const runner = runnerOf(goldenJson("hf-llama/tokenizer.json"));
    for (const text of ["x\ufeffy", "\ufeffx", "x\ufeff"]) {
      expect(runner.decode(runner.encode(text))).toBe(text);
    }
  });
});

describe("bytes that are not UTF-8", () => {
  it.each([
    [[0x61, 0xe2, 0x82], "a\ufffd", 3],
    [[0xe2, 0x82, 0xe2, 0x82, 0xac], "\ufffd€", 5],
    [[0xf0, 0x9f, 0x98], "\ufffd", 3],
    [[0xed, 0xa0, 0x80], "\ufffd".repeat(3), 3],
    [[0xc0, 0x80], "\ufffd\ufffd", 2],
    [[0xf4, 0x90, 0x80, 0x80], "\ufffd".repeat(4), 4],
    [[0xe2, 0x28, 0xa1], "\ufffd(\ufffd", 3],
  ])("%j have as many U+FFFD as in the Python library", (row, byByteLevel, byFallback) => {
    const byteLevel = runnerOf({ model: byteModel, decoder: { type: "ByteLevel" } });
    expect(byteLevel.decode(row)).toBe(byByteLevel);
    const vocab = Object.fromEntries(
      Array.from({ length: 256 }, (_, byte) => [
        `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
        byte,
      ]),
    );
    const decoder = { type: "ByteFallback" };
    const fallback = runnerOf({ model: { ...byteModel, vocab, byte_fallback: true }, decoder });
    expect(fallback.decode(row)).toBe("\ufffd".repeat(byFallback));
  });
});

/** Runs something and returns how long it took, in milliseconds. */
function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

describe("long texts take linear time", () => {
  it("encodes 60,000 equals signs with a token for each power of two in half a second", () => {
    const powers = Array.from({ length: 8 }, (_, i) => "=".repeat(2 ** i));
    const vocab = {
      ...bytes,
      ...Object.fromEntries(powers.slice(1).map((one, i) => [one, 256 + i])),
    };
    const merges = powers.slice(0, -1).map((half) => [half, half]);
    const runner = runnerOf({ model: { ...byteModel, vocab, merges }, pre_tokenizer: gpt2Cutting });
    let ids: number[] = [];
    expect(timeOf(() => (ids = runner.encode("=".repeat(60_000))))).toBeLessThan(500);
    expect(ids).toHaveLength(Math.floor(60_000 / 128) + 2);
  });

  const { kinds } = goldenJson("tokenizers.json") as { kinds: Record<string, { file: unknown }> };
  const texts: Readonly<Record<string, string>> = {
    "a word": "a".repeat(100_000),
    spaces: `${" ".repeat(100_000)}x`,
    "spaces before an added token": `${" ".repeat(50)}<l>`.repeat(2000),
    "line feeds": "\r\n".repeat(50_000),
    punctuation: `${".".repeat(100_000)}x`,
    ideographs: "漢".repeat(50_000),
    emoji: "😀".repeat(50_000),
    "marks on one letter": `e${"\u0301".repeat(50_000)}`,
    "openings of added tokens": "<".repeat(100_000),
  };
  // A quadratic step would take minutes for some of these texts.
  it.each(["gpt2", "llama3", "gpt4o", "llama2", "t5", "xlnet", "albert", "bert", "suffixes"])(
    "encodes and decodes rows of 100,000 characters like %s",
    (kind) => {
      const runner = runnerOf(kinds[kind]!.file);
      for (const text of Object.values(texts)) {
        expect(timeOf(() => runner.decode(runner.encode(text)))).toBeLessThan(5000);
      }
    },
    60_000,
  );

  it("cuts long rows of punctuation as the pattern of our own tokenizers", () => {
    const own = runnerOf({ model: byteModel, pre_tokenizer: OWN_PRE_TOKENIZER });
    expect(timeOf(() => own.encode(`${".".repeat(100_000)}x`))).toBeLessThan(2000);
  });
});

/** The pre-tokenizer of tokenizers that are trained here. */
const OWN_PRE_TOKENIZER = {
  type: "Sequence",
  pretokenizers: [
    { type: "Split", pattern: { Regex: PIECE_PATTERN }, behavior: "Isolated", invert: false },
    { type: "ByteLevel", add_prefix_space: false, use_regex: false },
  ],
};

describe("special tokens", () => {
  const special = {
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  };

  it("never come from text, also where the model has a token of that text", () => {
    const tokens = [{ ...special, id: 1, content: "</s>" }];
    const vocab = [
      ["<unk>", 0],
      ["</s>", 0],
      ["<", -1],
      ["/", -1],
      ["s", -1],
      [">", -1],
    ];
    const unigram = runnerOf({
      added_tokens: tokens,
      model: { type: "Unigram", vocab, unk_id: 0 },
    });
    expect(unigram.encodeAsText("</s>")).toEqual([2, 3, 4, 5]);
    expect(unigram.encode("</s>")).toEqual([1]);
    const words = { ...wordModel, vocab: { ...wordModel.vocab, "</s>": 3 } };
    const level = runnerOf({ added_tokens: [{ ...tokens[0], id: 3 }], model: words });
    expect(level.encodeAsText("</s>")).toEqual([2]);
    const merges = [["<", "/"]];
    const pairs = { type: "BPE", vocab: { "<": 0, "/": 1, "</": 2 }, merges };
    const joined = runnerOf({ added_tokens: [{ ...special, id: 2, content: "</" }], model: pairs });
    expect(joined.encodeAsText("</")).toEqual([0, 1]);
    expect(joined.encode("</")).toEqual([2]);
  });

  it("must have the ids that the Python library gives them", () => {
    const added_tokens = [{ ...special, id: 7, content: "<s>" }];
    expect(() => runnerOf({ added_tokens, model: wordModel })).toThrow(
      /added_tokens\.0: "<s>" has the id 7, but the tokenizers library gives it 3; put the token/,
    );
  });

  it("of the first tokenizers that were trained here keep their ids", () => {
    const shifted = Object.fromEntries(BYTE_CHARACTERS.map((character, id) => [character, id + 1]));
    const old = runnerOf({
      added_tokens: [{ ...special, id: 0, content: "<|run|>" }],
      model: { ...byteModel, vocab: shifted },
      pre_tokenizer: OWN_PRE_TOKENIZER,
    });
    expect(old.encode("a<|run|>")).toEqual([0x62, 0]);
    expect(old.decode([0x62, 0])).toBe("a <|run|>");
  });
});

describe("where a piece comes from decides whether Metaspace puts a space before it", () => {
  const vocab = { "▁": 0, a: 1, b: 2, c: 3, x: 4, "<unk>": 5, _: 6 };
  const metaspace = { type: "Metaspace", replacement: "▁", prepend_scheme: "first", split: false };
  const split = (pattern: object, behavior: string) => ({
    type: "Split",
    pattern,
    behavior,
    invert: false,
  });
  const replace = (pattern: object, content: string) => ({ type: "Replace", pattern, content });
  const sequence = (...normalizers: object[]) => ({ type: "Sequence", normalizers });
  const encode = (
    text: string,
    normalizer: object | null,
    pre_tokenizer: object | null = metaspace,
  ) =>
    runnerOf({
      model: { type: "BPE", vocab, merges: [], unk_token: "<unk>" },
      normalizer,
      pre_tokenizer,
    }).encode(text);

  it("as in the Python library after normalizers", () => {
    const prepend = { type: "Prepend", prepend: "b" };
    expect(encode("ax", replace({ String: "a" }, "bc"))).toEqual([0, 2, 3, 4]);
    expect(encode("abx", replace({ String: "ab" }, "c"))).toEqual([3, 4]);
    expect(encode("abx", replace({ String: "ab" }, ""))).toEqual([4]);
    expect(encode("  a", { type: "Strip", strip_left: true, strip_right: true })).toEqual([1]);
    expect(encode("ac", sequence(prepend, replace({ String: "ba" }, "x")))).toEqual([0, 4, 3]);
    expect(encode("ac", sequence(prepend, replace({ String: "a" }, "x")))).toEqual([0, 2, 4, 3]);
  });

  it("as in the Python library after a cut", () => {
    const cut = {
      type: "Sequence",
      pretokenizers: [split({ String: "b" }, "Isolated"), metaspace],
    };
    expect(encode("ax", replace({ String: "a" }, "bcb"), cut)).toEqual([0, 2, 0, 3, 0, 2, 4]);
    expect(encode("bab", null, cut)).toEqual([0, 2, 1, 2]);
  });

  it("and a match of nothing does not count directly after another match", () => {
    const nothing = { Regex: "x*" };
    expect(encode("axxb", replace(nothing, "_"), null)).toEqual([6, 1, 6, 2, 6]);
    expect(encode("axxb", null, split(nothing, "MergedWithPrevious"))).toEqual([1, 4, 4, 2]);
  });
});

test("a lone surrogate becomes U+FFFD", () => {
  const runner = runnerOf({
    model: byteModel,
    pre_tokenizer: gpt2Cutting,
    decoder: { type: "ByteLevel" },
  });
  expect(runner.decode(runner.encode("a\ud800b\udc00"))).toBe("a\ufffdb\ufffd");
});

describe("files that are refused by name", () => {
  const split = (Regex: string) => ({
    pre_tokenizer: { type: "Split", pattern: { Regex }, behavior: "Isolated", invert: false },
  });
  const refused: readonly (readonly [string, Json, RegExp])[] = [
    ["an unknown field", { extra: 1 }, /extra: this field is unknown here/],
    ["an unknown version", { version: "2.0" }, /version: expected 1\.0, got "2\.0"/],
    ["an unknown model", { model: { type: "Lattice" } }, /model\.type: the model "Lattice" is not/],
    [
      "dropout",
      { model: { ...byteModel, dropout: 0.1 } },
      /model\.dropout: expected 0, got 0\.1: the same text must always get the same ids/,
    ],
    [
      "an unknown option of a model",
      { model: { ...byteModel, cache: 1 } },
      /model\.cache: this field is unknown/,
    ],
    [
      "a merge of an unknown token",
      { model: { ...byteModel, merges: [["a", "xyz"]] } },
      /model\.merges\.0: the token "xyz" is not in model\.vocab/,
    ],
    [
      "an unsupported pre-tokenizer",
      { pre_tokenizer: { type: "UnicodeScripts" } },
      /pre_tokenizer\.type: the pre-tokenizer "UnicodeScripts" is not supported; expected one of Bert/,
    ],
    [
      "an unsupported part of a sequence",
      { normalizer: { type: "Sequence", normalizers: [{ type: "NFC" }, { type: "Rot13" }] } },
      /normalizer\.normalizers\.1\.type: the normalizer "Rot13" is not supported/,
    ],
    [
      "a pattern with a reference",
      split("(a)\\1"),
      /pattern: the pattern .* the escape \\1 is not/,
    ],
    ["a pattern with \\X", split("\\X"), /the escape \\X is not supported \(at position 2\)/],
    ["an unknown property", split("\\p{Klingon}"), /the property \\p\{Klingon\} is not supported/],
    ["an unknown decoder", { decoder: { type: "Echo" } }, /decoder\.type: the decoder "Echo"/],
    [
      "a prefix that contradicts itself",
      { pre_tokenizer: { type: "Metaspace", replacement: "▁", add_prefix_space: false } },
      /add_prefix_space false does not go with prepend_scheme always/,
    ],
    [
      "a malformed character map",
      { normalizer: { type: "Precompiled", precompiled_charsmap: "////////" } },
      /precompiled_charsmap: expected the length of a trie/,
    ],
  ];
  it.each(refused)("refuses %s", (_, fields, message) => {
    expect(() => runnerOf({ model: wordModel, ...fields })).toThrow(message);
  });

  it("reads a model of an old file that has no type", () => {
    const { type: _, ...old } = byteModel;
    expect(
      runnerOf({ model: { ...old, merges: ["a b"], vocab: { ...bytes, ab: 256 } } }).encode("ab"),
    ).toEqual([256]);
    expect(runnerOf({ model: { vocab: wordModel.vocab, unk_token: "<unk>" } }).encode("x")).toEqual(
      [2],
    );
  });
});
