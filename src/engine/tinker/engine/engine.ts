/**
 * Implements the engine contract (src/spec/engine.ts) on any server of the Tinker protocol (docs/reference/tinker.md).
 *
 * It adds three things to what a server does. First, `accumulate` keeps rows and cotangents locally and `update` sends
 * them as a surrogate loss (row-datums.ts), so `discard` works on every server and a gradient that is not finite never
 * steps. Second, the weights survive a restart of the server (remote-model.ts). Third, with a directory, running calls
 * survive a restart of this process (the client's journal).
 */
import {
  type Cotangents,
  type Engine,
  type EngineInfo,
  type EvaluateOptions,
  type GroupSteps,
  type LoadOptions,
  NO_CLIP,
  type OptimizerStep,
  type Row,
  type Sample,
  type SampleRequest,
  type TokenOutputs,
} from "../../../spec/index.ts";
import {
  checkCotangents,
  checkOptimizerSteps,
  checkRow,
  checkTemperature,
  requireValueHead,
  throwEngineError,
} from "../../contract/index.ts";
import type { TinkerClient } from "../client/index.ts";
import type { AdamParams } from "../wire/index.ts";
import { readCheckpoint, type TinkerCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { forwardLogprobs } from "./forward.ts";
import { FrozenWeights } from "./frozen-weights.ts";
import { MAX_PASS_GAP } from "./gradient.ts";
import type { RemoteModel } from "./remote-model.ts";
import type { TrainingRow } from "./row-datums.ts";
import { Sampling } from "./sampling.ts";
import type { SavedWeightsCleaner } from "./saved-weights-cleaner.ts";
import type { ServerTraits } from "./server-traits.ts";

/** The longest wait for the server when the engine closes. */
const MAX_CLOSE_MS = 5000;

export interface EngineParts {
  readonly info: EngineInfo;
  readonly client: TinkerClient;
  readonly remote: RemoteModel;
  readonly traits: ServerTraits;
  readonly seed: number;
  readonly baseModel: string;
  readonly rank: number;
  readonly cleaner: SavedWeightsCleaner;
  /** Whether calls are recorded in a journal, so that another process can continue with the model. */
  readonly isResumable: boolean;
  /** Called after a checkpoint was written: the journal may drop the calls before the previous checkpoint. */
  readonly onSaved: () => void;
  /** Returns the session of a checkpoint if all later calls are recorded, otherwise undefined. */
  readonly findSession: (
    checkpoint: TinkerCheckpoint,
  ) => Promise<undefined | Awaited<ReturnType<TinkerClient["attachSession"]>>>;
}

export class TinkerEngine implements Engine {
  readonly info: EngineInfo;
  readonly #parts: EngineParts;
  #pending: TrainingRow[] = [];
  /** The log-probs that were computed since the weights last changed, by row. */
  #knownLogprobs = new WeakMap<Row, Float32Array>();
  readonly #sampling: Sampling;
  readonly #frozen: FrozenWeights;
  #closed = false;

  constructor(parts: EngineParts) {
    this.info = parts.info;
    this.#parts = parts;
    this.#sampling = new Sampling(parts);
    this.#frozen = new FrozenWeights(parts.remote, parts.traits);
  }

  async sample(
    requests: readonly SampleRequest[],
    signal?: AbortSignal,
  ): Promise<readonly Sample[]> {
    this.#requireOpen("sample");
    return this.#sampling.sample(requests, signal);
  }

  /** Does nothing, because servers manage their prefix caches themselves. */
  release(_cacheKey: string): void {}

  async evaluate(
    rows: readonly Row[],
    options: EvaluateOptions = {},
  ): Promise<readonly TokenOutputs[]> {
    this.#requireOpen("evaluate");
    const { temperature = 1, entropies, values, weights = "live" } = options;
    this.#requireSupportedOutputs("evaluate", temperature, { entropies, values });
    rows.forEach((row, index) => void checkRow(row, index, this.info));
    if (weights !== "live") return this.#frozen.evaluate(rows, weights);
    const logprobs = await this.#evaluateLive(rows);
    return logprobs.map((each) => ({ logprobs: each.slice() }));
  }

  async accumulate(
    rows: readonly Row[],
    cotangents: readonly Cotangents[],
    { temperature = 1 }: Pick<EvaluateOptions, "temperature"> = {},
  ): Promise<readonly TokenOutputs[]> {
    this.#requireOpen("accumulate");
    const entropies = cotangents.some((each) => each.entropies);
    const values = cotangents.some((each) => each.values);
    const checkedRows = rows.map((row, index) => checkRow(row, index, this.info));
    const checkedCotangents = checkCotangents(rows, cotangents);
    this.#requireSupportedOutputs("accumulate", temperature, { entropies, values });
    const logprobs = await this.#evaluateLive(rows);
    checkedRows.forEach((row, i) => {
      if (row.at.length === 0) return;
      this.#pending.push({
        row,
        logprobs: logprobs[i]!,
        cotangents: checkedCotangents[i]!.logprobs,
      });
    });
    return logprobs.map((each) => ({ logprobs: each.slice() }));
  }

  async update(steps: OptimizerStep | GroupSteps): Promise<{ gradientNorm: number }> {
    this.#requireOpen("update");
    const { remote, traits } = this.#parts;
    const { policy } = checkOptimizerSteps(steps, this.info.capabilities);
    const adam = toAdamParams(policy!, traits);
    if (!traits.frozenSamplers) await this.#sampling.waitUntilIdle();
    const rows = this.#pending;
    this.#pending = [];
    const norm = await remote.takeStep({ rows, adam });
    this.#knownLogprobs = new WeakMap();
    return { gradientNorm: norm ?? Number.NaN };
  }

  async discard(): Promise<void> {
    this.#requireOpen("discard");
    this.#pending = [];
  }

  async publish(): Promise<number> {
    this.#requireOpen("publish");
    if (!this.#parts.traits.frozenSamplers) await this.#sampling.waitUntilIdle();
    return this.#parts.remote.publish();
  }

  async snapshot(): Promise<void> {
    this.#requireOpen("snapshot");
    if (!this.info.capabilities.snapshot) {
      throwEngineError(
        "snapshot: this server cannot evaluate frozen weights (it returns no prompt log-probs, or its samplers do not keep their weights)",
      );
    }
    this.#parts.cleaner.recordReference(await this.#frozen.snapshot());
  }

  async save(directory: string): Promise<void> {
    this.#requireOpen("save");
    if (this.#pending.length > 0) {
      throwEngineError("save: there is an accumulated gradient; call update() or discard() first");
    }
    const { remote, cleaner, onSaved } = this.#parts;
    const checkpoint = await remote.save();
    writeCheckpoint(directory, checkpoint);
    onSaved();
    cleaner.recordSave(directory, checkpoint.path);
  }

  async load(directory: string, { moments = "kept" }: LoadOptions = {}): Promise<void> {
    this.#requireOpen("load");
    const { remote, baseModel, rank, findSession, cleaner } = this.#parts;
    const checkpoint = readCheckpoint(directory, { baseModel, rank });
    this.#pending = [];
    this.#knownLogprobs = new WeakMap();
    this.#frozen.forgetReference();
    cleaner.recordLoad(checkpoint.path);
    await remote.load(checkpoint, { moments, find: () => findSession(checkpoint) });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { remote, client, isResumable, cleaner } = this.#parts;
    if (!isResumable) cleaner.dropReference();
    await cleaner.waitForDeletions();
    if (isResumable) client.close();
    const closeTimer = setTimeout(() => client.close(), MAX_CLOSE_MS);
    await remote.close(!isResumable).catch(() => undefined);
    clearTimeout(closeTimer);
    client.close();
  }

  /** Returns log-probs under the present weights; each row is computed once between two steps. */
  async #evaluateLive(rows: readonly Row[]): Promise<Float32Array[]> {
    const { remote, traits } = this.#parts;
    const known = this.#knownLogprobs;
    const unknown = rows.filter((row) => known.get(row)?.length !== row.at.length);
    if (unknown.length > 0) {
      const found = await remote.runInOrder((model) =>
        forwardLogprobs(model, unknown, traits.forward),
      );
      unknown.forEach((row, i) => {
        known.set(row, found[i]!);
      });
    }
    return rows.map((row) => known.get(row)!);
  }

  #requireSupportedOutputs(
    method: string,
    temperature: number,
    { entropies, values }: { entropies?: boolean | undefined; values?: boolean | undefined },
  ): void {
    checkTemperature(temperature);
    if (values) requireValueHead(this.info.capabilities, `${method}: values were requested`);
    if (entropies) {
      throwEngineError(
        `${method}: entropies were requested, but the protocol returns log-probs only (capabilities.entropy is false)`,
      );
    }
    if (temperature === 1) return;
    throwEngineError(
      `${method}: temperature is ${temperature}, but servers evaluate at temperature 1 only (capabilities.tempered is false); set algo.temperature to 1`,
    );
  }

  #requireOpen(method: string): void {
    if (this.#closed) throwEngineError(`${method}: the engine is closed`);
  }
}

function toAdamParams(step: OptimizerStep, { gradientClip }: ServerTraits): AdamParams {
  const { maxGradientNorm, learningRate, epsilon, weightDecay, beta1, beta2 } = step;
  const isClipping = maxGradientNorm < NO_CLIP;
  if (isClipping && !gradientClip) {
    throwEngineError(
      `update: maxGradientNorm is ${maxGradientNorm}, but this server does not clip gradients (capabilities.gradientClip is false); set optimizer.maxGradientNorm to ${NO_CLIP} and lower the learning rate`,
    );
  }
  return {
    learning_rate: learningRate,
    beta1,
    beta2,
    eps: epsilon,
    weight_decay: weightDecay,
    grad_clip_norm: isClipping ? maxGradientNorm : 0,
  };
}

/** How closely log-probs from half-precision kernels of different programs agree. */
export const TOLERANCE = { samplerGap: MAX_PASS_GAP, firstRatio: 1e-2 };
