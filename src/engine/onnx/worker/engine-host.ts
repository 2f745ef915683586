/**
 * The engine itself, inside its worker: one trainer and one sampler over the same weights, and one queue.
 *
 * Requests start in order of arrival. A `sample` request only starts: sampling continues pass by pass while later
 * requests that do not change the weights are served between passes. A request that changes the weights (`update`,
 * `publish`, `load`) waits until the sampler is idle, and everything after it waits too. The sampler reads the live
 * weights, so after an update nothing is sampled until `publish` declares them to be the policy.
 */
import { BowlineError } from "../../../core/index.ts";
import type { OptimizerMoments, Sample, TokenOutputs, UpdateResult } from "../../../spec/index.ts";
import { Sampler, type SubmittedRequest } from "../decode/index.ts";
import { readDeviceTraffic } from "../graph/index.ts";
import { Trainer } from "../train/index.ts";
import { EngineWeights, resetOptimizers } from "./engine-weights.ts";
import type {
  EngineCallType,
  EngineSetup,
  MessageFromWorker,
  MessageToWorker,
  WorkerRequest,
} from "./protocol.ts";
import { toWireError } from "./wire-error.ts";

type RequestOfType<T extends EngineCallType> = Extract<WorkerRequest, { type: T }>;
type QueuedMessage = WorkerRequest | Extract<MessageToWorker, { type: "release" }>;

/** Types of requests that must not run while rows are sampled. */
const TYPES_THAT_WAIT_FOR_SAMPLER: ReadonlySet<string> = new Set([
  "update",
  "publish",
  "load",
  "close",
]);

/** Types of requests that read weights and moments in this thread's memory. */
const TYPES_THAT_READ_WEIGHTS: ReadonlySet<string> = new Set([
  "snapshot",
  "exportAdapter",
  "exportMerged",
  "exportGguf",
  "save",
]);

/** Receives requests, runs them in order, and sends their answers. */
export class EngineHost {
  readonly #weights: EngineWeights;
  readonly #trainer: Trainer;
  readonly #sampler: Sampler;
  readonly #send: (message: MessageFromWorker) => void;
  readonly #queue: QueuedMessage[] = [];
  /** The `sample` requests that have started, by id. */
  readonly #sampling = new Map<number, readonly SubmittedRequest[]>();
  /** The ids of requests that were cancelled before they started. */
  readonly #cancelled = new Set<number>();
  #policyVersion = 0;
  #hasUnpublishedUpdate = false;
  #hasGradient = false;
  /** Whether an accumulate failed midway, so that the gradient is incomplete. */
  #isGradientIncomplete = false;
  #isRunning = false;

  constructor(setup: EngineSetup, send: (message: MessageFromWorker) => void) {
    const { threads, maxLiveRows, maxCacheBytes, weights, ...held } = setup;
    this.#send = send;
    this.#weights = new EngineWeights({ ...held, isBlank: weights !== undefined });
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

  receive(message: MessageToWorker): void {
    if (message.type === "cancel") this.#cancel(message.id);
    else this.#queue.push(message);
    if (!this.#isRunning) void this.#processQueue();
  }

  async #processQueue(): Promise<void> {
    this.#isRunning = true;
    while (this.#queue.length > 0 || this.#sampler.isBusy) {
      const next = this.#queue[0];
      if (next && !(this.#sampler.isBusy && TYPES_THAT_WAIT_FOR_SAMPLER.has(next.type))) {
        this.#queue.shift();
        await this.#serveRequest(next);
      } else {
        await this.#runSamplePass();
      }
    }
    this.#isRunning = false;
  }

  async #runSamplePass(): Promise<void> {
    try {
      await this.#sampler.runPass();
    } catch (error) {
      // The batch cannot continue. Its requests fail, and the weights are unchanged.
      for (const id of this.#sampling.keys()) this.#sendFailure(id, error);
      this.#sampling.clear();
      this.#sampler.abandonAll();
    }
  }

  async #serveRequest(request: QueuedMessage): Promise<void> {
    if (request.type === "release") {
      this.#sampler.releasePrefix(request.cacheKey);
      return;
    }
    try {
      if (request.type === "sample") this.#startSampling(request);
      else
        this.#send({ type: "answer", id: request.id, value: await this.#answerRequest(request) });
    } catch (error) {
      this.#sendFailure(request.id, error);
    }
  }

  async #answerRequest(request: Exclude<WorkerRequest, { type: "sample" }>): Promise<unknown> {
    if (TYPES_THAT_READ_WEIGHTS.has(request.type)) await this.#trainer.readBack();
    switch (request.type) {
      case "evaluate": {
        const { rows, temperature, entropies, values, weights } = request;
        const chosen = this.#weights.chooseWeights(weights);
        return this.#trainer.evaluate(rows, { temperature, entropies, values, ...chosen });
      }
      case "accumulate":
        return this.#accumulate(request);
      case "update":
        return this.#update(request);
      case "discard":
        return this.#discard();
      case "publish":
        this.#sampler.forgetPrefixes();
        this.#hasUnpublishedUpdate = false;
        return ++this.#policyVersion;
      case "snapshot":
        return this.#weights.snapshot();
      case "exportAdapter":
        return this.#weights.exportAdapter(request.directory, request.dtype);
      case "exportMerged":
        return this.#weights.exportMerged(request.directory, request.dtype);
      case "exportGguf":
        return this.#weights.exportGguf(request.path, request.options);
      case "save":
        return this.#save(request.directory);
      case "load":
        return this.#load(request.directory, request.moments, request.asModel);
      case "describeBase":
        return this.#weights.describeBase();
      case "readTraffic":
        return readDeviceTraffic();
      case "close":
        return this.#close();
      default:
        return request satisfies never;
    }
  }

  async #accumulate(request: RequestOfType<"accumulate">): Promise<readonly TokenOutputs[]> {
    const { rows, cotangents, temperature } = request;
    this.#hasGradient = true;
    try {
      return await this.#trainer.accumulate(rows, cotangents, { temperature });
    } catch (error) {
      this.#isGradientIncomplete = true;
      throw error;
    }
  }

  async #discard(): Promise<undefined> {
    await this.#trainer.discard();
    this.#hasGradient = false;
    this.#isGradientIncomplete = false;
  }

  async #update({ steps }: RequestOfType<"update">): Promise<UpdateResult> {
    if (this.#isGradientIncomplete) {
      throw new BowlineError(
        "engine",
        "update after an accumulate that failed: the gradient is incomplete; call discard() first",
      );
    }
    const result = await this.#trainer.update(steps);
    // The sampler does not read the value head.
    if (steps.policy) this.#hasUnpublishedUpdate = true;
    this.#hasGradient = false;
    return result;
  }

  #startSampling({ id, requests, aborted }: RequestOfType<"sample">): void {
    if (this.#hasUnpublishedUpdate) {
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
    if (this.#hasGradient) {
      throw new BowlineError(
        "engine",
        "save with an accumulated gradient, which is not saved: call update or discard first",
      );
    }
    this.#weights.save(directory, this.#trainer, {
      policyVersion: this.#policyVersion,
      unpublished: this.#hasUnpublishedUpdate,
    });
  }

  async #load(directory: string, moments: OptimizerMoments, asModel = false): Promise<undefined> {
    const state = this.#weights.load(directory, this.#trainer, asModel);
    if (moments === "fresh") resetOptimizers(this.#trainer);
    this.#trainer.markMomentsChanged();
    await this.#discard();
    this.#sampler.forgetPrefixes();
    this.#hasUnpublishedUpdate = state?.unpublished ?? false;
    this.#policyVersion = state?.policyVersion ?? 0;
  }

  async #close(): Promise<undefined> {
    await this.#sampler.close();
    await this.#trainer.close();
  }

  #sendFailure(id: number, error: unknown): void {
    this.#send({ type: "failure", id, error: toWireError(error) });
  }
}
