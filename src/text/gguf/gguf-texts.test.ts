/** Tests that a tokenizer which is written to a GGUF file and read back is still the same. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, test } from "vitest";
import { type GgufEntry, writeGguf } from "../../core/gguf/index.ts";
import { BowlineError, Rng } from "../../core/index.ts";
import { modelFilesFromTexts, openModelFiles } from "../model-directory/model-files.ts";
import { readModelText } from "../model-directory/model-text.ts";
import { openTextDirectory } from "../model-directory/open-text-directory.ts";
import { trainTokenizer } from "../tokenizer/train-tokenizer.ts";
import { findPreTokenizerName } from "./pre-tokenizers.ts";
import { createGgufEntries } from "./write-texts.ts";

interface RecordedTokenizer {
  readonly cases: readonly { text: string; ids: number[]; plain: number[]; decoded: string }[];
}
const goldenPath = (name: string) =>
  fileURLToPath(new URL(`../../../tests/golden/${name}`, import.meta.url));
const recorded = JSON.parse(readFileSync(goldenPath("hf-tokenizers.json"), "utf8")) as Readonly<
  Record<string, RecordedTokenizer>
>;

const folder = mkdtempSync(join(tmpdir(), "bowline-gguf-texts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "model.gguf");
const qwen2 = createGgufEntries(openModelFiles(goldenPath("hf-qwen2")), 342);

/** Returns the entries without some keys. Published files have only the keys that llama.cpp reads. */
function withoutKeys(entries: readonly GgufEntry[], ...keys: readonly string[]): GgufEntry[] {
  return entries.filter(({ key }) => !keys.includes(key));
}

function writeFile(entries: readonly GgufEntry[]): string {
  writeGguf(path, entries, []);
  return path;
}

describe.each(["qwen2", "qwen3", "llama3", "llama"])(
  "the tokenizer of %s in a GGUF file",
  (name) => {
    const { vocabularySize } = openTextDirectory(goldenPath(`hf-${name}`));
    const original = readModelText(goldenPath(`hf-${name}`), vocabularySize);
    const entries = createGgufEntries(openModelFiles(goldenPath(`hf-${name}`)), vocabularySize);

    it("encodes and decodes as transformers does", () => {
      const keys = withoutKeys(entries, "tokenizer.huggingface.json");
      const { tokenizer } = readModelText(writeFile(keys), vocabularySize);
      expect(tokenizer.vocabularySize).toBe(original.tokenizer.vocabularySize);
      for (const { text, ids, plain, decoded } of recorded[name]!.cases) {
        expect(tokenizer.encodeRendered(text)).toEqual(ids);
        expect(tokenizer.encode(text)).toEqual(plain);
        expect(tokenizer.decode(ids)).toBe(decoded);
      }
      expect(tokenizer.specials).toEqual(original.tokenizer.specials);
    });

    it("has the chat template, the special tokens and the stops", () => {
      const text = readModelText(writeFile(entries), vocabularySize);
      const messages = [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
      ];
      const render = { addGenerationPrompt: true };
      expect(text.chatTemplate().render(messages, render)).toBe(
        original.chatTemplate().render(messages, render),
      );
      expect(text.specialTokens).toMatchObject(original.specialTokens);
      expect([...text.generation.stopIds].sort()).toEqual([...original.generation.stopIds].sort());
    });
  },
);

describe.each(["qwen2", "qwen3"])(
  "a GGUF file of %s whose ChatML marks are user-defined tokens",
  (name) => {
    const { vocabularySize } = openTextDirectory(goldenPath(`hf-${name}`));
    const original = readModelText(goldenPath(`hf-${name}`), vocabularySize);
    const entries = withoutKeys(
      createGgufEntries(openModelFiles(goldenPath(`hf-${name}`)), vocabularySize),
      "tokenizer.huggingface.json",
    );
    const [CONTROL, USER_DEFINED] = [3, 4];
    const changed = entries.map((entry) =>
      entry.key === "tokenizer.ggml.token_type" && entry.kind === "int32s"
        ? { ...entry, value: entry.value.map((type) => (type === CONTROL ? USER_DEFINED : type)) }
        : entry,
    );

    it("gives the ids of the original", () => {
      expect(changed).not.toEqual(entries);
      const { tokenizer } = readModelText(writeFile(changed), vocabularySize);
      for (const { text, ids, plain } of recorded[name]!.cases) {
        expect(tokenizer.encodeRendered(text)).toEqual(ids);
        expect(tokenizer.encode(text)).toEqual(plain);
      }
      expect(tokenizer.specials).toEqual(original.tokenizer.specials);
    });

    it("ends a turn with <|im_end|>, whether or not a key names it", () => {
      for (const left of [[], ["tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"]]) {
        const text = readModelText(writeFile(withoutKeys(changed, ...left)), vocabularySize);
        expect(text.generation.stopIds).toContain(text.tokenizer.special("<|im_end|>"));
      }
    });
  },
);

test("the sampling options of a GGUF file are those of a generation_config.json, and the others are listed", () => {
  const number = (key: string, value: number): GgufEntry => ({
    key: `general.sampling.${key}`,
    kind: "float32",
    value,
  });
  const { generation } = readModelText(
    writeFile([
      ...qwen2,
      number("temp", 0.7),
      number("penalty_repeat", 1.1),
      number("mirostat", 2),
    ]),
    342,
  );
  expect(generation.temperature).toBe(0.7);
  expect(generation.ignored).toEqual(["repetition_penalty 1.1", "mirostat 2"]);
  const neutral = readModelText(
    writeFile([...qwen2, number("penalty_repeat", 1), number("mirostat", 0)]),
    342,
  );
  expect(neutral.generation.ignored).toEqual([]);
});

const TEXTS = ["print(page[0].name);", 'Find "Anna".  Then, pay 12 EUR to her!', "a, b.c; d?\n\te"];

test("a tokenizer that was trained here is read back unchanged, although llama.cpp cuts text differently", () => {
  const json = trainTokenizer(
    TEXTS.flatMap((text) => Array(20).fill(text)),
    { vocabularySize: 320, minimumCount: 2 },
  );
  const files = modelFilesFromTexts("made", {
    "tokenizer.json": json,
    "tokenizer_config.json": '{"eos_token":"<|run|>","pad_token":"<|pad|>"}',
  });
  const entries = createGgufEntries(files, 320);
  expect(entries).toContainEqual({
    key: "tokenizer.ggml.pre",
    kind: "string",
    value: "superbpe",
  });
  const text = readModelText(writeFile(entries), 320);
  expect(text.tokenizerJson).toBe(json);
  expect(text.generation.stopIds).toEqual([3]);
});

test("a GGUF file without weights has the vocabulary size and the context length", () => {
  const entries = createGgufEntries(openModelFiles(goldenPath("hf-qwen2")), 342);
  const sized: GgufEntry[] = [
    { key: "general.architecture", kind: "string", value: "qwen2" },
    { key: "qwen2.context_length", kind: "uint32", value: 99 },
  ];
  expect(openTextDirectory(writeFile([...sized, ...entries]))).toMatchObject({
    vocabularySize: 342,
    contextLength: 99,
  });
});

test("the pre-tokenizer smollm cuts at every number character, not only at ASCII digits", () => {
  const original = trainTokenizer(["x"], { vocabularySize: 300, minimumCount: 2 });
  const file = JSON.parse(original) as {
    model: { vocab: Record<string, number>; merges: unknown };
  };
  // This merge would join a letter with the first byte of a superscript two. A cut between them prevents it.
  file.model.merges = [["a", "Â"]];
  file.model.vocab["aÂ"] = 260;
  const digits = { type: "Digits", individual_digits: true };
  const bytes = { type: "ByteLevel", add_prefix_space: false, use_regex: true };
  const pre_tokenizer = { type: "Sequence", pretokenizers: [digits, bytes] };
  const json = JSON.stringify({ ...file, pre_tokenizer });
  const entries = createGgufEntries(modelFilesFromTexts("made", { "tokenizer.json": json }), 261);
  const { tokenizer } = readModelText(writeFile(entries), 261);
  expect(tokenizer.encode("a²")).toHaveLength(3);
  expect(tokenizer.encode("a£")).toHaveLength(3);
  expect(tokenizer.decode(tokenizer.encode("a²"))).toBe("a²");
});

test("pre-tokenizers are found by their parts", () => {
  const split = (Regex: string) => ({ type: "Split", pattern: { Regex }, behavior: "Isolated" });
  const bytes = (use_regex: boolean) => ({ type: "ByteLevel", add_prefix_space: false, use_regex });
  const digits = { type: "Digits", individual_digits: true };
  const file = (...pretokenizers: unknown[]) => ({
    pre_tokenizer: { type: "Sequence", pretokenizers },
    model: {},
  });
  expect(findPreTokenizerName(file(digits, bytes(true)))).toEqual({
    name: "smollm",
    isExact: true,
  });
  expect(findPreTokenizerName({ pre_tokenizer: bytes(true), model: {} })?.name).toBe("gpt-2");
  expect(findPreTokenizerName(file(split("\\w+"), bytes(false)))).toBeUndefined();
});

function messageOfRejection(entries: readonly GgufEntry[]): string {
  try {
    readModelText(writeFile(entries), 1000);
  } catch (error) {
    if (BowlineError.is(error) && error.code === "checkpoint") return error.message;
    throw error;
  }
  throw new Error("the file was accepted");
}

const replaceEntry = (key: string, entry: Omit<GgufEntry, "key">): GgufEntry[] =>
  qwen2.map((old) => (old.key === key ? ({ ...entry, key } as GgufEntry) : old));

test.each<[string, GgufEntry[], RegExp]>([
  [
    "no tokens",
    withoutKeys(qwen2, "tokenizer.ggml.tokens"),
    /lacks the key tokenizer\.ggml\.tokens/,
  ],
  [
    "no merges",
    withoutKeys(qwen2, "tokenizer.ggml.merges"),
    /lacks the key tokenizer\.ggml\.merges/,
  ],
  [
    "an unsupported kind of tokenizer",
    replaceEntry("tokenizer.ggml.model", { kind: "string", value: "bert" }),
    /tokenizer\.ggml\.model bert is not supported; expected gpt2/,
  ],
  [
    "an unknown pre-tokenizer",
    replaceEntry("tokenizer.ggml.pre", { kind: "string", value: "quen2" }),
    /tokenizer\.ggml\.pre quen2 is not supported \(did you mean qwen2\?\)/,
  ],
  [
    "another number of token types than of tokens",
    replaceEntry("tokenizer.ggml.token_type", { kind: "int32s", value: [1, 2] }),
    /token_type has 2 elements, but there are 342 tokens/,
  ],
  [
    "an end token after every text",
    [...qwen2, { key: "tokenizer.ggml.add_eos_token", kind: "bool", value: true }],
    /tokenizer\.ggml\.add_eos_token: expected false, got true/,
  ],
  [
    "a token twice",
    qwen2.map((entry) =>
      entry.key === "tokenizer.ggml.tokens" && entry.kind === "strings"
        ? { ...entry, value: entry.value.map((token) => (token === "a" ? "b" : token)) }
        : entry,
    ),
    /tokenizer\.ggml\.tokens has "b" twice/,
  ],
  [
    "an unknown key",
    [...qwen2, { key: "tokenizer.ggml.add_mood", kind: "bool", value: true }],
    /tokenizer\.ggml\.add_mood: a key that may change how text becomes tokens/,
  ],
  [
    "an end token that does not exist",
    replaceEntry("tokenizer.ggml.eos_token_id", { kind: "uint32", value: 5000 }),
    /eos_token_id is 5000, but there are 342 tokens/,
  ],
])("a vocabulary with %s is rejected in one line", (_, entries, message) => {
  const text = messageOfRejection(entries);
  expect(text).toMatch(message);
  expect(text).toContain(path);
  expect(text).not.toContain("\n");
});

test("a randomly damaged vocabulary is either read or rejected in one line", () => {
  const original = readFileSync(writeFile(qwen2));
  const rng = new Rng(14);
  let refused = 0;
  for (let i = 0; i < 400; i++) {
    const bytes = Buffer.from(original);
    const at = rng.integer(0, bytes.length - 9);
    if (rng.chance(0.7)) bytes[at] = rng.integer(0, 255);
    else bytes.writeBigUInt64LE(2n ** BigInt(rng.integer(0, 63)), at);
    writeFileSync(path, bytes);
    try {
      readModelText(path, 342).tokenizer.encode("print(1)");
    } catch (error) {
      if (!BowlineError.is(error) || error.code !== "checkpoint") throw error;
      expect(error.message).not.toContain("\n");
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(20);
}, 60_000);

const publishedModel = process.env["BOWLINE_SMOLLM2"];
test.skipIf(publishedModel === undefined || !existsSync(publishedModel))(
  "the published file of SmolLM2-135M gives the ids of llama.cpp",
  () => {
    const text = openTextDirectory(publishedModel!);
    expect(text).toMatchObject({ vocabularySize: 49_152, contextLength: 8192 });
    // llama.cpp and the original tokenizer give these ids.
    expect(text.tokenizer.encode("Hello world 123")).toEqual([19_556, 905, 216, 33, 34, 35]);
    expect(text.generation.stopIds[0]).toBe(text.tokenizer.special("<|im_end|>"));
    const rendered = text
      .chatTemplate()
      .render([{ role: "user", content: "Hi" }], { addGenerationPrompt: true });
    expect(rendered).toMatch(/^<\|im_start\|>system\n.*<\|im_start\|>assistant\n$/s);
  },
);
