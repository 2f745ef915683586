/** Tests stops, log-probs and prompts of a sampling job, on an engine that always samples the same tokens. */
import { expect, it } from "vitest";
import type { Engine, SampleRequest } from "../../spec/index.ts";
import type { BaseModel, SamplingJob } from "./backend.ts";
import { runSamplingJob } from "./sampling.ts";

/** The requests that the fake engine got. It samples token p at position p, with log-prob -p / temperature. */
const requests: SampleRequest[] = [];
const engine = {
  async sample(asked: readonly SampleRequest[]) {
    requests.push(...asked);
    return asked.map(({ tokens, maxTokens, stopIds, temperature }) => {
      const sampled: number[] = [];
      while (sampled.length < maxTokens && tokens.length + sampled.length < 64) {
        sampled.push(tokens.length + sampled.length);
        if (stopIds.includes(sampled.at(-1)!)) break;
      }
      const stop = stopIds.includes(sampled.at(-1)!) ? "stop" : "length";
      const logprobs = sampled.map((id) => -id / (temperature || 1));
      return { tokens: sampled, logprobs, stop, policyVersion: 0 };
    });
  },
  async evaluate(rows: readonly { at: ArrayLike<number> }[]) {
    return rows.map(({ at }) => ({ logprobs: Float32Array.from(at, (t) => -t) }));
  },
} as unknown as Engine;

const base: BaseModel = {
  name: "counting",
  vocabularySize: 100,
  contextLength: 64,
  stopIds: [50],
  tokenizer: { decode: (ids) => ids.map((id) => `${id},`).join("") },
};
const job: SamplingJob = {
  prompt: [0, 1, 2],
  streams: [7],
  maxTokens: 60,
  temperature: 1,
  stopIds: [],
  stopTexts: [],
  endsAtModelStop: true,
  temperedLogprobs: false,
  promptLogprobs: 0,
};
const never = new AbortController().signal;
async function sampleOne(patch: Partial<SamplingJob>) {
  const { sequences } = await runSamplingJob(engine, base, { ...job, ...patch }, never);
  return sequences[0]!;
}

it("a sample ends at the model's stop token, at a requested one, or at its length without either", async () => {
  expect(await sampleOne({})).toMatchObject({ stop: "stop", tokens: { length: 48 } });
  expect((await sampleOne({ stopIds: [9] })).tokens).toEqual([3, 4, 5, 6, 7, 8, 9]);
  expect(await sampleOne({ endsAtModelStop: false })).toMatchObject({
    stop: "length",
    tokens: { length: 60 },
  });
});

it("a sample ends with the token that completes a stop text, wherever its pieces are cut", async () => {
  for (const last of [4, 18, 19, 35]) {
    const text = `${last - 1},${last},`;
    const { tokens, logprobs, stop } = await sampleOne({ stopTexts: ["nowhere", text] });
    expect([stop, tokens.at(-1), tokens.length, logprobs.length]).toEqual([
      "stop",
      last,
      last - 2,
      last - 2,
    ]);
  }
  const unmet = await sampleOne({ stopTexts: ["nowhere"], maxTokens: 20 });
  expect(unmet).toMatchObject({ stop: "length", tokens: { length: 20 } });
  const full = await sampleOne({ stopTexts: ["nowhere"], endsAtModelStop: false, maxTokens: 500 });
  expect(full).toMatchObject({ stop: "length", tokens: { length: 61 } });
});

it("log-probs are those at temperature 1 unless tempered ones are requested", async () => {
  const own = await sampleOne({ temperature: 2, maxTokens: 3 });
  const tempered = await sampleOne({ temperature: 2, maxTokens: 3, temperedLogprobs: true });
  expect([own.logprobs, tempered.logprobs]).toEqual([
    [-3, -4, -5],
    [-1.5, -2, -2.5],
  ]);
});

it("prompt log-probs have one entry per token and null before the requested ones", async () => {
  const sampleWithPromptLogprobs = (promptLogprobs: number) =>
    runSamplingJob(engine, base, { ...job, promptLogprobs }, never);
  expect((await sampleWithPromptLogprobs(3)).promptLogprobs).toEqual([null, -1, -2]);
  expect((await sampleWithPromptLogprobs(1)).promptLogprobs).toEqual([null, null, -2]);
  expect((await sampleWithPromptLogprobs(0)).promptLogprobs).toBeUndefined();
});

it("each sample uses its own random stream", async () => {
  requests.length = 0;
  await runSamplingJob(engine, base, { ...job, streams: [7, 8, 9], maxTokens: 1 }, never);
  expect(requests.map(({ stream }) => stream)).toEqual([7, 8, 9]);
});

it("a filter reaches the engine, and the log-probs are the model's own unless tempered ones are wanted", async () => {
  const filter = { topK: 3 };
  const own = await sampleOne({ filter, temperature: 2, maxTokens: 4 });
  expect(requests.at(-1)!.filter).toEqual(filter);
  expect(own.logprobs).toEqual([-3, -4, -5, -6]);
  expect((await sampleOne({ filter, maxTokens: 2 })).logprobs).toEqual([-3, -4]);
  const tempered = { filter, temperature: 2, maxTokens: 2, temperedLogprobs: true };
  expect((await sampleOne(tempered)).logprobs).toEqual([-1.5, -2]);
  await sampleOne({ stopTexts: ["9,"], filter });
  expect(requests.at(-1)!.filter).toEqual(filter);
  await sampleOne({});
  expect(requests.at(-1)).not.toHaveProperty("filter");
});
