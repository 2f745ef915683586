/**
 * A sampler with frozen weights: those of one moment of training, or the base model's.
 *
 * Sampling calls are independent of each other and of training, so they run concurrently, up to a limit that all
 * samplers of a client share. The server is asked to answer 429 when it is busy, so that the client waits instead of
 * filling its queue.
 */
import { type ConcurrencyLimiter, giveWay, SharedList } from "../../../core/index.ts";
import type { SampleRequestBody, SampleResponse } from "../wire/index.ts";
import type { ClientCore, FutureCall } from "./client-core.ts";
import { checkTokens, type TokenBounds, throwInvalid } from "./datums.ts";
import { TinkerError } from "./errors.ts";
import { checkPrompt, digestPrompt, type Prompt, PromptBody } from "./prompt.ts";
import { createSampleDecoder, readPromptLogprobs } from "./results.ts";

export interface SampleCall {
  readonly prompt: Prompt;
  readonly maxTokens: number;
  /** On servers that support seeds, the same seed, prompt and weights give the same tokens. */
  readonly seed?: number;
  readonly stopIds?: readonly number[];
  readonly temperature?: number;
  readonly samples?: number;
  readonly promptLogprobs?: boolean;
  /** Distinguishes repetitions of the same call: another number makes it a new call. Default 1. */
  readonly attempt?: number;
  readonly signal?: AbortSignal | undefined;
}

const LARGE_PROMPT_BYTES = 128 * 1024;

export interface SamplerParts {
  readonly core: ClientCore;
  readonly bounds: TokenBounds;
  readonly limiter: ConcurrencyLimiter;
}

export class TinkerSampler {
  readonly id: string;
  readonly #parts: SamplerParts;
  readonly epoch: string;
  #nextSeq = 0;

  /** `epoch` distinguishes this sampler from another that a restarted server gave the same id. */
  constructor(id: string, epoch: string, parts: SamplerParts) {
    this.id = id;
    this.epoch = epoch;
    this.#parts = parts;
  }

  /** Samples at most `maxTokens` tokens. The tokens include the stop id, with its log-prob. */
  async sample(call: SampleCall): Promise<SampleResponse> {
    const { core, bounds, limiter } = this.#parts;
    const { prompt, signal, samples = 1, promptLogprobs = false, maxTokens } = call;
    this.#checkCall(call);
    const body = this.#buildBody(call);
    const digest = digestPrompt("/asample", prompt, {
      ...body,
      prompt: prompt.length,
      attempt: call.attempt ?? 1,
    });
    const bytes = prompt.length * 4;
    const buildCall = (number: number, name: string) => ({
      path: "/asample",
      body:
        prompt instanceof SharedList
          ? new PromptBody({ ...body, seq_id: number }, prompt)
          : { ...body, seq_id: number },
      key: `${this.id}/${this.epoch}/${name}`,
      digest,
      requestType: "Sample",
      protobuf: true,
      durable: false,
      headers: { "X-Tinker-Sampling-Backpressure": "1" },
      backpressureMs: bytes > LARGE_PROMPT_BYTES ? 5000 : 1000,
      signal,
      decode: createSampleDecoder("/asample", {
        samples,
        maxTokens,
        vocabularySize: bounds.vocabularySize,
        promptTokens: prompt.length,
        promptLogprobs,
      }),
    });
    return limiter(async () => {
      // Thousands of calls may be allowed to start at the same moment, and writing each body takes time.
      await giveWay();
      if (signal?.aborted)
        throw new TinkerError("cancelled", "/asample was cancelled before it was sent");
      return core.journal
        ? this.#sendNumberedByDigest(digest, buildCall)
        : this.#sendNumbered(buildCall);
    });
  }

  /** Sends the call with the next number, without looking for an earlier one. */
  #sendNumbered<T>(request: (number: number, name: string) => FutureCall<T>): Promise<T> {
    const number = this.#nextSeq++;
    return this.#parts.core.runFuture(request(number, `${number}`));
  }

  /**
   * Sends the call with a number taken from its digest, so that a restarted program, which makes the remaining calls in
   * another order, finds this call's result in the journal. When another call has that number, the digest's next 31
   * bits are tried.
   */
  async #sendNumberedByDigest<T>(
    digest: string,
    request: (number: number, name: string) => FutureCall<T>,
  ): Promise<T> {
    for (let digestOffset = 0; ; digestOffset += 8) {
      const number = Number.parseInt(digest.slice(digestOffset, digestOffset + 8), 16) & 0x7fffffff;
      try {
        return await this.#parts.core.runFuture(
          request(number, digestOffset === 0 ? digest : `${digest}/${digestOffset}`),
        );
      } catch (error) {
        if (!TinkerError.is(error, "conflict") || digestOffset + 16 > digest.length) throw error;
      }
    }
  }

  /** Returns log p(tokens[i] | tokens[0..i-1]) for i from 1: one value fewer than there are tokens. */
  async computeLogprobs(tokens: readonly number[], signal?: AbortSignal): Promise<number[]> {
    const call = { prompt: tokens, maxTokens: 1, seed: 0, promptLogprobs: true, signal };
    return readPromptLogprobs("/asample", await this.sample(call), tokens.length);
  }

  #checkCall({
    prompt,
    maxTokens,
    temperature = 1,
    samples = 1,
    seed,
    stopIds = [],
  }: SampleCall): void {
    const { bounds } = this.#parts;
    checkPrompt(prompt, bounds);
    if (stopIds.length > 0)
      checkTokens(stopIds, "stopIds", { vocabularySize: bounds.vocabularySize });
    if (!(Number.isInteger(maxTokens) && maxTokens > 0))
      throwInvalid(`maxTokens must be a positive integer, but it is ${maxTokens}`);
    if (!(Number.isInteger(samples) && samples > 0))
      throwInvalid(`samples must be a positive integer, but it is ${samples}`);
    if (!(Number.isFinite(temperature) && temperature >= 0)) {
      throwInvalid(`temperature must be a finite number from 0 up, but it is ${temperature}`);
    }
    if (seed !== undefined && !(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)) {
      throwInvalid(`seed must be an integer from 0 to 2^31 - 1, but it is ${seed}`);
    }
  }

  /** Stop ids are sent as a list of integers: one server refuses a bare value, another never stops on one. */
  #buildBody(call: SampleCall): SampleRequestBody & { type: string } {
    const { prompt, maxTokens, seed, stopIds = [], temperature = 1, samples = 1 } = call;
    const tokens = prompt instanceof SharedList ? [] : [...prompt];
    return {
      sampling_session_id: this.id,
      num_samples: samples,
      prompt: { chunks: [{ type: "encoded_text", tokens }] },
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
