/**
 * Tests learning from recorded conversations with outcomes: how outcomes are read, what a warm start does with them,
 * and that thumbs and edits teach more than imitation of everything.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMemoryFolder, tableEngine } from "../../testing/index.ts";
import { readRollouts } from "../../train/index.ts";
import { type ChatRecording, readRecordingFile, readRecordings } from "./chat-recordings.ts";
import type { AgentContext } from "./options.ts";
import { trainAgent } from "./train-agent.ts";

const root = createMemoryFolder("bowline-recordings-");
let folders = 0;
const createFolder = () => join(root, String(++folders));

const ask = (content: string, answer: string, outcome: object = {}): ChatRecording => ({
  messages: [
    { role: "user", content },
    { role: "assistant", content: answer },
  ],
  ...outcome,
});

describe("outcomes of recordings", () => {
  it("are rewards: thumbs become 1 and 0, and an edit is a second conversation with the reward 1", () => {
    const read = readRecordings([
      ask("a", "b"),
      ask("a", "b", { reward: 0.25 }),
      ask("a", "b", { thumb: "up" }),
      ask("a", "b", { thumb: "down" }),
      ask("a", "b", { edit: "c" }),
      ask("a", "b", { reward: 0.5, edit: { role: "assistant", content: "d" } }),
      ask("a", "b", { reward: null, thumb: null, edit: null }),
    ]);
    const texts = read.map(({ messages, reward }) => {
      const [part] = messages.at(-1)!.parts;
      return [part?.type === "text" && part.text, reward];
    });
    expect(texts).toEqual([
      ["b", undefined],
      ["b", 0.25],
      ["b", 1],
      ["b", 0],
      ["b", 0],
      ["c", 1],
      ["b", 0.5],
      ["d", 1],
      ["b", undefined],
    ]);
  });

  it("may be edits that call a tool", () => {
    const call = { id: "c", function: { name: "find", arguments: '{"name":"Ada"}' } };
    const edit = { role: "assistant", tool_calls: [call] } as const;
    const [, edited] = readRecordings([ask("a", "b", { edit })]);
    expect(edited!.messages.at(-1)!.parts).toEqual([
      { type: "tool-call", id: "c", name: "find", arguments: '{"name":"Ada"}' },
    ]);
  });

  it.each<[object, RegExp]>([
    [{ reward: 2 }, /^recordings\[0\]\.reward: expected a number from 0 to 1; /],
    [{ reward: "good" }, /^recordings\[0\]\.reward: expected a number from 0 to 1; /],
    [{ thumb: "sideways" }, /^recordings\[0\]\.thumb: expected "up" or "down"; /],
    [
      { reward: 1, thumb: "up" },
      /^recordings\[0\]\.thumb: expected either a reward or a thumb, got the reward 1 and the thumb up/,
    ],
    [{ edit: 7 }, /^recordings\[0\]\.edit: expected the corrected last answer, as a text or/],
    [{ edit: { role: "user", content: "c" } }, /edit\.role: expected "assistant", got "user"$/],
    [
      { edit: "c", messages: [ask("a", "b").messages[1], ask("a", "b").messages[0]] },
      /edit: expected a conversation that ends with the answer .* has the role user$/,
    ],
  ])("are refused with the place and the expected value for %j", (wrong, message) => {
    const recording = { ...ask("a", "b"), ...wrong } as ChatRecording;
    expect(() => readRecordings([recording], () => {}, "recordings")).toThrow(message);
  });

  it("are read from a file with a JSON object on each line, and a bad line is named", () => {
    const path = join(root, "logs.jsonl");
    writeFileSync(path, `${JSON.stringify(ask("a", "b", { thumb: "up" }))}\n\n`);
    expect(readRecordingFile(path)).toEqual([ask("a", "b", { thumb: "up" })]);
    writeFileSync(path, `${JSON.stringify(ask("a", "b"))}\n[1]\n`);
    expect(() => readRecordingFile(path)).toThrow(
      /logs\.jsonl:2: expected a conversation as a JSON/,
    );
    writeFileSync(path, "{\n");
    expect(() => readRecordingFile(path)).toThrow(/logs\.jsonl:1: .* got .*JSON/);
    expect(() => readRecordingFile(join(root, "none.jsonl"))).toThrow(/recordings: cannot read/);
  });
});

/** A policy that answers "y" gets the reward 1, and every other answer gets 0. */
async function answerRightly(_: object, { session }: AgentContext): Promise<number> {
  const { parts } = await session.respond({
    messages: [{ role: "user", parts: [{ type: "text", text: "y or n" }] }],
  });
  return parts.some((part) => part.type === "text" && part.text === "y") ? 1 : 0;
}

/** Twenty recordings of one request. Half of them are bad: they answer "n" and have a thumb down. */
const RATED = Array.from({ length: 20 }, (_, i) =>
  i % 2 === 0 ? ask("y or n", "y", { thumb: "up" }) : ask("y or n", "n", { thumb: "down" }),
);
const UNRATED = RATED.map(({ messages }) => ({ messages }));
/** The bad recordings, each corrected by a person. */
const EDITED = RATED.map(({ messages }) => ({ messages, edit: "y" })).filter((_, i) => i % 2 === 1);

const FIELDS = {
  "scaffold.maxTurnTokens": 2,
  "warm.rows": 4,
  "warm.epochs": 20,
  "warm.learningRate": 0.5,
  "tokenizer.vocabularySize": 300,
  "optimizer.learningRate": 0.1,
  "algo.epochs": 20,
};
const engine = ({ model }: { model: { vocabularySize: number } }) =>
  tableEngine(model.vocabularySize);

/** Trains and returns the reward on held-out tasks at T = 1, before and after learning from recordings. */
async function learn(options: object, overrides: object = {}, out = createFolder()) {
  const tasks = { train: [{}], dev: Array.from({ length: 200 }, (_, id) => ({ id })) };
  const { before, after } = await trainAgent({
    ...{ tasks, run: answerRightly, engine, out },
    overrides: { ...FIELDS, "evaluation.scores": ["dev@T1"], ...overrides },
    ...options,
  });
  return [before["dev@T1"]!.reward, after["dev@T1"]!.reward] as const;
}

const plain = { warmStart: { conversations: UNRATED } };

describe("learning from recordings, of which half are bad", () => {
  it("plain imitation learns both habits, and a warm start with thumbs learns only the good one", async () => {
    const none = { "algo.iterations": 0 };
    const [imitated] = await learn(plain, none);
    expect(imitated).toBeGreaterThan(0.3);
    expect(imitated).toBeLessThan(0.7);
    const [rated] = await learn({ warmStart: { conversations: RATED } }, none);
    expect(rated).toBeGreaterThan(0.95);
  });

  it.each([
    ["rft", RATED],
    ["ei", RATED],
    ["dmpo", RATED],
    ["dmpo", EDITED],
  ] as const)(
    "the method %s unlearns the bad habit that plain imitation learned",
    async (method, recordings) => {
      const out = createFolder();
      const [before, after] = await learn({ ...plain, method, recordings }, {}, out);
      expect(before).toBeLessThan(0.7);
      expect(after).toBeGreaterThan(0.9);
      const rollouts = readRollouts(out, "train-0001");
      expect(rollouts).toHaveLength(20);
      expect(new Set(rollouts.map(({ task }) => task.id)).size).toBe(1);
      expect(rollouts[0]).toMatchObject({ policyVersion: -1, outcome: "finished" });
    },
  );

  it("weighted imitation learns from single attempts, more from better ones", async () => {
    const single = (answer: string, reward: number) => (_: unknown, i: number) =>
      ({
        ...ask("y or n", answer, { reward }),
        messages: [{ role: "system", content: `${i}` }, ...ask("y or n", answer).messages],
      }) as ChatRecording;
    const recordings = [
      ...Array.from({ length: 10 }, single("y", 0.9)),
      ...Array.from({ length: 10 }, single("n", 0.1)),
    ];
    const weigh = (temperature: number) =>
      learn({ ...plain, method: "ei", recordings }, { "imitation.temperature": temperature });
    expect((await weigh(0.1))[1]).toBeGreaterThan(0.9);
    expect((await weigh(100))[1]).toBeLessThan(0.7);
  });

  it("needs neither tasks nor an agent, and then evaluates nothing", async () => {
    const notes: string[] = [];
    const out = createFolder();
    const summary = await trainAgent({
      ...{ recordings: [...RATED, ...UNRATED.slice(0, 2)], method: "dmpo", engine, out },
      warmStart: { conversations: UNRATED },
      overrides: FIELDS,
      onEvent: (event) => event.type === "note" && notes.push(event.text),
    });
    expect(summary).toMatchObject({ before: {}, after: {}, rollouts: 20 });
    expect(notes).toContain(
      "2 of 22 recordings have no outcome (reward, thumb or edit), so dmpo does not learn from them",
    );
  });

  it.each<[string, readonly ChatRecording[], RegExp]>([
    [
      "loop",
      RATED,
      /^method: expected dmpo, ei, rft to learn from recordings, got loop; .*log-probs/,
    ],
    [
      "rft",
      UNRATED,
      /^recordings: expected conversations with outcomes, and none of 20 has a reward/,
    ],
    ["rft", RATED.slice(1, 2), /^recordings: rft imitates .* at least 1 \(passAt\), and none of 1/],
    [
      "dmpo",
      RATED.slice(0, 1),
      /^recordings: dmpo compares .* of 1 with outcomes no two do; add edits/,
    ],
  ])("is refused at once when %s has nothing to learn", async (method, recordings, message) => {
    await expect(learn({ ...plain, method, recordings })).rejects.toThrow(message);
  });
});
