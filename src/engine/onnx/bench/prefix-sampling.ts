/**
 * Measures the sampling of rollouts with a shared prefix, for `bench prefix`. The prefix is stored and attended to
 * either once or in each rollout. Weights, tokens and random numbers come from a seed, so both variants sample the same
 * texts up to rounding.
 */
import { Rng } from "../../../core/index.ts";
import { Sampler } from "../decode/index.ts";
import { initializeParameters, ParameterStore, parseModelConfig } from "../model/index.ts";
import type { PrefixWork } from "./prefix-step.ts";

/** The result of `measurePrefixSampling`. */
export interface PrefixSamplingResult {
  /** The time for all rollouts, from their prompts to their last tokens. */
  readonly seconds: number;
  /** The peak resident memory without one copy of the weights, in MB of 2^20 bytes. */
  readonly peakMb: number;
  /** The sampled tokens of all rollouts, one after the other. */
  readonly tokens: readonly number[];
  readonly logprobs: readonly number[];
}

const SEED = 1;

/**
 * Samples `rows` rollouts of `own` tokens each after `shared` common ones, all at the same time. Run it in its own
 * process, because it reports the process's peak memory.
 */
export async function measurePrefixSampling(work: PrefixWork): Promise<PrefixSamplingResult> {
  const { rows, shared, own, threads, once } = work;
  const config = parseModelConfig(work.model);
  const parameters = new ParameterStore(config);
  initializeParameters(parameters, SEED);
  const options = { seed: SEED, threads, maxLiveRows: rows, sharePrefixes: once };
  const sampler = new Sampler(parameters, options);
  const rng = new Rng(SEED);
  const tokens = Array.from({ length: shared }, () => rng.integer(0, config.vocabularySize - 1));
  const request = { tokens, maxTokens: own, temperature: 1, stopIds: [] };
  const start = performance.now();
  const submitted = Array.from({ length: rows }, (_, stream) =>
    sampler.submit({ ...request, stream }),
  );
  while (sampler.isBusy) await sampler.runPass();
  const seconds = (performance.now() - start) / 1000;
  const samples = await Promise.all(submitted.map(({ sample }) => sample));
  await sampler.close();
  return {
    seconds,
    peakMb: process.resourceUsage().maxRSS / 1024 - parameters.data.byteLength / 2 ** 20,
    tokens: samples.flatMap((sample) => sample.tokens),
    logprobs: samples.flatMap((sample) => sample.logprobs),
  };
}
