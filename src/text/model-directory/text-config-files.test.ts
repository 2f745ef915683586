/** Tests what happens to the fields of tokenizer_config.json, special_tokens_map.json and generation_config.json. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { modelFilesFromTexts } from "./model-files.ts";
import { type ModelText, modelTextFromFiles } from "./model-text.ts";

const tokenizerJson = readFileSync(
  fileURLToPath(new URL("../../../tests/golden/hf-qwen2/tokenizer.json", import.meta.url)),
  "utf8",
);
const end = { id: 332, content: "<|im_end|>" };
const flags = {
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
};

/** Opens a model with the tokenizer of Qwen2 and some files. */
function open(files: Readonly<Record<string, object>>): ModelText {
  const texts = Object.entries(files).map(([name, file]) => [name, JSON.stringify(file)]);
  const all = { "tokenizer.json": tokenizerJson, ...Object.fromEntries(texts) };
  return modelTextFromFiles(modelFilesFromTexts("made", all), 400);
}
const openConfig = (config: object) => open({ "tokenizer_config.json": config });

describe("tokenizer_config.json and special_tokens_map.json", () => {
  it("give roles to special tokens, also as objects and under names that we do not know", () => {
    const text = open({
      "special_tokens_map.json": { pad_token: "<|endoftext|>", eos_token: "<|endoftext|>" },
      "tokenizer_config.json": {
        eos_token: { __type: "AddedToken", ...end, ...flags },
        image_token: "<|im_start|>",
        bos_token: null,
        audio_token: null,
      },
    });
    expect(text.specialTokens).toEqual({
      pad_token: "<|endoftext|>",
      eos_token: "<|im_end|>",
      image_token: "<|im_start|>",
    });
    expect(text.namedTokenizerFields).toEqual([]);
  });

  it("are refused where transformers would change the tokenizer because of them", () => {
    const refused: readonly (readonly [object, RegExp])[] = [
      [
        { eos_token: "</s>" },
        /eos_token is "<\/s>", which is no special token of tokenizer\.json; tr/,
      ],
      [{ eos_token: "<tool_call>" }, /eos_token is "<tool_call>", which is no special token/],
      [{ extra_special_tokens: ["<new>"] }, /a token is "<new>", which is no special token/],
      [{ additional_special_tokens: ["<new>"] }, /a token is "<new>", which is no special token/],
      [
        { extra_special_tokens: { image: "<new>" } },
        /a token is "<new>", which is no special token/,
      ],
      [
        { added_tokens_decoder: { 332: { ...flags, ...end, lstrip: true } } },
        /added_tokens_decoder\.332 is "<\|im_end\|>", and tokenizer\.json differs in lstrip; trans/,
      ],
      [
        { added_tokens_decoder: { 390: { ...flags, content: "<new>" } } },
        /added_tokens_decoder\.390 is "<new>", and tokenizer\.json has no such added token/,
      ],
    ];
    for (const [config, message] of refused) expect(() => openConfig(config)).toThrow(message);
    const agreeing = { 332: { ...flags, ...end } };
    expect(openConfig({ added_tokens_decoder: agreeing }).tokenizer.special("<|im_end|>")).toBe(
      332,
    );
  });

  it("are refused if special tokens of a rendered template would be text", () => {
    expect(() => openConfig({ split_special_tokens: true })).toThrow(/expected false, got true/);
    expect(() => openConfig({ split_special_tokens: false })).not.toThrow();
  });

  it("name unknown fields, and say nothing of harmless ones", () => {
    const harmless = { model_max_length: 1e30, tokenizer_class: "X", add_bos_token: true };
    expect(openConfig(harmless).namedTokenizerFields).toEqual([]);
    const text = open({
      "tokenizer_config.json": { ...harmless, magic: 1, chat_template: null },
      "special_tokens_map.json": { wand: "x" },
    });
    expect(text.namedTokenizerFields).toEqual(["magic", "wand"]);
  });
});

describe("generation_config.json", () => {
  const ignored = (config: object) => open({ "generation_config.json": config }).generation.ignored;

  it("names what is not applied, with its value, and unknown fields", () => {
    const config = { do_sample: true, top_k: 20, max_new_tokens: 9, new_filter: [1] };
    expect(ignored(config)).toEqual(["top_k 20", "max_new_tokens 9", "new_filter [1]"]);
  });

  it("says nothing of fields that are switched off or change no sample", () => {
    const off = { top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1, num_beams: 1, top_h: null };
    const lists = { bad_words_ids: [], early_stopping: false, token_healing: false };
    const speed = { use_cache: true, cache_implementation: "static", num_assistant_tokens: 3 };
    const origin = { transformers_version: "5", output_scores: true, bos_token_id: 1 };
    expect(ignored({ do_sample: true, ...off, ...lists, ...speed, ...origin })).toEqual([]);
  });

  it("says nothing of filters where the best token is always taken", () => {
    const config = { top_p: 0.5, repetition_penalty: 1.2 };
    expect(ignored({ ...config, do_sample: false })).toEqual(["repetition_penalty 1.2"]);
    expect(ignored({ ...config, do_sample: true })).toHaveLength(2);
  });

  it("is refused if a field is malformed", () => {
    expect(() => ignored({ temperature: "hot" })).toThrow(/temperature/);
    expect(() => ignored({ eos_token_id: 400 })).toThrow(/eos_token_id 400 is not below/);
  });

  it("names a field whose value is nested deeper than can be printed", () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 20_000; depth++) value = [value];
    expect(() => JSON.stringify(value)).toThrow(RangeError);
    const text = `{"do_sample":true,"new_filter":${"[".repeat(20_000)}1${"]".repeat(20_000)}}`;
    const files = { "tokenizer.json": tokenizerJson, "generation_config.json": text };
    const { generation } = modelTextFromFiles(modelFilesFromTexts("made", files), 400);
    expect(generation.ignored[0]).toMatch(/^new_filter .{1,40}$/);
  });
});
