/** Observes a sampler at fixed weights: stop tokens, seeds and the log-probs of a prompt. */

import {
  createCurrentSampler,
  createExample,
  describeOutcome,
  maxDifference,
  type SampleResult,
  type Sampler,
  samplePromptLogprobs,
  sampleTokens,
} from "../../probes/index.ts";
import type { Observation } from "../finding.ts";
import { type DoctorSubject, defineProbe, doOnce, formatNumber } from "../probe.ts";

export const samplingProbe = defineProbe(["stop", "seed", "prompt-logprobs"], (subject) => {
  const openSampler = doOnce(() => createCurrentSampler(subject.model));
  return {
    stop: async () => observeStopTokens(await openSampler(), subject),
    seed: async () => observeSeeds(await openSampler(), subject),
    "prompt-logprobs": async () => observePromptLogprobs(await openSampler(), subject),
  };
});

/** Samples greedily, then again with a token of that answer as the stop token. */
async function observeStopTokens(
  sampler: Sampler,
  { prompt }: DoctorSubject,
): Promise<Observation> {
  const free = (await sampleTokens(sampler, { prompt, temperature: 0, maxTokens: 10 }))
    .sequences[0]!;
  const stopId = free.tokens.find((id, i) => i > 0 && id !== free.tokens[0]) ?? free.tokens[0]!;
  const at = free.tokens.indexOf(stopId);
  const stopped = (
    await sampleTokens(sampler, { prompt, temperature: 0, maxTokens: 10, stop: [stopId] })
  ).sequences[0]!;
  const { tokens, logprobs, stop } = stopped;
  const included = tokens.length === at + 1 && tokens.at(-1) === stopId;
  const excluded = tokens.length === at && !tokens.includes(stopId);
  const measured = {
    stopAt: at,
    returnedTokens: tokens.length,
    returnedLogprobs: logprobs.length,
    stopReason: stop,
    freeStopReason: free.stop,
    freeTokens: free.tokens.length,
  };
  const evidence = `greedy token ${at + 1} of ${free.tokens.length} was made the stop token; then ${tokens.length} tokens came back with stop reason "${stop}" (before: "${free.stop}")`;
  if (included && stop === "stop" && logprobs.length === tokens.length) {
    return {
      verdict: "ok",
      evidence,
      measured,
      consequence: "the stop token and its log-prob count as an action",
    };
  }
  const consequence = included
    ? "the last token decides why a text ended"
    : excluded
      ? "the stop token is put back, and its log-prob comes from the trainer"
      : "samples run to their full length and are cut after the first stop token";
  return { verdict: "deviates", evidence, measured, consequence };
}

async function observeSeeds(sampler: Sampler, { prompt }: DoctorSubject): Promise<Observation> {
  const once = await sampleTokens(sampler, { prompt, samples: 4, seed: 11 });
  const again = await sampleTokens(sampler, { prompt, samples: 4, seed: 11 });
  const other = await sampleTokens(sampler, { prompt, samples: 4, seed: 12 });
  const same = countEqualSequences(once, again);
  const distinct = new Set(once.sequences.map(({ tokens }) => tokens.join())).size;
  const measured = { sameSeed: same, otherSeed: countEqualSequences(once, other), distinct };
  const evidence = `with the same seed ${same} of 4 samples are equal, with another seed ${measured.otherSeed} of 4; one request gave ${distinct} distinct samples of 4`;
  const ok = same === 4 && distinct > 1;
  return {
    verdict: ok ? "ok" : "deviates",
    evidence,
    measured,
    consequence: ok
      ? "a lost sample is sampled again with its seed"
      : distinct > 1
        ? "a lost sample is replaced by a new, different one"
        : "each request asks for one sample, with its own seed",
  };
}

function countEqualSequences(a: SampleResult, b: SampleResult): number {
  return a.sequences.filter(({ tokens }, i) => tokens.join() === b.sequences[i]?.tokens.join())
    .length;
}

/** The hosted service sends one log-prob per prompt token, null for the first. */
async function observePromptLogprobs(
  sampler: Sampler,
  { prompt, trainer }: DoctorSubject,
): Promise<Observation> {
  const consequence = "log-probs of a given text come from the trainer's forward pass";
  const outcome = await samplePromptLogprobs(sampler, prompt);
  const got = outcome.ok ? outcome.value : [];
  if (got.length === 0) {
    const evidence = outcome.ok ? "requested, but the answer has none" : describeOutcome(outcome);
    return { verdict: "unsupported", evidence, measured: { count: 0 }, consequence };
  }
  const truth = await trainer.averageLogprobs(createExample(prompt));
  const gap = maxDifference(got.slice(-truth.length), truth);
  const leadingNull = Number.isNaN(got[0]!);
  return {
    verdict: got.length === prompt.length && leadingNull && gap < 0.1 ? "ok" : "deviates",
    evidence: `${got.length} log-probs for ${prompt.length} tokens, the first ${leadingNull ? "is" : "is not"} null; the largest difference from the trainer is ${formatNumber(gap)} nats`,
    measured: { count: got.length, promptTokens: prompt.length, leadingNull, maxGap: gap },
    consequence:
      got.length === prompt.length
        ? consequence
        : `${consequence}; where prompt log-probs are used, they are aligned at the end`,
  };
}
