/**
 * Tests that `evaluate` finds the sampler's log-probs in the rows of a session, so that ratios are 1 on the same
 * weights. This holds for branches, edits, answers that were cut off, and answers that were sampled in pieces.
 */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  conversationRenderer,
  enginePolicy,
  openSession,
  sessionRollout,
} from "../../agent/index.ts";
import { buildActionRow, cutRowIntoSegments } from "../../algo/index.ts";
import { createOnnxEngine, parseModelConfig } from "../../engine/index.ts";
import { createSegmentedEngine } from "../../methods/index.ts";
import type { Engine, SessionAnswer, SessionMessage } from "../../spec/index.ts";
import { openTextDirectory } from "../../text/index.ts";

const path = fileURLToPath(new URL("../../../tests/golden/hf-qwen2", import.meta.url));
const directory = openTextDirectory(path);
const renderer = conversationRenderer({
  template: directory.chatTemplate(),
  tokenizer: directory.tokenizer,
  stopIds: directory.generation.stopIds,
});
const model = parseModelConfig({
  vocabularySize: directory.tokenizer.vocabularySize,
  hiddenSize: 32,
  layers: 2,
  heads: 2,
  kvHeads: 1,
  headSize: 16,
  intermediateSize: 48,
  contextLength: 1024,
});
const task = {
  id: "train/0/0",
  scenario: "train/0",
  split: "train",
  difficulty: 1,
  signature: "s",
  instruction: "i",
} as const;

const userMessage = (text: string): SessionMessage => ({
  role: "user",
  parts: [{ type: "text", text }],
});
const repeatAnswer = ({ parts, id }: SessionAnswer): SessionMessage => ({
  role: "assistant",
  parts,
  ids: [id],
});

let engine: Engine;
beforeAll(async () => {
  engine = await createOnnxEngine({ model, seed: 3, threads: 1 });
});
afterAll(() => engine.close());

async function runConversation() {
  const session = openSession({
    id: "0/0/0",
    policy: enginePolicy(engine),
    renderer,
    limits: { maxTurns: 20, maxTurnTokens: 20, maxTokens: 1024 },
    stream: 11,
    temperature: 1,
    trains: true,
  });
  const first = [userMessage("Count to three.")];
  const one = await session.respond({ messages: first });
  const second = [...first, repeatAnswer(one), userMessage("Go on.")];
  const [two, other] = await Promise.all([
    session.respond({ messages: second }, { onText: () => {} }),
    session.respond({
      messages: [...first, repeatAnswer(one), userMessage("Go back.")],
      stop: ["e", "a"],
    }),
  ]);
  await session.respond({ messages: [...second, repeatAnswer(two), userMessage("And on.")] });
  await session.respond({
    messages: [
      ...second,
      { ...repeatAnswer(two), parts: [{ type: "text", text: "two" }] },
      userMessage("Yes?"),
    ],
  });
  await session.respond({
    messages: [
      ...first,
      repeatAnswer(one),
      userMessage("Go back."),
      repeatAnswer(other),
      userMessage("!"),
    ],
  });
  await session.respond({ messages: [userMessage("A summary.")] });
  session.close();
  return session;
}

test("the learner finds the sampler's log-probs in the rows of a session, so ratios are 1", async () => {
  const session = await runConversation();
  expect(session.counters).toMatchObject({ answers: 7, roots: 2, branches: 2, edits: 1 });
  const record = session.record();
  expect(record.segments).toHaveLength(3);
  const rollout = sessionRollout(record, {
    id: "0/0/0",
    task,
    index: 0,
    stream: 11,
    temperature: 1,
    outcome: "finished",
    evaluation: { passed: true, finished: true, checks: [] },
  });
  expect(rollout.version).toBe(2);
  const row = buildActionRow(rollout);
  expect(row.turnLengths.reduce((sum, length) => sum + length, 0)).toBe(row.at.length);
  expect(row.at).toHaveLength(record.sampledTokens);
  expect(cutRowIntoSegments(row)).toHaveLength(4);
  const [outputs] = await createSegmentedEngine(engine).evaluate([row]);
  const ratios = row.sampled.map((logprob, i) => Math.exp(outputs!.logprobs[i]! - logprob));
  expect(ratios.length).toBeGreaterThan(80);
  for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThan(1e-4);
});

test("equal sessions with equal requests get equal tokens", async () => {
  const [one, other] = [await runConversation(), await runConversation()];
  expect(one.record()).toEqual(other.record());
});
