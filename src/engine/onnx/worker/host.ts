/**
 * The engine itself, inside its worker: one trainer and one sampler over the same weights, and one queue.
 *
 * Requests start in order of arrival. Sampling only starts: it goes on, pass by pass, while later requests that leave
 * the weights alone are served between passes. A request that changes the weights (`update`, `publish`, `load`) waits
 * until the sampler is idle, and everything behind it waits too. The sampler reads the live weights, so after an
 * update nothing is sampled until `publish` has said that this is the policy now.
 */
import { BowlineError } from "../../../core/index.ts";
import type { Moments, Sample, TokenOutputs, UpdateResult } from "../../../spec/index.ts";
import { Sampler, type SubmittedRequest } from "../decode/index.ts";
import { Trainer } from "../train/index.ts";
import { forgetMoments, HeldWeights } from "./held-weights.ts";
import type { CallType, EngineSetup, FromWorker, Request, ToWorker } from "./protocol.ts";
import { wireError } from "./wire-error.ts";

type RequestOf<T extends CallType> = Extract<Request, { type: T }>;
type Queued = Request | Extract<ToWorker, { type: "release" }>;

/** Requests that must not run while rows are being sampled. */
const WAITS_FOR_SAMPLER: ReadonlySet<string> = new Set(["update", "publish", "load", "close"]);

export class EngineHost {
  readonly #weights: HeldWeights;
  readonly #trainer: Trainer;
  readonly #sampler: Sampler;
  readonly #send: (message: FromWorker) => void;
  readonly #queue: Queued[] = [];
  /** Started `sample` requests. */
  readonly #sampling = new Map<number, readonly SubmittedRequest[]>();
  /** Requests cancelled before they started. */
  readonly #cancelled = new Set<number>();
  #policyVersion = 0;
  #unpublished = false;
  #accumulated = false;
  /** An accumulate failed midway: what is there is part of a gradient. */
  #torn = false;
  #running = false;

  constructor(setup: EngineSetup, send: (message: FromWorker) => void) {
    const { threads, maxLiveRows, maxCacheBytes, weights, ...held } = setup;
    this.#send = send;
    this.#weights = new HeldWeights({ ...held, blank: weights !== undefined });
    const { parameters, adapter, trained, valueHead } = this.#weights;
    this.#trainer = new Trainer(parameters, { threads, adapter, valueHead });
    const rows = { maxLiveRows, maxCacheBytes };
    this.#sampler = new Sampler(parameters, { seed: held.seed, threads, ...rows, adapter });
    send({
      type: "ready",
      parameters: parameters.elementCount,
      trainableParameters: trained.elementCount,
    });
  }

  receive(message: ToWorker): void {
    if (message.type === "cancel") this.#cancel(message.id);
    else this.#queue.push(message);
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#queue.length > 0 || this.#sampler.isBusy) {
      const next = this.#queue[0];
      if (next && !(this.#sampler.isBusy && WAITS_FOR_SAMPLER.has(next.type))) {
        this.#queue.shift();
        await this.#serve(next);
      } else {
        await this.#samplePass();
      }
    }
    this.#running = false;
  }

  async #samplePass(): Promise<void> {
    try {
      await this.#sampler.runPass();
    } catch (error) {
      // The batch cannot go on: its requests fail, the weights are whole.
      for (const id of this.#sampling.keys()) this.#fail(id, error);
      this.#sampling.clear();
      this.#sampler.abandonAll();
    }
  }

  async #serve(request: Queued): Promise<void> {
    if (request.type === "release") {
      this.#sampler.releasePrefix(request.cacheKey);
      return;
    }
    try {
      if (request.type === "sample") this.#startSampling(request);
      else this.#send({ type: "answer", id: request.id, value: await this.#answer(request) });
    } catch (error) {
      this.#fail(request.id, error);
    }
  }

  #answer(request: Exclude<Request, { type: "sample" }>): unknown {
    switch (request.type) {
      case "evaluate": {
        const { rows, temperature, entropies, values, weights } = request;
        const chosen = this.#weights.choose(weights);
        return this.#trainer.evaluate(rows, { temperature, entropies, values, ...chosen });
      }
      case "accumulate":
        return this.#accumulate(request);
      case "update":
        return this.#update(request);
      case "discard":
        this.#discard();
        return undefined;
      case "publish":
        this.#sampler.forgetPrefixes();
        this.#unpublished = false;
        return ++this.#policyVersion;
      case "snapshot":
        return this.#weights.snapshot();
      case "exportAdapter":
        return this.#weights.exportAdapter(request.directory, request.dtype);
      case "exportMerged":
        return this.#weights.exportMerged(request.directory, request.dtype);
      case "exportGguf":
        return this.#weights.exportGguf(request.path, request.wanted);
      case "save":
        return this.#save(request.directory);
      case "load":
        return this.#load(request.directory, request.moments);
      case "close":
        return this.#close();
      default:
        return request satisfies never;
    }
  }

  async #accumulate(request: RequestOf<"accumulate">): Promise<readonly TokenOutputs[]> {
    const { rows, cotangents, temperature } = request;
    this.#accumulated = true;
    try {
      return await this.#trainer.accumulate(rows, cotangents, { temperature });
    } catch (error) {
      this.#torn = true;
      throw error;
    }
  }

  #discard(): void {
    this.#trainer.discard();
    this.#accumulated = false;
    this.#torn = false;
  }

  #update({ steps }: RequestOf<"update">): UpdateResult {
    if (this.#torn) {
      throw new BowlineError(
        "engine",
        "update after an accumulate that failed: the gradient is incomplete; call discard() first",
      );
    }
    const result = this.#trainer.update(steps);
    // The sampler reads nothing of the value head.
    if (steps.policy) this.#unpublished = true;
    this.#accumulated = false;
    return result;
  }

  #startSampling({ id, requests, aborted }: RequestOf<"sample">): void {
    if (this.#unpublished) {
      throw new BowlineError(
        "engine",
        "sample after update: the sampler reads the live weights; call publish() first",
      );
    }
    const submitted = requests.map((request) => this.#sampler.submit(request));
    this.#sampling.set(id, submitted);
    if (this.#cancelled.delete(id) || aborted) this.#cancel(id);
    const policyVersion = this.#policyVersion;
    void Promise.all(submitted.map(({ sample }) => sample)).then((samples) => {
      if (!this.#sampling.delete(id)) return;
      const value = samples.map((sample): Sample => ({ ...sample, policyVersion }));
      this.#send({ type: "answer", id, value });
    });
  }

  #cancel(id: number): void {
    const started = this.#sampling.get(id);
    for (const { cancel } of started ?? []) cancel();
    const queued = this.#queue.some((request) => request.type === "sample" && request.id === id);
    if (queued) this.#cancelled.add(id);
  }

  #save(directory: string): undefined {
    if (this.#accumulated) {
      throw new BowlineError(
        "engine",
        "save with an accumulated gradient, which is not saved: call update or discard first",
      );
    }
    this.#weights.save(directory, this.#trainer, {
      policyVersion: this.#policyVersion,
      unpublished: this.#unpublished,
    });
  }

  #load(directory: string, moments: Moments): undefined {
    const state = this.#weights.load(directory, this.#trainer);
    if (moments === "fresh") forgetMoments(this.#trainer);
    this.#discard();
    this.#sampler.forgetPrefixes();
    this.#unpublished = state?.unpublished ?? false;
    this.#policyVersion = state?.policyVersion ?? 0;
  }

  async #close(): Promise<undefined> {
    await this.#sampler.close();
    await this.#trainer.close();
  }

  #fail(id: number, error: unknown): void {
    this.#send({ type: "failure", id, error: wireError(error) });
  }
}
