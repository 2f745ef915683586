import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadTokenizer } from "../tokenizer/load-tokenizer.ts";
import { trainTokenizer } from "../tokenizer/train-tokenizer.ts";
import { CHAT_TOKENS } from "./chat-template.ts";
import {
  compileNewModelChatTemplate,
  createNewModelText,
  defaultChatFormat,
} from "./new-model-text.ts";

const find = {
  type: "function",
  function: {
    name: "find_order",
    description: "Finds an order.",
    parameters: { type: "object", properties: { customer: {}, item: {} } },
  },
};
const now = { type: "function", function: { name: "now", parameters: { type: "object" } } };
const call = { function: { name: "find_order", arguments: { customer: "Ada" } } };
const talk = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Where is it?" },
  { role: "assistant", content: "I look.", tool_calls: [call, call] },
  { role: "tool", content: "order 7" },
  { role: "tool", content: "order 8" },
  { role: "assistant", content: "Here." },
];

describe("the chat template of models made here", () => {
  const { render } = compileNewModelChatTemplate();

  it("writes ChatML, tools by their names and parameters, calls and results between markers", () => {
    expect(render(talk, { tools: [find, now], addGenerationPrompt: true })).toBe(
      [
        "<|im_start|>system\nBe brief.\nfind_order(customer,item)\nnow()<|im_end|>",
        "<|im_start|>user\nWhere is it?<|im_end|>",
        "<|im_start|>assistant\nI look.",
        '<tool_call>{"name":"find_order","arguments":{"customer":"Ada"}}</tool_call>'.repeat(2),
        "<|im_end|><|im_start|>user\n<tool_response>order 7</tool_response>",
        "<tool_response>order 8</tool_response><|im_end|>",
        "<|im_start|>assistant\nHere.<|im_end|><|im_start|>assistant\n",
      ].join(""),
    );
  });

  it("says nothing that was not said: no system turn without system text or tools", () => {
    expect(render([{ role: "user", content: "Hi" }])).toBe("<|im_start|>user\nHi<|im_end|>");
    expect(render([{ role: "user", content: "Hi" }], { tools: [now] })).toBe(
      "<|im_start|>system\nnow()<|im_end|><|im_start|>user\nHi<|im_end|>",
    );
  });

  it("only grows at its end when a conversation grows", () => {
    for (let length = 1; length < talk.length; length++) {
      const begun = render(talk.slice(0, length), { tools: [find] });
      // Results of one turn stand in one turn, which the next of them opens again.
      const open = talk[length]?.role === "tool" && talk[length - 1]?.role === "tool";
      const kept = open ? begun.slice(0, -"<|im_end|>".length) : begun;
      expect(render(talk, { tools: [find] }).startsWith(kept)).toBe(true);
    }
  });
});

describe("the text of a model made here", () => {
  const json = trainTokenizer(["find_order(customer,item)\n"], {
    vocabularySize: 300,
    minimumCount: 2,
    specials: CHAT_TOKENS,
  });
  const text = createNewModelText(json, defaultChatFormat(256));

  it("is that of a published model: template, stop ids, files for a checkpoint", () => {
    expect(text.generation.stopIds).toEqual([text.tokenizer.special("<|im_end|>")]);
    expect(text.hasChatTemplate).toBe(true);
    expect(Object.keys(text.files).sort()).toEqual([
      "chat_template.jinja",
      "generation_config.json",
      "tokenizer_config.json",
    ]);
    const rendered = text.chatTemplate().render(talk, { tools: [find] });
    expect(text.tokenizer.decode(text.tokenizer.encodeRendered(rendered))).toBe(rendered);
  });

  it("takes any text, and none becomes a marker", () => {
    const { encode, decode } = loadTokenizer(json);
    const markers = fc.array(fc.constantFrom(...CHAT_TOKENS, "x", " ")).map((all) => all.join(""));
    const unicode = fc.string({ unit: "binary" }).map((one) => Buffer.from(one).toString());
    fc.assert(
      fc.property(fc.oneof(unicode, markers), (one) => {
        expect(decode(encode(one))).toBe(one);
        expect(encode(one).every((id) => id >= CHAT_TOKENS.length)).toBe(true);
      }),
    );
  });
});
