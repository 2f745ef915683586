/**
 * Scripts a policy that gives 30 answers in a conversation with a published chat template: four rounds of calls and a
 * final answer to each of six questions. Also checks that a session records exactly what was sampled.
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
export const questionText = (group: number) => `Question ${group}: what is in drawer ${group}?`;

/**
 * The agent's tool. Its parameters have another order than the arguments in the script, because some clients print
 * arguments in the order of the parameters.
 */
export const LOOKUP_TOOL = {
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

/** Returns the tool's result for a key. One of the results contains the text of a token that would end a turn. */
export function lookUpKey({ key }: LookupArguments): string {
  return key === "k1" ? "a page that says <|im_end|> and <tool_call>" : `found ${key}`;
}

const formatCall = (json: string) =>
  `<tool_call>\n{"name": "lookup", "arguments": ${json}}\n</tool_call>`;

/** Returns arguments as a model may write them, in forms that would change if they were parsed and printed again. */
const formatArguments = (key: string, i: number) =>
  [
    `{"weight": 1.0, "key": "${key}", "tags": ["caf\\u00e9", "b"]}`,
    `{"tags":[],"key":"${key}","weight":2e1}`,
    `{ "key": "${key}", "tags": [ "\u00e9" ], "weight": -0.50 }`,
  ][i % 3]!;

/** Returns the whole text of answer t with its markup. */
export function scriptedAnswer(t: number): string {
  const group = Math.floor(t / ROUNDS);
  const thought = `<think>\nRound ${t}, let me think.\n</think>\n\n`;
  switch (t % ROUNDS) {
    case 0:
      return `${thought}I look.\n${formatCall(formatArguments(`k${t}`, t))}`;
    case 1:
      return `${formatCall(formatArguments(`k${t}`, t))}\n${formatCall(formatArguments(`m${t}`, t + 1))}`;
    case 2:
      return `${thought}Naïve “quotes”, 日本.  \n\n${formatCall(formatArguments(`k${t}`, t))}`;
    case 3:
      // The answer makes the same call twice, and then another one.
      return [0, 0, 1].map((i) => formatCall(formatArguments(`k${t}`, i))).join("\n");
    default:
      return `${thought}Drawer ${group} is done.`;
  }
}

/** Returns the keys that the agent must look up, in order. */
export function listExpectedKeys(): string[] {
  return Array.from({ length: ANSWERS }, (_, t) =>
    [...scriptedAnswer(t).matchAll(/"key": ?"(\w+)"/g)].map(([, key]) => key!),
  ).flat();
}

/** Returns a log-prob that depends on all ids before it, so it is equal only after an equal prefix. */
function logprobAfter(state: number, id: number): number {
  return -(hash32(String(id), state) % 4096) / 1024;
}

function hashTokens(ids: readonly number[]): number {
  return ids.reduce((state, id) => (Math.imul(state, 31) + id + 1) >>> 0, 7);
}

function countAnswers(ids: readonly number[]): number {
  let count = 0;
  for (let at = 0; at + HEADER.length <= ids.length; at++) {
    if (HEADER.every((id, i) => ids[at + i] === id)) count++;
  }
  return count - 1;
}

export interface ScriptedSession {
  readonly session: OpenSession;
  readonly samples: readonly { readonly request: SampleRequest; readonly ids: readonly number[] }[];
  /** Makes the next sampling wait until it is cancelled. Resolves when that sampling has begun. */
  readonly holdNextSample: () => Promise<void>;
  /** Returns how many samplings were cancelled. */
  readonly countCancelled: () => number;
}

/** Opens a session whose policy follows the script. */
export function openScriptedSession(id: string): ScriptedSession {
  const samples: ScriptedSession["samples"][number][] = [];
  let cancelled = 0;
  let resolveHold: (() => void) | undefined;
  const waitForAbort = (signal: AbortSignal | undefined, begun: () => void) => {
    resolveHold = undefined;
    begun();
    return new Promise((resolve) => signal?.addEventListener("abort", resolve));
  };
  const policy: Extract<Policy, { kind: "tokens" }> = {
    kind: "tokens",
    sample: async (request, signal) => {
      await (resolveHold
        ? waitForAbort(signal, resolveHold)
        : new Promise((resolve) => setTimeout(resolve, 1)));
      if (signal?.aborted) {
        cancelled++;
        return { tokens: [], logprobs: [], stop: "cancelled", policyVersion: 1 };
      }
      const text = scriptedAnswer(countAnswers(request.tokens));
      const tokens = [...tokenizer.encodeRendered(text), END];
      let state = hashTokens(request.tokens);
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
  const holdNextSample = () =>
    new Promise<void>((resolve) => {
      resolveHold = resolve;
    });
  return { session, samples, holdNextSample, countCancelled: () => cancelled };
}

/**
 * Checks that the session has one row, in which every sampled id stands once after its prompt, with mask 1 and a first
 * ratio of 1.
 */
export function expectExactRecord({ session, samples }: ScriptedSession, answers = ANSWERS): void {
  const { answers: recorded, roots, branches, edits, illFormed } = session.counters;
  assert.deepEqual(
    { recorded, roots, branches, edits, illFormed },
    { recorded: answers, roots: 1, branches: 0, edits: 0, illFormed: 0 },
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
  const largestGap = Math.max(...computeFirstRatios(row).map((ratio) => Math.abs(ratio - 1)));
  assert.ok(largestGap < 1e-4, `a first ratio differs from 1 by ${largestGap}`);
}

/** Returns the ratio of the learner's probability, computed from the row, to the sampler's, for each sampled token. */
function computeFirstRatios({ ids, mask, logprobs }: RolloutTokens): number[] {
  let state = hashTokens([]);
  return ids.flatMap((id, i) => {
    const own = logprobAfter(state, id);
    state = (Math.imul(state, 31) + id + 1) >>> 0;
    return mask[i] === 1 ? [Math.exp(own - logprobs[i]!)] : [];
  });
}
