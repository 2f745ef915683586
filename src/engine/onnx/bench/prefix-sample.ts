/**
 * Rollouts that begin alike, sampled with what they share held and attended to once or by each: the other half of
 * `bench prefix`. Weights, tokens and random numbers come from a seed, so both sides sample the same texts up to rounding.
 */
import { Rng } from "../../../core/index.ts";
import { Sampler } from "../decode/index.ts";
import { initializeParameters, ParameterStore, parseModelConfig } from "../model/index.ts";
import type { PrefixWork } from "./prefix-step.ts";

export interface PrefixSample {
  /** All rollouts, from their prompts to their last tokens. */
  readonly seconds: number;
  /** The most that was resident, less one copy of the weights, in MB of 2^20 bytes. */
  readonly peakMb: number;
  /** Rollout by rollout. */
  readonly tokens: readonly number[];
  readonly logprobs: readonly number[];
}

const SEED = 1;

/** `rows` rollouts of `own` tokens each behind `shared` common ones, all live at once. In a process of its own. */
export async function prefixSample(work: PrefixWork): Promise<PrefixSample> {
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
