/** Tests what a warm start imitates: lessons of a teacher, recorded conversations, and the rows that they become. */
import { describe, expect, it } from "vitest";
import { conversationRenderer, openSession } from "../../agent/index.ts";
import type { AgentSession, RecordedConversation, SessionMessage } from "../../spec/index.ts";
import {
  CHAT_TOKENS,
  createNewModelText,
  defaultChatFormat,
  trainTokenizer,
} from "../../text/index.ts";
import type { Config } from "../../train/index.ts";
import { conversationTexts, encodeConversations } from "../../train/warm/conversations.ts";
import { readRecordings } from "./chat-recordings.ts";
import { recordLessons, type Teacher } from "./teacher.ts";

const userMessage = (text: string): SessionMessage => ({
  role: "user",
  parts: [{ type: "text", text }],
});
const tools = [{ name: "find", parameters: { type: "object", properties: { name: {} } } }];

/** An agent that asks, runs each call and asks again. It adds to the list that it has sent, as real agents do. */
async function askAndCallTools(task: string, session: AgentSession): Promise<void> {
  const messages = [userMessage(`where is ${task}?`)];
  for (let i = 0; i < 3; i++) {
    const { id, parts } = await session.respond({ messages, tools });
    messages.push({ role: "assistant", parts, ids: [id] });
    const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
    if (calls.length === 0) return;
    messages.push({
      role: "tool",
      parts: calls.map((call) => ({ type: "tool-result", callId: call.id, text: `${task} is 7` })),
    });
  }
}
const teacher: Teacher<string> = ({ messages }, { task }) =>
  messages.at(-1)!.role === "tool"
    ? { text: "At 7." }
    : { text: "I look.", calls: [{ name: "find", arguments: { name: task } }] };
const recordTestLessons = (count: number, taught: Teacher<string> = teacher) =>
  recordLessons({
    ...{ tasks: ["Ada", "Bo"], count, seed: 1, concurrency: 2, maxTurns: 4, run: askAndCallTools },
    teacher: taught,
  });

const createLimits = (maxTokens: number) =>
  ({ scaffold: { maxTurns: 4, maxTurnTokens: 80, maxTokens } }) as Config;

describe("lessons", () => {
  it("are whole conversations, and use every task once before any is used again", async () => {
    const all = await recordTestLessons(4);
    expect(all.map(({ messages }) => messages.map(({ role }) => role))).toEqual(
      Array(4).fill(["user", "assistant", "tool", "assistant"]),
    );
    expect(new Set(all.slice(0, 2).map(({ messages }) => JSON.stringify(messages[0]))).size).toBe(
      2,
    );
    expect(await recordTestLessons(4)).toEqual(all);
  });

  it("repeat their first random draw in each answer of an episode, and end the run when one fails", async () => {
    const draws = new Map<string, number[]>();
    await recordTestLessons(2, (request, lesson) => {
      const drawn = draws.get(lesson.task) ?? [];
      draws.set(lesson.task, [...drawn, lesson.rng.uniform()]);
      return teacher(request, lesson);
    });
    const [ada, bo] = [draws.get("Ada")!, draws.get("Bo")!];
    expect(ada[0]).toBe(ada[1]);
    expect(ada[0]).not.toBe(bo[0]);
    const broken: Teacher<string> = () => {
      throw new Error("nobody taught me");
    };
    await expect(recordTestLessons(1, broken)).rejects.toThrow(
      /lesson on task . failed: nobody taught me/,
    );
  });
});

describe("rows of conversations", () => {
  it("equal the rows of a session whose policy gives the same answers", async () => {
    const conversations = await recordTestLessons(2);
    const json = trainTokenizer(conversationTexts(conversations), {
      ...{ vocabularySize: 400, minimumCount: 2, specials: CHAT_TOKENS },
    });
    const text = createNewModelText(json, defaultChatFormat(256));
    const renderer = conversationRenderer({
      template: text.chatTemplate(),
      tokenizer: text.tokenizer,
      stopIds: text.generation.stopIds,
    });
    const { rows, leftOut } = encodeConversations(conversations, renderer, createLimits(256));
    expect(leftOut).toBe(0);
    for (const [i, { messages }] of conversations.entries()) {
      const answers = messages.filter(({ role }) => role === "assistant");
      let next = 0;
      const session = openSession({
        ...{ id: `again ${i}`, renderer, stream: 0, temperature: 1, trains: true },
        limits: { maxTurns: 4, maxTurnTokens: 80, maxTokens: 256 },
        policy: {
          kind: "tokens",
          release: () => {},
          sample: async () => {
            const tokens = renderer.answer(answers[next++]!);
            return { tokens, logprobs: tokens.map(() => 0), stop: "stop", policyVersion: 0 };
          },
        },
      });
      await askAndCallTools(JSON.stringify(messages[0]).includes("Ada") ? "Ada" : "Bo", session);
      const { ids, mask } = session.record().tokens!;
      expect(rows[i]!.ids).toEqual(ids);
      expect(rows[i]!.mask).toEqual(mask);
    }
    expect(() => encodeConversations(conversations, renderer, createLimits(8))).toThrow(
      /only 0 of 2 conversations fit the limits .*raise scaffold.maxTokens/,
    );
  });
});

describe("recordings", () => {
  it("are read from OpenAI's chat format", () => {
    const [read] = readRecordings([
      {
        messages: [
          { role: "developer", content: "Be brief." },
          { role: "user", content: [{ type: "text", text: "where is Ada?" }] },
          {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "c1", function: { name: "find", arguments: '{"name":"Ada"}' } }],
          },
          { role: "tool", tool_call_id: "c1", content: "7" },
          { role: "assistant", content: "At 7." },
        ],
        tools: [{ type: "function", function: { name: "find", parameters: tools[0]!.parameters } }],
      },
    ]);
    expect(read).toEqual({
      messages: [
        { role: "system", parts: [{ type: "text", text: "Be brief." }] },
        userMessage("where is Ada?"),
        {
          role: "assistant",
          parts: [{ type: "tool-call", id: "c1", name: "find", arguments: '{"name":"Ada"}' }],
        },
        { role: "tool", parts: [{ type: "tool-result", callId: "c1", text: "7" }] },
        { role: "assistant", parts: [{ type: "text", text: "At 7." }] },
      ],
      tools,
    } satisfies RecordedConversation);
  });

  it("are refused with an error that names the conversation and the field", () => {
    const wrong = [
      {
        messages: [
          { role: "user", content: "a" },
          { role: "robot", content: "b" },
        ],
      },
    ];
    expect(() => readRecordings(wrong as never)).toThrow(
      /warmStart.conversations\[0\].messages.1.role: .*OpenAI's chat format/,
    );
  });
});
