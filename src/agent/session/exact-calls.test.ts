/** Tests that tool calls stay whole and exact: while they are sampled, and when a client sends them back. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ChatPart, SessionMessage, TokenPolicy, ToolSpec } from "../../spec/index.ts";
import { openTextDirectory } from "../../text/index.ts";
import { conversationRenderer } from "../tools/index.ts";
import { openSession } from "./index.ts";

const path = fileURLToPath(new URL("../../../tests/golden/hf-qwen2", import.meta.url));
const directory = openTextDirectory(path);
const { tokenizer } = directory;
const renderer = conversationRenderer({
  template: directory.chatTemplate(),
  tokenizer,
  stopIds: directory.generation.stopIds,
});
const TOOLS: readonly ToolSpec[] = [{ name: "f", parameters: { type: "object", properties: {} } }];
const ask = (text: string): SessionMessage => ({ role: "user", parts: [{ type: "text", text }] });

/** Opens a session whose policy writes these texts one after another, in pieces of any length. */
function openScripted(...script: readonly string[]) {
  const prompts: string[] = [];
  let answer: number[] = [];
  const policy: TokenPolicy = {
    kind: "tokens",
    sample: async ({ tokens: prompt, stopIds, maxTokens }) => {
      const isNew = answer.length === 0;
      if (isNew) {
        prompts.push(tokenizer.decode(prompt));
        answer = [...tokenizer.encodeRendered(script[prompts.length - 1]!), renderer.forcedEnd[0]!];
      }
      const end = answer.findIndex((id) => stopIds.includes(id));
      const tokens = answer.splice(0, Math.min(end + 1, maxTokens));
      if (tokens.at(-1) === renderer.forcedEnd[0]) answer = [];
      const stop = stopIds.includes(tokens.at(-1)!) ? "stop" : "length";
      return { tokens, logprobs: tokens.map(() => -1), stop, policyVersion: 0 };
    },
    release: () => undefined,
  };
  const limits = { maxTurns: 9, maxTurnTokens: 300, maxTokens: 4000 };
  const session = openSession({
    id: "0",
    renderer,
    limits,
    stream: 1,
    temperature: 1,
    trains: true,
    policy,
  });
  return { session, prompts };
}

const writeCall = (json: string) => `<tool_call>\n${json}\n</tool_call>`;
const STOPPED = '{"name": "f", "arguments": {"text": "a STOP b"}}';

describe("a stop text", () => {
  it("does not end an answer inside of a call", async () => {
    const { session } = openScripted(`Yes.${writeCall(STOPPED)}`);
    const answer = await session.respond({ messages: [ask("Go.")], tools: TOOLS, stop: ["STOP"] });
    expect(answer.parts).toMatchObject([
      { type: "text", text: "Yes." },
      { type: "tool-call", arguments: '{"text": "a STOP b"}' },
    ]);
    expect(answer).toMatchObject({ end: "tool-calls", illFormed: 0 });
    expect(answer.stopText).toBeUndefined();
  });

  it("ends an answer after a call, which stays whole", async () => {
    const { session } = openScripted(`${writeCall(STOPPED)}\nSTOP and more`);
    const answer = await session.respond({
      messages: [ask("Go.")],
      tools: TOOLS,
      stop: ["\nSTOP"],
    });
    expect(answer.parts).toMatchObject([{ type: "tool-call", arguments: '{"text": "a STOP b"}' }]);
    expect(answer).toMatchObject({ end: "tool-calls", illFormed: 0, stopText: "\nSTOP" });
  });

  it("ends an answer whose call was not closed, which is counted", async () => {
    const { session } = openScripted(`<tool_call>\n${STOPPED}\nSTOP and more`);
    const answer = await session.respond({ messages: [ask("Go.")], tools: TOOLS, stop: ["STOP"] });
    expect(answer.parts).toEqual([{ type: "text", text: `<tool_call>\n${STOPPED}\n` }]);
    expect(answer.illFormed).toBe(1);
  });

  it("ends an answer inside of what looks like a call, when there are no tools", async () => {
    const { session } = openScripted(writeCall(STOPPED));
    const answer = await session.respond({ messages: [ask("Go.")], stop: ["STOP"] });
    expect(answer.parts).toEqual([
      { type: "text", text: '<tool_call>\n{"name": "f", "arguments": {"text": "a ' },
    ]);
  });
});

it("a mark in a string does not end the only call that an answer may have", async () => {
  const { session } = openScripted(
    `${writeCall('{"name": "f", "arguments": {"text": "</tool_call>"}}')}${writeCall('{"name": "f"}')}`,
  );
  const answer = await session.respond({
    messages: [ask("Go.")],
    tools: TOOLS,
    parallelToolCalls: false,
  });
  expect(answer.parts).toMatchObject([
    { type: "tool-call", arguments: '{"text": "</tool_call>"}' },
  ]);
  expect(answer.illFormed).toBe(0);
});

describe("the arguments of a call", () => {
  const SAMPLED = '{"id": 12345678901234567890, "10": 1.0, "2": "\\u00e9"}';
  const RENDERED = '{"id": 12345678901234567890, "10": 1.0, "2": "é"}';
  const isCall = (part: ChatPart) => part.type === "tool-call";

  async function resend(change: (json: string) => string) {
    const { session, prompts } = openScripted(
      writeCall(`{"arguments": ${SAMPLED}, "name": "f"}`),
      "Done.",
    );
    const { parts } = await session.respond({ messages: [ask("Go.")], tools: TOOLS });
    const call = parts.find(isCall) as Extract<ChatPart, { type: "tool-call" }>;
    expect(call.arguments).toBe(SAMPLED);
    // The first message is another one, so the answer is rendered again.
    const messages: SessionMessage[] = [
      ask("Go on."),
      { role: "assistant", parts: [{ ...call, arguments: change(call.arguments) }] },
      { role: "tool", parts: [{ type: "tool-result", callId: call.id, text: "ok" }] },
    ];
    await session.respond({ messages, tools: TOOLS });
    return prompts[1]!;
  }

  it("are rendered as they were sampled when a client parsed and printed them", async () => {
    const prompt = await resend((json) => JSON.stringify(JSON.parse(json)));
    expect(prompt).toContain(`"arguments": ${RENDERED}}`);
  });

  it("are rendered as a client changed them", async () => {
    const prompt = await resend((json) => json.replace("1.0", "1.5"));
    expect(prompt).toContain(`"arguments": ${RENDERED.replace("1.0", "1.5")}}`);
  });
});
