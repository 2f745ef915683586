/** Tests what a warm start imitates: lessons of a teacher, recorded conversations, and the rows that they become. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type ConversationRenderer, conversationRenderer, openSession } from "../../agent/index.ts";
import type { AgentSession, RecordedConversation, SessionMessage } from "../../spec/index.ts";
import {
  CHAT_TOKENS,
  createNewModelText,
  defaultChatFormat,
  openTextDirectory,
  trainTokenizer,
} from "../../text/index.ts";
import {
  conversationTexts,
  describeThoughts,
  encodeConversations,
  selectFittingConversations,
  thoughtTokens,
} from "../../train/warm/conversations.ts";
import { type ChatRecording, readRecordings } from "./chat-recordings.ts";
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
const recordTestLessons = (
  count: number,
  taught: Teacher<string> = teacher,
  run: (
    task: string,
    session: AgentSession,
    signal: AbortSignal,
  ) => Promise<void> = askAndCallTools,
) =>
  recordLessons({
    ...{ tasks: ["Ada", "Bo"], count, seed: 1, concurrency: 2, maxTurns: 4, seconds: 0.3, run },
    teacher: taught,
  });

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

describe("a lesson that does not end", () => {
  const never = () => new Promise<never>(() => {});

  it.each<[string, Teacher<string>, typeof askAndCallTools, RegExp]>([
    [
      "whose teacher waits",
      never,
      askAndCallTools,
      /the teacher had not answered request 1 within/,
    ],
    [
      "whose teacher loops",
      () => {
        for (;;);
      },
      askAndCallTools,
      /the teacher had not answered request 1 within scaffold\.episodeSeconds \(0\.3\)/,
    ],
    [
      "whose agent waits",
      teacher,
      async (task, session) => {
        await askAndCallTools(task, session);
        await never();
      },
      /the agent \(`run`\) had not returned after 2 answers of the teacher within/,
    ],
  ])("names the culprit: one %s", async (_, taught, run, message) => {
    await expect(recordTestLessons(1, taught, run)).rejects.toThrow(/the lesson on task \d failed/);
    await expect(recordTestLessons(1, taught, run)).rejects.toThrow(message);
  });

  it("tells the agent by the signal", async () => {
    let aborted = false;
    const waits = (_: string, __: AgentSession, signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) =>
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(signal.reason);
        }),
      );
    await expect(recordTestLessons(1, teacher, waits)).rejects.toThrow(/had not returned after 0/);
    expect(aborted).toBe(true);
  });
});

it.each<[unknown, RegExp]>([
  [undefined, /the teacher's answer: expected \{ text\?: string, .* got nothing/],
  [{}, /the teacher's answer: .* with at least one of the two, got \{\}/],
  [{ text: 3 }, /the teacher's answer: .* got \{"text":3\}/],
  [
    { calls: [{ name: "find" }] },
    /the teacher's call: expected \{ name: string, arguments: object \}/,
  ],
  [{ calls: [{ name: "find", arguments: { n: 1n } }] }, /the teacher's call of find: .* BigInt/],
])("a teacher that answers wrongly is refused: case %#", async (answer, message) => {
  await expect(recordTestLessons(1, () => answer as never)).rejects.toThrow(message);
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
    const rows = encodeConversations(conversations, renderer);
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
      expect(rows[i]!.length).toMatchObject({ turns: 2, tokens: ids.length });
      const longestTurn = Math.max(...answers.map((one) => renderer.answer(one).length));
      expect(rows[i]!.length.longestTurn).toBe(longestTurn);
    }
    const { tokens } = rows[0]!.length;
    const selectWithin = (maxTokens: number) =>
      selectFittingConversations(rows, { maxTurns: 4, maxTurnTokens: 80, maxTokens });
    expect(selectWithin(256)).toMatchObject({ leftOut: 0, rows: [{}, {}] });
    expect(selectWithin(tokens - 1).leftOut).toBeGreaterThan(0);
  });
});

/** A recording in which the first answer is rejected, and the second one has thoughts. */
const question: ChatRecording = {
  messages: [
    { role: "user", content: "where is Ada?" },
    { role: "assistant", content: "At 9.", weight: 0 },
    { role: "user", content: "Really?" },
    { role: "assistant", content: "At 7.", reasoning_content: "The list says 7.", weight: 1 },
  ],
};

describe("recordings with thoughts and weights", () => {
  const encode = (renderer: ConversationRenderer, decode: (ids: readonly number[]) => string) => {
    const rows = encodeConversations(readRecordings([question]), renderer);
    const { ids, mask } = rows[0]!;
    return { imitated: decode(ids.filter((_, i) => mask[i] === 1)), whole: decode(ids), ids };
  };
  const openGoldenModel = (name: string) => {
    const url = new URL(`../../../tests/golden/${name}`, import.meta.url);
    const { tokenizer, generation, chatTemplate } = openTextDirectory(fileURLToPath(url));
    const options = { template: chatTemplate(), tokenizer, stopIds: generation.stopIds };
    return {
      tokenizer,
      renderer: conversationRenderer({ ...options, variables: { enable_thinking: false } }),
    };
  };

  it("imitate thoughts and no rejected answer, in the template of a published model", () => {
    const { renderer, tokenizer } = openGoldenModel("hf-qwen3");
    const { imitated, whole } = encode(renderer, tokenizer.decode);
    expect(imitated).toBe("<think>\nThe list says 7.\n</think>\n\nAt 7.<|im_end|>");
    expect(whole).toContain("At 9.");
    expect(whole).toContain("<|im_start|>assistant\n<think>\nThe list says 7.");
    expect(describeThoughts(readRecordings([question]), renderer)).toMatch(
      /^1 of 1 recorded conversations have thoughts, .*"enable_thinking": true/,
    );
  });

  it("imitate them in the template of a new model, whose answers are read back with their thoughts", () => {
    const conversations = readRecordings([question]);
    const specials = [...CHAT_TOKENS, ...thoughtTokens(conversations)];
    const json = trainTokenizer(conversationTexts(conversations), {
      ...{ vocabularySize: 400, minimumCount: 2, specials },
    });
    const text = createNewModelText(json, defaultChatFormat(256));
    const renderer = conversationRenderer({
      template: text.chatTemplate(),
      tokenizer: text.tokenizer,
      stopIds: text.generation.stopIds,
    });
    const { imitated, whole } = encode(renderer, text.tokenizer.decode);
    expect(imitated).toBe("<think>The list says 7.</think>At 7.<|im_end|>");
    expect(whole).toContain("At 9.");
    const answer = renderer.answer(conversations[0]!.messages[3]!);
    expect(renderer.read(answer.slice(0, -1), { tools: false }).parts).toEqual([
      { type: "reasoning", text: "The list says 7." },
      { type: "text", text: "At 7." },
    ]);
    expect(describeThoughts(conversations, renderer)).toBeUndefined();
    expect(thoughtTokens([{ messages: [userMessage("a")] }])).toEqual([]);
  });

  it("are refused when the template drops thoughts, or when no answer is left to imitate", () => {
    const { renderer } = openGoldenModel("hf-llama3");
    expect(() => encodeConversations(readRecordings([question]), renderer)).toThrow(
      /thoughts .* chat template does not write them/,
    );
    const rejected = { messages: question.messages.slice(0, 2) };
    expect(() => encodeConversations(readRecordings([rejected]), renderer)).toThrow(
      /has no answer to imitate/,
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

  it.each([
    [{ role: "robot", content: "b" }, /messages.1.role: /],
    [{ role: "assistant", weight: 0.5 }, /messages.1.weight: expected 0 or 1/],
    [{ role: "assistant", function_call: {} }, /messages.1.function_call: use tool_calls/],
    [
      { role: "assistant", content: [{ type: "image_url" }] },
      /messages.1.content: expected a text or a list of text parts/,
    ],
  ])(
    "with %j are refused with an error that names the conversation and the field",
    (wrong, why) => {
      const recording = { messages: [{ role: "user", content: "a" }, wrong] };
      const read = () => readRecordings([recording as never]);
      expect(read).toThrow(/^warmStart.conversations\[0\].*OpenAI's chat format/);
      expect(read).toThrow(why);
    },
  );

  it("of pairs of answers or with functions of the old form are refused", () => {
    const messages = question.messages;
    for (const more of [{ preferred_output: [] }, { input: {} }, { functions: [] }]) {
      expect(() => readRecordings([{ messages, ...more }])).toThrow(/not imitated|use tools/);
    }
  });

  it("give one note about all fields that are not used", () => {
    const notes: string[] = [];
    const messages = [
      { role: "user", content: "a", name: "Ada" },
      { role: "assistant", content: "b", annotations: [], mood: 1, audio: null },
    ] as const;
    const first = { messages, split: "train", parallel_tool_calls: true };
    readRecordings([first, { messages }, question], (text) => notes.push(text));
    expect(notes).toEqual([
      "fields of the 3 recorded conversations that are not used: split (in 1), messages.*.name (in 2), messages.*.mood (in 2)",
    ]);
    readRecordings([question], (text) => notes.push(text));
    expect(notes).toHaveLength(1);
  });
});
