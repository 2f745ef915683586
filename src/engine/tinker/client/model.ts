/**
 * A model in training: an adapter and its optimizer on the server, and the order of the requests to it.
 *
 * Requests are numbered from 1, and the hosted service waits for a missing number. So requests are sent one after the
 * other, and the number of a refused request is used again. Results are awaited concurrently.
 */

import type { z } from "zod";
import {
  type AdamParams,
  type Datum,
  encodeForwardBackwardRequest,
  type ForwardBackwardOutput,
  getInfoResponseSchema,
  loadWeightsResponseSchema,
  type ModelInfo,
  optimStepResponseSchema,
  type SaveForSamplerResponse,
  saveForSamplerResponseSchema,
  saveWeightsResponseSchema,
  unloadModelResponseSchema,
} from "../wire/index.ts";
import { type AcceptedCall, type ClientCore, type FutureCall, parseAnswer } from "./client-core.ts";
import {
  CHUNK_LIMITS,
  type ChunkLimits,
  checkDatums,
  splitIntoRequests,
  type TokenBounds,
  throwInvalid,
} from "./datums.ts";
import type { Dialect, DialectChooser } from "./dialect.ts";
import { TinkerError } from "./errors.ts";
import { computeDigest } from "./journal.ts";
import { combineMetrics, createPassDecoder } from "./results.ts";

export interface ModelParts {
  readonly core: ClientCore;
  readonly dialect: DialectChooser;
  readonly bounds: TokenBounds;
  readonly chunks?: ChunkLimits;
  /** Returns false when the server would run a repeated gradient or step twice. */
  readonly canRepeat: () => boolean;
}

export interface PassRequest {
  readonly data: readonly Datum[];
  readonly lossFn: string;
  readonly config?: Readonly<Record<string, number>>;
}

export interface ModelIds {
  readonly id: string;
  readonly sessionId: string;
  readonly epoch: string;
  /** The number that the next request gets. */
  readonly nextSeq: number;
}

interface SubmittedCall<T> {
  readonly call: FutureCall<T>;
  readonly accepted: AcceptedCall;
}

export class TinkerModel {
  readonly id: string;
  readonly sessionId: string;
  /** Distinguishes this model from another that a restarted server gave the same id. */
  readonly epoch: string;
  readonly #parts: ModelParts;
  #nextSeq: number;
  #lastSubmission: Promise<unknown> = Promise.resolve();

  constructor(ids: ModelIds, parts: ModelParts) {
    this.id = ids.id;
    this.sessionId = ids.sessionId;
    this.epoch = ids.epoch;
    this.#nextSeq = ids.nextSeq;
    this.#parts = parts;
  }

  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** Computes log-probs without a gradient. Throws `unsupported` when the server has no forward pass. */
  async forward(pass: PassRequest): Promise<ForwardBackwardOutput> {
    try {
      return await this.#runPass(pass, true);
    } catch (error) {
      if (!TinkerError.is(error, "missing")) throw error;
      throw new TinkerError("unsupported", `this server has no forward pass (${error.message})`);
    }
  }

  /**
   * Adds the loss's gradient to the model's gradient. A large pass takes several requests, whose metrics are combined.
   */
  forwardBackward(pass: PassRequest): Promise<ForwardBackwardOutput> {
    return this.#runPass(pass, false);
  }

  /** Takes an optimizer step, clears the gradient and returns the server's metrics. */
  async optimStep(adam: AdamParams): Promise<Readonly<Record<string, number>>> {
    const notFinite = Object.entries(adam).find(([, value]) => !Number.isFinite(value));
    if (notFinite)
      throwInvalid(
        `optim_step: ${notFinite[0]} must be a finite number, but it is ${notFinite[1]}`,
      );
    const body = { adam_params: adam, type: "optim_step" };
    const isRepeatable = this.#parts.canRepeat();
    const { metrics } = await this.#callJson(
      "/optim_step",
      "OptimStep",
      body,
      optimStepResponseSchema,
      { isRepeatable },
    );
    return metrics ?? {};
  }

  /** Saves weights and optimizer. The name has letters, digits, `_` and `-`. Returns the path to load them from. */
  async saveWeights(name: string): Promise<string> {
    requireCheckpointName(name);
    const body = { path: name, type: "save_weights" };
    try {
      return (await this.#callJson("/save_weights", "SaveWeights", body, saveWeightsResponseSchema))
        .path;
    } catch (error) {
      // The name is taken because this same save was repeated: nobody else uses these names.
      if (!TinkerError.is(error, "conflict") || /sequence|journal/i.test(error.message))
        throw error;
      return `tinker://${this.id}/weights/${name}`;
    }
  }

  /** Loads saved weights. This must be the model's first request. */
  async loadWeights(path: string, options: { readonly optimizer: boolean }): Promise<void> {
    if (this.#nextSeq !== 1) {
      throwInvalid(
        `load_weights must be a model's first request, but this would be request ${this.#nextSeq}`,
      );
    }
    const body = { path, optimizer: options.optimizer, type: "load_weights" };
    await this.#callJson("/load_weights", "LoadWeights", body, loadWeightsResponseSchema);
  }

  /** Makes the present weights available for sampling: in a sampling session, or under a name that the server keeps. */
  saveForSampler(
    to: { readonly sessionSeq: number } | { readonly name: string },
  ): Promise<SaveForSamplerResponse> {
    if ("name" in to) requireCheckpointName(to.name);
    const where = "name" in to ? { path: to.name } : { sampling_session_seq_id: to.sessionSeq };
    const body = { ...where, type: "save_weights_for_sampler" };
    return this.#callJson(
      "/save_weights_for_sampler",
      "SaveWeightsForSampler",
      body,
      saveForSamplerResponseSchema,
    );
  }

  fetchInfo(): Promise<ModelInfo> {
    return this.#parts.core.callDirectly(
      "/get_info",
      { model_id: this.id, type: "get_info" },
      getInfoResponseSchema,
    );
  }

  /** Frees the model's memory on the server. The model cannot be used afterwards. */
  async unload(): Promise<void> {
    const body = { model_id: this.id, type: "unload_model" };
    await this.#parts.core.runFuture({
      path: "/unload_model",
      body,
      key: this.#callKey("unload"),
      requestType: "UnloadModel",
      protobuf: false,
      durable: false,
      decode: (answer) => parseAnswer("/unload_model", answer, unloadModelResponseSchema),
    });
  }

  #callKey(seq: number | string): string {
    return `${this.id}/${this.epoch}/${seq}`;
  }

  async #runPass(pass: PassRequest, forwardOnly: boolean): Promise<ForwardBackwardOutput> {
    const { bounds, chunks = CHUNK_LIMITS, core, dialect } = this.#parts;
    checkDatums(pass.data, bounds);
    const results = await awaitAll(
      splitIntoRequests(pass.data, chunks).map((data) =>
        this.#submitInOrder((seq) =>
          dialect.submitPass(core, (spoken) =>
            this.#buildPassCall({ ...pass, data }, forwardOnly, spoken, seq),
          ),
        ),
      ),
    );
    const datums = results.map(({ loss_fn_outputs, metrics }) => ({
      datums: loss_fn_outputs.length,
      metrics,
    }));
    return {
      loss_fn_output_type: results[0]!.loss_fn_output_type,
      loss_fn_outputs: results.flatMap(({ loss_fn_outputs }) => loss_fn_outputs),
      metrics: combineMetrics(datums),
    };
  }

  #buildPassCall(
    { data, lossFn, config }: PassRequest & { readonly data: Datum[] },
    forwardOnly: boolean,
    dialect: Dialect,
    seq: number,
  ): FutureCall<ForwardBackwardOutput> {
    const input = { data, loss_fn: lossFn, ...(config && { loss_fn_config: { ...config } }) };
    const ids = { model_id: this.id, seq_id: seq };
    const json = forwardOnly ? { forward_input: input } : { forward_backward_input: input };
    const path = forwardOnly && dialect === "json" ? "/forward" : "/forward_backward";
    return {
      path,
      body:
        dialect === "json"
          ? { ...ids, ...json }
          : encodeForwardBackwardRequest({ ...ids, ...input, forward_only: forwardOnly }),
      key: this.#callKey(seq),
      // The digest is the same in both dialects.
      digest: computeDigest(forwardOnly ? "forward" : "forward_backward", { ...ids, ...input }),
      requestType: forwardOnly ? "Forward" : "ForwardBackward",
      protobuf: true,
      durable: true,
      isRepeatable: forwardOnly || this.#parts.canRepeat(),
      decode: createPassDecoder(path, data),
    };
  }

  #callJson<S extends z.ZodType>(
    path: string,
    requestType: string,
    body: object,
    schema: S,
    options: { readonly isRepeatable?: boolean } = {},
  ): Promise<z.output<S>> {
    const { core } = this.#parts;
    return this.#submitInOrder(async (seq) => {
      const call: FutureCall<z.output<S>> = {
        path,
        body: { model_id: this.id, seq_id: seq, ...body },
        key: this.#callKey(seq),
        requestType,
        protobuf: false,
        durable: true,
        decode: (answer) => parseAnswer(path, answer, schema),
        ...options,
      };
      return { call, accepted: await core.submitFuture(call) };
    });
  }

  /**
   * Submits requests one after the other; the number advances when a request is accepted. Results are awaited freely.
   */
  async #submitInOrder<T>(submit: (seq: number) => Promise<SubmittedCall<T>>): Promise<T> {
    const turn = this.#lastSubmission.then(async () => {
      const numbered = await submit(this.#nextSeq);
      this.#nextSeq += 1;
      return numbered;
    });
    this.#lastSubmission = turn.catch(() => undefined);
    const { call, accepted } = await turn;
    return this.#parts.core.awaitFuture(call, accepted);
  }
}

/** Waits for all promises. Returns all results, or throws the first error after the last promise has settled. */
async function awaitAll<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

function requireCheckpointName(name: string): void {
  if (/^[A-Za-z0-9_-]{1,255}$/.test(name)) return;
  throwInvalid(`a checkpoint's name must be 1 to 255 letters, digits, _ or -, but it is "${name}"`);
}
