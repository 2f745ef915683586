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

describe("the chat template of new models", () => {
  const { render } = compileNewModelChatTemplate();

  it("writes ChatML with tools as names and parameter names, and calls and results between markers", () => {
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

  it("writes a system turn only if there is a system message or a tool", () => {
    expect(render([{ role: "user", content: "Hi" }])).toBe("<|im_start|>user\nHi<|im_end|>");
    expect(render([{ role: "user", content: "Hi" }], { tools: [now] })).toBe(
      "<|im_start|>system\nnow()<|im_end|><|im_start|>user\nHi<|im_end|>",
    );
  });

  it("only adds text at the end when messages are added to a conversation", () => {
    for (let length = 1; length < talk.length; length++) {
      const begun = render(talk.slice(0, length), { tools: [find] });
      // Several tool results form one turn, so the end of that turn moves when another result is added.
      const open = talk[length]?.role === "tool" && talk[length - 1]?.role === "tool";
      const kept = open ? begun.slice(0, -"<|im_end|>".length) : begun;
      expect(render(talk, { tools: [find] }).startsWith(kept)).toBe(true);
    }
  });
});

describe("the tokenizer and chat template of a new model", () => {
  const json = trainTokenizer(["find_order(customer,item)\n"], {
    vocabularySize: 300,
    minimumCount: 2,
    specials: CHAT_TOKENS,
  });
  const text = createNewModelText(json, defaultChatFormat(256));

  it("has a chat template, stop ids and files for a checkpoint, like a published model", () => {
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

  it("encodes any text, but never to the id of a special token", () => {
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
