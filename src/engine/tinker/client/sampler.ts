/**
 * A frozen sampler: the weights of one moment, or the base model's.
 *
 * Samples are independent of each other and of training, so they are sent side by side, up to a limit that all samplers of
 * a client share. The server is asked to say 429 when it has enough; then we wait instead of filling its queue.
 */
import type { Gate } from "../../../core/index.ts";
import type { SampleRequestBody, SampleResponse } from "../wire/index.ts";
import type { ClientCore, FutureCall } from "./core.ts";
import { type Bounds, checkTokens, refuse } from "./datums.ts";
import { TinkerError } from "./errors.ts";
import { digestOf } from "./journal.ts";
import { decodeSample, promptLogprobsOf } from "./results.ts";

export interface SampleCall {
  readonly prompt: readonly number[];
  readonly maxTokens: number;
  /** The same seed, prompt and weights give the same tokens, on servers that take seeds. */
  readonly seed?: number;
  readonly stopIds?: readonly number[];
  readonly temperature?: number;
  readonly samples?: number;
  readonly promptLogprobs?: boolean;
  /** Another number asks again what was asked before; default 1. */
  readonly attempt?: number;
  readonly signal?: AbortSignal | undefined;
}

const LARGE_PROMPT_BYTES = 128 * 1024;

export interface SamplerParts {
  readonly core: ClientCore;
  readonly bounds: Bounds;
  readonly gate: Gate;
}

export class TinkerSampler {
  readonly id: string;
  readonly #parts: SamplerParts;
  readonly epoch: string;
  #nextSeq = 0;

  /** `epoch` tells this sampler's calls from those of another that a restarted server gave the same id. */
  constructor(id: string, epoch: string, parts: SamplerParts) {
    this.id = id;
    this.epoch = epoch;
    this.#parts = parts;
  }

  /** `maxTokens` at most; a stop id is included in the tokens, with its log-prob. */
  async sample(call: SampleCall): Promise<SampleResponse> {
    const { core, bounds, gate } = this.#parts;
    const { prompt, signal, samples = 1, promptLogprobs = false, maxTokens } = call;
    this.#check(call);
    const asked = this.#bodyOf(call);
    const ids = new Uint8Array(Int32Array.from(prompt).buffer);
    const digest = digestOf("/asample", ids, {
      ...asked,
      prompt: prompt.length,
      attempt: call.attempt ?? 1,
    });
    const bytes = prompt.length * 4;
    const request = (number: number, name: string) => ({
      path: "/asample",
      body: { ...asked, seq_id: number },
      key: `${this.id}/${this.epoch}/${name}`,
      digest,
      requestType: "Sample",
      protobuf: true,
      durable: false,
      headers: { "X-Tinker-Sampling-Backpressure": "1" },
      backpressureMs: bytes > LARGE_PROMPT_BYTES ? 5000 : 1000,
      signal,
      decode: decodeSample("/asample", {
        samples,
        maxTokens,
        vocabularySize: bounds.vocabularySize,
        promptTokens: prompt.length,
        promptLogprobs,
      }),
    });
    return gate(() => {
      if (signal?.aborted) throw new TinkerError("cancelled", "cancelled before it was sent");
      return core.journal ? this.#askByDigest(digest, request) : this.#askNext(request);
    });
  }

  /** Each call is its own. */
  #askNext<T>(request: (number: number, name: string) => FutureCall<T>): Promise<T> {
    const number = this.#nextSeq++;
    return this.#parts.core.run(request(number, `${number}`));
  }

  /**
   * The same question is the same call, in a later life of the program too, which asks in another order what is left to ask. So a
   * question has its number from its digest; where another question has that one, the next 31 bits are tried.
   */
  async #askByDigest<T>(
    digest: string,
    request: (number: number, name: string) => FutureCall<T>,
  ): Promise<T> {
    for (let at = 0; ; at += 8) {
      const number = Number.parseInt(digest.slice(at, at + 8), 16) & 0x7fffffff;
      try {
        return await this.#parts.core.run(request(number, at === 0 ? digest : `${digest}/${at}`));
      } catch (error) {
        if (!TinkerError.is(error, "conflict") || at + 16 > digest.length) throw error;
      }
    }
  }

  /** log p(tokens[i] | tokens[0..i-1]) for i from 1: one value less than there are tokens. */
  async logprobs(tokens: readonly number[], signal?: AbortSignal): Promise<number[]> {
    const call = { prompt: tokens, maxTokens: 1, seed: 0, promptLogprobs: true, signal };
    return promptLogprobsOf("/asample", await this.sample(call), tokens.length);
  }

  #check({
    prompt,
    maxTokens,
    temperature = 1,
    samples = 1,
    seed,
    stopIds = [],
  }: SampleCall): void {
    const { bounds } = this.#parts;
    checkTokens(prompt, "the prompt", bounds);
    if (stopIds.length > 0)
      checkTokens(stopIds, "stopIds", { vocabularySize: bounds.vocabularySize });
    if (!(Number.isInteger(maxTokens) && maxTokens > 0)) refuse(`maxTokens cannot be ${maxTokens}`);
    if (!(Number.isInteger(samples) && samples > 0)) refuse(`samples cannot be ${samples}`);
    if (!(Number.isFinite(temperature) && temperature >= 0)) {
      refuse(`temperature cannot be ${temperature}`);
    }
    if (seed !== undefined && !(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)) {
      refuse(`seed must be an integer from 0 to 2^31 - 1, but it is ${seed}`);
    }
  }

  /** Stop ids as a list of integers: one server refuses a bare value, another stops on nothing by itself. */
  #bodyOf(call: SampleCall): SampleRequestBody & { type: string } {
    const { prompt, maxTokens, seed, stopIds = [], temperature = 1, samples = 1 } = call;
    return {
      sampling_session_id: this.id,
      num_samples: samples,
      prompt: { chunks: [{ type: "encoded_text", tokens: [...prompt] }] },
      sampling_params: {
        max_tokens: maxTokens,
        ...(seed !== undefined && { seed }),
        ...(stopIds.length > 0 && { stop: [...stopIds] }),
        temperature,
        top_k: -1,
        top_p: 1,
      },
      ...(call.promptLogprobs && { prompt_logprobs: true }),
      type: "sample",
    };
  }
}
