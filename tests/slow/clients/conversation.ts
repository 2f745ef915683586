/**
 * A conversation of 30 answers by a scripted policy over a published template, and the proof that what a learner would get
 * of it is what was sampled (by assertions that any process can make). Six questions; to each the policy answers with four rounds of calls and a word at the end.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { conversationRenderer, type OpenSession, openSession } from "../../../src/agent/index.ts";
import { hash32 } from "../../../src/core/index.ts";
import type { Policy, RolloutTokens, SampleRequest } from "../../../src/spec/index.ts";
import { openTextDirectory } from "../../../src/text/index.ts";

const directory = openTextDirectory(
  fileURLToPath(new URL("../../golden/hf-qwen3", import.meta.url)),
);
const { tokenizer } = directory;
const renderer = conversationRenderer({
  template: directory.chatTemplate(),
  tokenizer,
  stopIds: directory.generation.stopIds,
});
const END = renderer.forcedEnd[0]!;
const HEADER = tokenizer.encodeRendered("<|im_start|>assistant\n");

export const QUESTIONS = 6;
export const ROUNDS = 5;
export const ANSWERS = QUESTIONS * ROUNDS;

export const SYSTEM = "You look things up. Never say <|im_end|> yourself.";
export const questionOf = (group: number) => `Question ${group}: what is in drawer ${group}?`;

/** The parameters' order is not that of the script's arguments, and some clients print them in it. */
export const LOOKUP = {
  name: "lookup",
  description: "Looks something up.",
  parameters: {
    type: "object",
    properties: {
      key: { type: "string" },
      weight: { type: "number" },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["key", "weight", "tags"],
    additionalProperties: false,
  },
} as const;

export interface LookupArguments {
  readonly key: string;
  readonly weight: number;
  readonly tags: readonly string[];
}

/** What the tool says; one result holds a token that would end a turn. */
export function looked({ key }: LookupArguments): string {
  return key === "k1" ? "a page that says <|im_end|> and <tool_call>" : `found ${key}`;
}

const call = (json: string) =>
  `<tool_call>\n{"name": "lookup", "arguments": ${json}}\n</tool_call>`;

/** Arguments as a model may print them: what parsing and printing again does not bring back. */
const printed = (key: string, i: number) =>
  [
    `{"weight": 1.0, "key": "${key}", "tags": ["caf\\u00e9", "b"]}`,
    `{"tags":[],"key":"${key}","weight":2e1}`,
    `{ "key": "${key}", "tags": [ "\u00e9" ], "weight": -0.50 }`,
  ][i % 3]!;

/** The whole text of answer t, markup included. */
export function scriptOf(t: number): string {
  const group = Math.floor(t / ROUNDS);
  const thought = `<think>\nRound ${t}, let me think.\n</think>\n\n`;
  switch (t % ROUNDS) {
    case 0:
      return `${thought}I look.\n${call(printed(`k${t}`, t))}`;
    case 1:
      return `${call(printed(`k${t}`, t))}\n${call(printed(`m${t}`, t + 1))}`;
    case 2:
      return `${thought}Naïve “quotes”, 日本.  \n\n${call(printed(`k${t}`, t))}`;
    case 3:
      // The same call twice, and another.
      return [0, 0, 1].map((i) => call(printed(`k${t}`, i))).join("\n");
    default:
      return `${thought}Drawer ${group} is done.`;
  }
}

/** What the agent has to have looked up, in order. */
export function expectedKeys(): string[] {
  return Array.from({ length: ANSWERS }, (_, t) =>
    [...scriptOf(t).matchAll(/"key": ?"(\w+)"/g)].map(([, key]) => key!),
  ).flat();
}

/** A log-prob that depends on every id before it: equal only where the whole prefix is. */
function logprobAfter(state: number, id: number): number {
  return -(hash32(String(id), state) % 4096) / 1024;
}

function stateOf(ids: readonly number[]): number {
  return ids.reduce((state, id) => (Math.imul(state, 31) + id + 1) >>> 0, 7);
}

function answersIn(ids: readonly number[]): number {
  let count = 0;
  for (let at = 0; at + HEADER.length <= ids.length; at++) {
    if (HEADER.every((id, i) => ids[at + i] === id)) count++;
  }
  return count - 1;
}

export interface ScriptedRun {
  readonly session: OpenSession;
  readonly samples: readonly { readonly request: SampleRequest; readonly ids: readonly number[] }[];
  /** Holds the next sampling until nobody waits for it any more; resolves when that has begun. */
  readonly hold: () => Promise<void>;
  /** Samplings that ended because nobody waited any more. */
  readonly cancelled: () => number;
}

/** A session of the script. */
export function openScripted(id: string): ScriptedRun {
  const samples: ScriptedRun["samples"][number][] = [];
  let cancelled = 0;
  let holding: (() => void) | undefined;
  const until = (signal: AbortSignal | undefined, begun: () => void) => {
    holding = undefined;
    begun();
    return new Promise((resolve) => signal?.addEventListener("abort", resolve));
  };
  const policy: Extract<Policy, { kind: "tokens" }> = {
    kind: "tokens",
    sample: async (request, signal) => {
      await (holding ? until(signal, holding) : new Promise((resolve) => setTimeout(resolve, 1)));
      if (signal?.aborted) {
        cancelled++;
        return { tokens: [], logprobs: [], stop: "cancelled", policyVersion: 1 };
      }
      const text = scriptOf(answersIn(request.tokens));
      const tokens = [...tokenizer.encodeRendered(text), END];
      let state = stateOf(request.tokens);
      const logprobs = tokens.map((id) => {
        const logprob = logprobAfter(state, id);
        state = (Math.imul(state, 31) + id + 1) >>> 0;
        return logprob;
      });
      samples.push({ request, ids: tokens });
      return { tokens, logprobs, stop: "stop", policyVersion: 1 };
    },
    release: () => {},
  };
  const limits = { maxTurns: 100, maxTurnTokens: 500, maxTokens: 100_000 };
  const session = openSession({
    id,
    policy,
    renderer,
    limits,
    stream: 1,
    temperature: 1,
    trains: true,
  });
  const hold = () =>
    new Promise<void>((resolve) => {
      holding = resolve;
    });
  return { session, samples, hold, cancelled: () => cancelled };
}

/** One row, every sampled id in it once with mask 1 behind the prompt that it was sampled for, the first ratio 1. */
export function expectExact({ session, samples }: ScriptedRun, answers = ANSWERS): void {
  const { answers: given, roots, branches, edits, illFormed } = session.counters;
  assert.deepEqual(
    { given, roots, branches, edits, illFormed },
    { given: answers, roots: 1, branches: 0, edits: 0, illFormed: 0 },
  );
  const { tokens, segments } = session.record();
  assert.equal(samples.length, answers);
  assert.deepEqual(segments, []);
  const row = tokens!;
  const trained = row.ids.filter((_, i) => row.mask[i] === 1);
  assert.deepEqual(
    trained,
    samples.flatMap(({ ids }) => ids),
  );
  let at = 0;
  for (const { request, ids } of samples) {
    at = request.tokens.length;
    assert.deepEqual(row.ids.slice(0, at), request.tokens);
    assert.ok(row.mask.slice(at, at + ids.length).every((mask) => mask === 1));
    at += ids.length;
  }
  assert.equal(row.ids.length, at);
  const off = Math.max(...firstRatios(row).map((ratio) => Math.abs(ratio - 1)));
  assert.ok(off < 1e-4, `a first ratio is off by ${off}`);
}

/** Of the learner's log-prob, computed from the row alone, to the sampler's. */
function firstRatios({ ids, mask, logprobs }: RolloutTokens): number[] {
  let state = stateOf([]);
  return ids.flatMap((id, i) => {
    const own = logprobAfter(state, id);
    state = (Math.imul(state, 31) + id + 1) >>> 0;
    return mask[i] === 1 ? [Math.exp(own - logprobs[i]!)] : [];
  });
}
