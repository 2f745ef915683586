/**
 * Conversations with tools under published chat templates (tests/golden/hf-*): segments that are encoded once and put
 * together are what the template writes for the whole conversation.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { SessionMessage, ToolSpec } from "../../spec/index.ts";
import { openTextDirectory } from "../../text/index.ts";
import { conversationRenderer } from "./index.ts";

const golden = (name: string) =>
  openTextDirectory(fileURLToPath(new URL(`../../../tests/golden/hf-${name}`, import.meta.url)));

const TOOLS: readonly ToolSpec[] = [
  {
    name: "find_song",
    description: 'Finds "songs".',
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  },
  { name: "play", parameters: { type: "object", properties: { id: { type: "integer" } } } },
];

const user = (text: string): SessionMessage => ({ role: "user", parts: [{ type: "text", text }] });
const system: SessionMessage = { role: "system", parts: [{ type: "text", text: "You play." }] };
const call = (id: string, name: string, args: string) =>
  ({ type: "tool-call", id, name, arguments: args }) as const;
const result = (callId: string, text: string): SessionMessage => ({
  role: "tool",
  parts: [{ type: "tool-result", callId, text }],
});

function made(name: string, variables: Record<string, unknown> = { enable_thinking: true }) {
  const { tokenizer, generation, chatTemplate } = golden(name);
  const template = chatTemplate();
  const { stopIds } = generation;
  const renderer = conversationRenderer({ template, tokenizer, stopIds, variables });
  const whole = (messages: readonly object[], tools: readonly ToolSpec[] = TOOLS) =>
    template.render(messages as never, {
      addGenerationPrompt: true,
      variables,
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description = "", parameters }) => ({
          type: "function",
          function: { name, description, parameters },
        })),
      }),
    });
  return { tokenizer, renderer, whole };
}

const templateCall = (name: string, args: object) => ({
  type: "function",
  id: "x",
  function: { name, arguments: args },
});

describe.each(["qwen2", "qwen3"])("%s: the Hermes form", (name) => {
  const { tokenizer, renderer, whole } = made(name);

  it("is found in the template", () => {
    expect(renderer.format).toBe("hermes");
    expect(renderer.callEndIds).toEqual(tokenizer.encodeRendered("</tool_call>"));
  });

  it("writes opening, parallel calls and results as the template writes them at once", () => {
    const answer: SessionMessage = {
      role: "assistant",
      parts: [
        { type: "text", text: "Both." },
        call("c1", "find_song", '{"query":"é"}'),
        call("c2", "play", '{"id": 7}'),
      ],
    };
    const sampled =
      'Both.\n<tool_call>\n{"name": "find_song", "arguments": {"query": "é"}}\n</tool_call>\n<tool_call>\n{"name": "play", "arguments": {"id": 7}}\n</tool_call>';
    const row = [
      ...renderer.start([system, user("Play it.")], TOOLS),
      ...tokenizer.encodeRendered(sampled),
      ...renderer.forcedEnd,
      ...renderer.next([result("c1", "song 7"), result("c2", "plays"), user("And?")], TOOLS),
    ];
    const text = whole([
      { role: "system", content: "You play." },
      { role: "user", content: "Play it." },
      {
        role: "assistant",
        content: "Both.",
        tool_calls: [templateCall("find_song", { query: "é" }), templateCall("play", { id: 7 })],
      },
      { role: "tool", content: "song 7" },
      { role: "tool", content: "plays" },
      { role: "user", content: "And?" },
    ]);
    expect(tokenizer.decode(row)).toBe(text);
    expect(row).toEqual(tokenizer.encodeRendered(text));
    expect(renderer.answer(answer)).toEqual([
      ...tokenizer.encodeRendered(name === "qwen3" ? `<think>\n\n</think>\n\n${sampled}` : sampled),
      ...renderer.forcedEnd,
    ]);
  });

  const read = (text: string, how: { tools?: boolean; partial?: boolean } = {}) =>
    renderer.read(tokenizer.encodeRendered(text), { tools: true, ...how });
  const written = '<tool_call>\n{"name": "play", "arguments": {"id": 1.0}}\n</tool_call>';

  it("reads text and calls, and keeps arguments as they were written", () => {
    expect(read(`I try.\n${written}`)).toEqual({
      parts: [
        { type: "text", text: "I try." },
        { type: "call", name: "play", arguments: '{"id": 1.0}' },
      ],
      statuses: ["ok"],
      reasoningTokens: 0,
    });
    expect(read('<tool_call>{"name":"f"}</tool_call>').parts).toEqual([
      { type: "call", name: "f", arguments: "{}" },
    ]);
  });

  it.each([
    ["<tool_call>\n{oops}\n</tool_call>", "invalid-json"],
    ['<tool_call>\n{"name": "play"}', "unclosed"],
    ['<tool_call>{"arguments": {}}</tool_call>', "no-name"],
    ['<tool_call>{"name": "f", "arguments": [1]}</tool_call>', "no-object"],
  ])("returns %j as the text that it is, with status %s", (text, status) => {
    expect(read(text)).toMatchObject({ parts: [{ type: "text", text }], statuses: [status] });
  });

  it("has no calls where no tools were offered, nor where marks are only spelled", () => {
    expect(read(written, { tools: false })).toMatchObject({ statuses: ["not-offered"] });
    const spelled = [...written].flatMap((letter) => tokenizer.encode(letter));
    expect(renderer.read(spelled, { tools: true })).toMatchObject({
      parts: [{ type: "text", text: written }],
      statuses: [],
    });
  });

  it("opens a call, of any tool or of the named one", () => {
    expect(tokenizer.decode(renderer.opening())).toBe('<tool_call>\n{"name": "');
    expect(tokenizer.decode(renderer.opening("play"))).toBe(
      '<tool_call>\n{"name": "play", "arguments":',
    );
  });

  it("tells of a growing answer only what will stay", () => {
    expect(read("Well, \n", { partial: true }).parts).toEqual([{ type: "text", text: "Well," }]);
    expect(read(`Well, \n<tool_call>{"na`, { partial: true }).parts).toEqual([
      { type: "text", text: "Well," },
    ]);
  });

  it("takes marks in the words of others for text where they are special tokens", () => {
    const ids = renderer.start(
      [user("Say <|im_end|> now")],
      [{ ...TOOLS[0]!, description: "Not <|im_end|>" }],
    );
    const end = renderer.forcedEnd[0];
    const calm = renderer.start([user("Say  now")], [{ ...TOOLS[0]!, description: "Not " }]);
    const count = (list: readonly number[]) => list.filter((id) => id === end).length;
    expect(count(ids)).toBe(count(calm));
    expect(tokenizer.decode(ids)).toContain("Say <|im_end|> now");
    expect(tokenizer.decode(ids)).toContain("Not <|im_end|>");
  });
});
