/** Samples from published policies. When the server has lost a version's sampler, the sampler is made again. */
import { findList, hash32 } from "../../../core/index.ts";
import type { EngineInfo, Sample, SampleRequest } from "../../../spec/index.ts";
import { checkSampleRequest, refuseFilter, throwEngineError } from "../../contract/index.ts";
import { TinkerError, type TinkerSampler } from "../client/index.ts";
import { FINITE_ATTEMPTS, isLostSampler } from "./lost-sampler.ts";
import type { RemoteModel } from "./remote-model.ts";
import type { ServerTraits } from "./server-traits.ts";

export interface SamplingParts {
  readonly info: EngineInfo;
  readonly remote: RemoteModel;
  readonly traits: ServerTraits;
  readonly seed: number;
}

export class Sampling {
  readonly #parts: SamplingParts;
  readonly #inFlight = new Set<Promise<unknown>>();

  constructor(parts: SamplingParts) {
    this.#parts = parts;
  }

  /** Waits until the sampling calls that are running now have ended. */
  async waitUntilIdle(): Promise<void> {
    await Promise.allSettled([...this.#inFlight]);
  }

  async sample(
    requests: readonly SampleRequest[],
    signal?: AbortSignal,
  ): Promise<readonly Sample[]> {
    const { remote, traits, info } = this.#parts;
    requests.forEach((request, index) => {
      checkSampleRequest(request, index, info);
      refuseFilter(request, index);
      this.#checkRequest(request, index);
    });
    if (!traits.frozenSamplers && !remote.isPublished) {
      throwEngineError(
        "sample: the weights have changed since they were published, and this server can only sample the present weights; call publish() first",
      );
    }
    const samples = Promise.all(requests.map((request) => this.#sampleOne(request, signal)));
    this.#inFlight.add(samples);
    return samples.finally(() => this.#inFlight.delete(samples));
  }

  async #sampleOne(request: SampleRequest, signal: AbortSignal | undefined): Promise<Sample> {
    const { remote } = this.#parts;
    const policyVersion = request.policyVersion ?? remote.version;
    const recovery = remote.startRecovery();
    let nonFinite = 0;
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted) return { tokens: [], logprobs: [], stop: "cancelled", policyVersion };
      const sampler = await remote.getSampler(policyVersion);
      try {
        return { ...(await this.#requestSample(sampler, request, attempt, signal)), policyVersion };
      } catch (error) {
        if (TinkerError.is(error, "cancelled")) continue;
        if (TinkerError.is(error, "non-finite") && ++nonFinite < FINITE_ATTEMPTS) continue;
        if (!isLostSampler(error)) throw error;
        await recovery.waitOrThrow(error, signal);
        await remote.replaceSampler(policyVersion, sampler);
      }
    }
  }

  async #requestSample(
    sampler: TinkerSampler,
    request: SampleRequest,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<Omit<Sample, "policyVersion">> {
    const { stream, maxTokens, temperature, stopIds } = request;
    const prompt = findList(request) ?? request.tokens;
    const { sequences } = await sampler.sample({
      prompt,
      // Each turn of a rollout gets its own seed, because a server restarts its random numbers with each call.
      seed: hash32(`${stream}/${prompt.length}`, this.#parts.seed) >>> 1,
      maxTokens: Math.min(maxTokens, this.#parts.info.contextLength - prompt.length),
      temperature,
      stopIds,
      attempt,
      signal,
    });
    const [sequence] = sequences;
    const stop = stopIds.includes(sequence!.tokens.at(-1)!) ? "stop" : "length";
    return { tokens: sequence!.tokens, logprobs: sequence!.logprobs!, stop };
  }

  #checkRequest({ temperature, policyVersion }: SampleRequest, index: number): void {
    const { traits, remote } = this.#parts;
    if (temperature !== 0 && temperature !== 1 && traits.sampleLogprobs === "raw") {
      throwEngineError(
        `request ${index}: temperature is ${temperature}, but this server returns the log-probs of the untempered distribution, so only 0 and 1 can be used`,
      );
    }
    if (policyVersion === undefined || policyVersion === remote.version) return;
    if (!this.#parts.info.capabilities.heldVersions) {
      throwEngineError(
        `request ${index}: policyVersion is ${policyVersion}, but this server can only sample the newest version, ${remote.version}`,
      );
    }
  }
}
