/**
 * A model that is trained: an adapter with its optimizer on the server, and the order of what is asked of it.
 *
 * Its requests are numbered from 1 and the hosted service waits for a missing number, so they are sent one after the
 * other, and the number of one that was not accepted is used again. Results are awaited side by side.
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
import { type Accepted, type ClientCore, type FutureCall, parseAnswer } from "./core.ts";
import {
  type Bounds,
  CHUNK_LIMITS,
  type ChunkLimits,
  checkData,
  chunksOf,
  refuse,
} from "./datums.ts";
import type { Dialect, DialectChooser } from "./dialect.ts";
import { TinkerError } from "./errors.ts";
import { digestOf } from "./journal.ts";
import { combineMetrics, decodePass } from "./results.ts";

export interface ModelParts {
  readonly core: ClientCore;
  readonly dialect: DialectChooser;
  readonly bounds: Bounds;
  readonly chunks?: ChunkLimits;
  /** False: the server runs a repeated gradient or step twice. Default true. */
  readonly repeatable: () => boolean;
}

export interface Pass {
  readonly data: readonly Datum[];
  readonly lossFn: string;
  readonly config?: Readonly<Record<string, number>>;
}

export interface ModelIds {
  readonly id: string;
  readonly sessionId: string;
  readonly epoch: string;
  /** The number of the next request. */
  readonly nextSeq: number;
}

interface Numbered<T> {
  readonly call: FutureCall<T>;
  readonly accepted: Accepted;
}

export class TinkerModel {
  readonly id: string;
  readonly sessionId: string;
  /** Tells this model's calls from those of another that a restarted server gave the same id. */
  readonly epoch: string;
  readonly #parts: ModelParts;
  #nextSeq: number;
  #tail: Promise<unknown> = Promise.resolve();

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

  /** Log-probs without a gradient. Throws `unsupported` where the server has no such call. */
  async forward(pass: Pass): Promise<ForwardBackwardOutput> {
    try {
      return await this.#passes(pass, true);
    } catch (error) {
      if (!TinkerError.is(error, "missing")) throw error;
      throw new TinkerError("unsupported", `this server has no forward pass (${error.message})`);
    }
  }

  /** Adds the gradient of the loss to the model's; `metrics` are combined over the requests that it took. */
  forwardBackward(pass: Pass): Promise<ForwardBackwardOutput> {
    return this.#passes(pass, false);
  }

  /** Steps, clears the gradient, and gives the server's metrics. */
  async optimStep(adam: AdamParams): Promise<Readonly<Record<string, number>>> {
    const strange = Object.entries(adam).find(([, value]) => !Number.isFinite(value));
    if (strange)
      refuse(`optim_step: ${strange[0]} must be a finite number, but it is ${strange[1]}`);
    const body = { adam_params: adam, type: "optim_step" };
    const repeatable = this.#parts.repeatable();
    const { metrics } = await this.#json(
      "/optim_step",
      "OptimStep",
      body,
      optimStepResponseSchema,
      {
        repeatable,
      },
    );
    return metrics ?? {};
  }

  /** Weights and optimizer under a name of letters, digits, `_` and `-`. Gives the path to load them from. */
  async saveWeights(name: string): Promise<string> {
    requireName(name);
    const body = { path: name, type: "save_weights" };
    try {
      return (await this.#json("/save_weights", "SaveWeights", body, saveWeightsResponseSchema))
        .path;
    } catch (error) {
      // A repeated save finds its own name taken: names are ours alone, so it is the same save.
      if (!TinkerError.is(error, "conflict") || /sequence|journal/i.test(error.message))
        throw error;
      return `tinker://${this.id}/weights/${name}`;
    }
  }

  /** Only as the model's first request. */
  async loadWeights(path: string, options: { readonly optimizer: boolean }): Promise<void> {
    if (this.#nextSeq !== 1) {
      refuse(
        `load_weights must be a model's first request, and this one would be ${this.#nextSeq}`,
      );
    }
    const body = { path, optimizer: options.optimizer, type: "load_weights" };
    await this.#json("/load_weights", "LoadWeights", body, loadWeightsResponseSchema);
  }

  /** The present weights for sampling: as a sampling session, or under a name that persists. */
  saveForSampler(
    to: { readonly sessionSeq: number } | { readonly name: string },
  ): Promise<SaveForSamplerResponse> {
    if ("name" in to) requireName(to.name);
    const where = "name" in to ? { path: to.name } : { sampling_session_seq_id: to.sessionSeq };
    const body = { ...where, type: "save_weights_for_sampler" };
    return this.#json(
      "/save_weights_for_sampler",
      "SaveWeightsForSampler",
      body,
      saveForSamplerResponseSchema,
    );
  }

  info(): Promise<ModelInfo> {
    return this.#parts.core.call(
      "/get_info",
      { model_id: this.id, type: "get_info" },
      getInfoResponseSchema,
    );
  }

  /** Frees the server's memory. The model answers nothing afterwards. */
  async unload(): Promise<void> {
    const body = { model_id: this.id, type: "unload_model" };
    await this.#parts.core.run({
      path: "/unload_model",
      body,
      key: this.#keyOf("unload"),
      requestType: "UnloadModel",
      protobuf: false,
      durable: false,
      decode: (answer) => parseAnswer("/unload_model", answer, unloadModelResponseSchema),
    });
  }

  #keyOf(seq: number | string): string {
    return `${this.id}/${this.epoch}/${seq}`;
  }

  async #passes(pass: Pass, forwardOnly: boolean): Promise<ForwardBackwardOutput> {
    const { bounds, chunks = CHUNK_LIMITS, core, dialect } = this.#parts;
    checkData(pass.data, bounds);
    const results = await settleAll(
      chunksOf(pass.data, chunks).map((data) =>
        this.#inTurn((seq) =>
          dialect.submit(core, (spoken) =>
            this.#passCall({ ...pass, data }, forwardOnly, spoken, seq),
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

  #passCall(
    { data, lossFn, config }: Pass & { readonly data: Datum[] },
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
      key: this.#keyOf(seq),
      // The same call in either dialect.
      digest: digestOf(forwardOnly ? "forward" : "forward_backward", { ...ids, ...input }),
      requestType: forwardOnly ? "Forward" : "ForwardBackward",
      protobuf: true,
      durable: true,
      repeatable: forwardOnly || this.#parts.repeatable(),
      decode: decodePass(path, data),
    };
  }

  #json<S extends z.ZodType>(
    path: string,
    requestType: string,
    body: object,
    schema: S,
    options: { readonly repeatable?: boolean } = {},
  ): Promise<z.output<S>> {
    const { core } = this.#parts;
    return this.#inTurn(async (seq) => {
      const call: FutureCall<z.output<S>> = {
        path,
        body: { model_id: this.id, seq_id: seq, ...body },
        key: this.#keyOf(seq),
        requestType,
        protobuf: false,
        durable: true,
        decode: (answer) => parseAnswer(path, answer, schema),
        ...options,
      };
      return { call, accepted: await core.submit(call) };
    });
  }

  /** Submits in order; a number counts only once its request was accepted. The result is awaited outside the order. */
  async #inTurn<T>(submit: (seq: number) => Promise<Numbered<T>>): Promise<T> {
    const turn = this.#tail.then(async () => {
      const numbered = await submit(this.#nextSeq);
      this.#nextSeq += 1;
      return numbered;
    });
    this.#tail = turn.catch(() => undefined);
    const { call, accepted } = await turn;
    return this.#parts.core.result(call, accepted);
  }
}

/** All results, or the first error once nothing is under way any more. */
async function settleAll<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

function requireName(name: string): void {
  if (/^[A-Za-z0-9_-]{1,255}$/.test(name)) return;
  refuse(`a checkpoint's name has letters, digits, _ and -, at most 255; "${name}" is none`);
}
