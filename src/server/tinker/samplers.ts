/**
 * Sampling sessions, which name frozen weights, and the requests that sample from them.
 *
 * A session's weights are the base model, a saved `sampler_weights` checkpoint, or unnamed weights that were saved for
 * it alone (the usual case in training, once per step). Unnamed weights are in a folder of their own, and only the
 * newest are kept. Each start of the server uses a new folder, because an earlier process may still be writing to the
 * old one.
 */

import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { createFolder } from "../../core/index.ts";
import type { SampleFilter } from "../../spec/index.ts";
import { throwApiError } from "./api-error.ts";
import type { Backend, FrozenWeights, SampleResult, SamplingJob } from "./backend.ts";
import { type Checkpoints, describeWeights } from "./checkpoints.ts";
import { digestJson } from "./digest.ts";
import type { Futures } from "./futures.ts";
import { readTokens } from "./loss-batch.ts";
import type { Models } from "./models.ts";
import { jsonOutcome } from "./outcome.ts";
import type { requests } from "./requests.ts";
import type { Sessions } from "./sessions.ts";
import type { SaveCall } from "./training.ts";

export type SampleCall = z.output<typeof requests.sample>;
type CreateSamplingSession = z.output<typeof requests.createSamplingSession>;
export type SaveForSampler = SaveCall & {
  readonly sampling_session_seq_id?: number | null | undefined;
};

interface Sampler {
  readonly id: string;
  readonly sessionId: string;
  readonly digest: string;
  /** The frozen weights, or undefined for the base model. */
  readonly weights: FrozenWeights | undefined;
  readonly path?: string;
  readonly seen: Map<number, { readonly digest: string; readonly requestId: string }>;
}

export interface SamplerParts {
  readonly backend: Backend;
  readonly futures: Futures;
  readonly checkpoints: Checkpoints;
  readonly sessions: Sessions;
  readonly models: Models;
  readonly directory: string;
  /** How many sets of unnamed weights are kept. The sampling sessions of older ones end. */
  readonly keptSamplers: number;
}

export class Samplers {
  readonly #parts: SamplerParts;
  /** The folder of unnamed weights. */
  readonly #folder: string;
  readonly #samplers = new Map<string, Sampler>();
  /** The sessions with unnamed weights, oldest first. */
  readonly #unnamed: string[] = [];
  #count = 0;

  constructor(parts: SamplerParts) {
    this.#parts = parts;
    const root = join(parts.directory, "samplers");
    removeContents(root);
    createFolder(root);
    this.#folder = mkdtempSync(join(root, "start-"));
  }

  createSession(request: CreateSamplingSession): string {
    const { sessions, checkpoints, models } = this.#parts;
    const { session_id, sampling_session_seq_id, base_model, model_path } = request;
    sessions.recordActivity(session_id);
    const id = `${session_id}:sample:${sampling_session_seq_id}`;
    const digest = digestJson(request);
    const before = this.#samplers.get(id);
    if (before?.digest === digest) return id;
    if (before) throwApiError(409, `sampling_session_seq_id ${sampling_session_seq_id} is in use`);
    if (base_model) models.requireBaseModel(base_model);
    if (!base_model && !model_path)
      throwApiError(400, "the request must name a base_model or a model_path");
    const weights = model_path
      ? checkpoints.read(model_path, "sampler_weights").weights
      : undefined;
    const path = model_path ? { path: model_path } : {};
    this.#add({ id, sessionId: session_id, digest, weights, ...path });
    return id;
  }

  describeSession(id: string): Readonly<Record<string, unknown>> {
    const { path } = this.#requireSampler(id);
    const base_model = this.#parts.backend.base.name;
    return { sampler_id: id, base_model, ...(path && { model_path: path }) };
  }

  /** Saves a checkpoint when the call names a path, and otherwise opens a sampling session with unnamed weights. */
  save(call: SaveForSampler): string {
    return call.path ? this.#saveNamed(call, call.path) : this.#saveUnnamed(call);
  }

  /**
   * Starts a sampling request and returns its future. A repeated call with the same number and body gets the same one.
   */
  sample(call: SampleCall): string {
    const { futures, sessions } = this.#parts;
    const sampler = call.sampling_session_id
      ? this.#requireSampler(call.sampling_session_id)
      : undefined;
    if (sampler) sessions.recordActivity(sampler.sessionId);
    const number = call.seq_id ?? undefined;
    const digest = digestJson(call);
    const before = number === undefined ? undefined : sampler?.seen.get(number);
    if (before?.digest === digest) return before.requestId;
    if (before)
      throwApiError(
        409,
        `seq_id ${number} of this sampling session already belongs to another request`,
      );
    const weights = sampler ? sampler.weights : this.#resolveWeights(call);
    const job = this.#buildJob(call);
    const count = ++this.#count;
    const requestId =
      sampler && number !== undefined ? `${sampler.id}:${number}` : `sample:${count}`;
    futures.start(requestId, async (signal) => {
      const result = await this.#parts.backend.sample(weights, job, signal);
      return { type: "sample", value: toSampleResponse(result) };
    });
    if (sampler && number !== undefined) sampler.seen.set(number, { digest, requestId });
    return requestId;
  }

  #saveNamed(call: SaveForSampler, name: string): string {
    const { models, checkpoints, backend } = this.#parts;
    const options = models.getOptions(call.model_id);
    const target = { modelId: call.model_id, kind: "sampler_weights", name } as const;
    const about = {
      ...describeWeights(backend.base.name, options),
      ...(call.user_metadata && { user_metadata: call.user_metadata }),
    };
    const reserve = () => checkpoints.reserve(target, call.overwrite ?? false);
    const ttlSeconds = call.ttl_seconds ?? undefined;
    const work = async (id: string) => {
      const path = await checkpoints.write(target, about, ttlSeconds, (folder) =>
        backend.saveSampler(id, folder),
      );
      return jsonOutcome({ type: "save_weights_for_sampler", path });
    };
    return models.submitWork(call, { sampler: call }, work, reserve);
  }

  #saveUnnamed(call: SaveForSampler): string {
    const { models, backend } = this.#parts;
    const number = call.sampling_session_seq_id ?? undefined;
    if (number === undefined)
      throwApiError(400, "the request must name a path or a sampling_session_seq_id");
    const sessionId = models.getSessionId(call.model_id);
    const samplerId = `${sessionId}:sample:${number}`;
    const reserve = () => {
      if (this.#samplers.has(samplerId))
        throwApiError(409, `sampling_session_seq_id ${number} is in use`);
    };
    const options = models.getOptions(call.model_id);
    const work = async (modelId: string) => {
      const directory = join(this.#folder, `${++this.#count}`);
      await backend.saveSampler(modelId, directory);
      const weights = { ...options, directory, modelId };
      this.#add({ id: samplerId, sessionId, digest: "", weights });
      this.#unnamed.push(samplerId);
      this.#dropOldestUnnamed();
      return jsonOutcome({
        type: "save_weights_for_sampler",
        path: null,
        sampling_session_id: samplerId,
      });
    };
    return models.submitWork(call, { sampler: call }, work, reserve);
  }

  #add(sampler: Omit<Sampler, "seen">): void {
    this.#samplers.set(sampler.id, { ...sampler, seen: new Map() });
  }

  #dropOldestUnnamed(): void {
    while (this.#unnamed.length > this.#parts.keptSamplers) {
      const id = this.#unnamed.shift()!;
      const directory = this.#samplers.get(id)?.weights?.directory;
      this.#samplers.delete(id);
      if (directory) rmSync(directory, { recursive: true, force: true });
    }
  }

  #requireSampler(id: string): Sampler {
    return (
      this.#samplers.get(id) ??
      throwApiError(
        404,
        `there is no sampling session ${id}; it may have ended to make room for newer ones`,
      )
    );
  }

  #resolveWeights({ base_model, model_path }: SampleCall): FrozenWeights | undefined {
    if (base_model) this.#parts.models.requireBaseModel(base_model);
    if (model_path) return this.#parts.checkpoints.read(model_path, "sampler_weights").weights;
    if (!base_model)
      throwApiError(
        400,
        "the request must name a sampling_session_id, a model_path or a base_model",
      );
    return undefined;
  }

  #buildJob(call: SampleCall): SamplingJob {
    const { base } = this.#parts.backend;
    const prompt = readTokens(call.prompt, "prompt", base);
    if (prompt.length >= base.contextLength) {
      throwApiError(
        400,
        `prompt: ${prompt.length} tokens leave no room to sample in the context of ${base.contextLength} tokens`,
      );
    }
    const { max_tokens, temperature, stop, seed } = call.sampling_params;
    const filter = readFilter(call.sampling_params);
    const stops = stop === null || stop === undefined ? [] : [stop].flat();
    const stopIds = stops.filter((item) => typeof item === "number");
    const stopTexts = stops.filter((item) => typeof item === "string");
    const unknownId = stopIds.find((id) => id < 0 || id >= base.vocabularySize);
    if (unknownId !== undefined)
      throwApiError(
        400,
        `stop: ${unknownId} is not a token id; expected 0 to ${base.vocabularySize - 1}`,
      );
    if (stopTexts.some((text) => text === ""))
      throwApiError(400, "stop: a stop text must not be empty");
    if (stopTexts.length > 0 && !base.tokenizer) {
      throwApiError(
        400,
        "stop: this server has no tokenizer, so stops must be token ids and not texts",
      );
    }
    const scoredTokens = call.prompt_logprobs ? (call.prompt_logprobs_last_n ?? prompt.length) : 0;
    const first = seed ?? (this.#count + 1) * 2_654_435_761;
    return {
      prompt,
      streams: Array.from({ length: call.num_samples }, (_, i) => (first + i) >>> 0),
      maxTokens: max_tokens ?? base.contextLength,
      temperature,
      ...(filter && { filter }),
      stopIds,
      stopTexts,
      // With an empty list only the length ends a sample; without a list the model's own stop tokens do too.
      endsAtModelStop: !(Array.isArray(stop) && stop.length === 0),
      temperedLogprobs: false,
      promptLogprobs: scoredTokens,
    };
  }
}

/** Returns the filter of a request, or undefined when it removes nothing. A `top_k` of 0 or -1 is no limit. */
function readFilter({
  top_k: topK,
  top_p: topP,
}: SampleCall["sampling_params"]): SampleFilter | undefined {
  if (topK <= 0 && topP === 1) return undefined;
  return { ...(topK > 0 && { topK }), ...(topP < 1 && { topP }) };
}

/** Removes a folder's contents. What an earlier process still writes to is left for the next start. */
function removeContents(directory: string): void {
  for (const name of existsSync(directory) ? readdirSync(directory) : []) {
    try {
      rmSync(join(directory, name), { recursive: true, force: true });
    } catch {}
  }
}

function toSampleResponse({ sequences, promptLogprobs }: SampleResult) {
  return {
    sequences: sequences.map(({ stop, tokens, logprobs }) => ({
      stop_reason: stop,
      tokens: [...tokens],
      logprobs: [...logprobs],
    })),
    ...(promptLogprobs && { prompt_logprobs: [...promptLogprobs] }),
  };
}
