/**
 * The engine contract on any server that speaks the Tinker protocol (src/spec/engine.ts; docs/reference/tinker.md).
 *
 * Three things are not as a server has them. Gradients: `accumulate` keeps rows and cotangents here, and `update` sends
 * them in the surrogate that any loss becomes (rows.ts); so `discard` is exact on servers that cannot discard, and a
 * gradient that is not finite never steps. Weights: they outlive the server (remote-model.ts). Calls: with a directory
 * they outlive this program (the client's journal).
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

/** A server that is away is not waited for at the end. */
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
  /** Calls are on record: another program may go on with the model. */
  readonly isResumable: boolean;
  /** After a checkpoint was written: the journal may forget what came before the one before. */
  readonly onSaved: () => void;
  /** The session of a checkpoint whose later calls are all on record; undefined: there is none. */
  readonly findSession: (
    checkpoint: TinkerCheckpoint,
  ) => Promise<undefined | Awaited<ReturnType<TinkerClient["attachSession"]>>>;
}

export class TinkerEngine implements Engine {
  readonly info: EngineInfo;
  readonly #parts: EngineParts;
  #pending: TrainingRow[] = [];
  /** Log-probs that `evaluate` gave since the weights last changed, by the row it was given. */
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

  /** Servers keep prefixes by themselves. */
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
        "snapshot: this server cannot evaluate frozen weights (it gives no log-probs of prompts, or its samplers do not keep their weights)",
      );
    }
    this.#parts.cleaner.recordReference(await this.#frozen.snapshot());
  }

  async save(directory: string): Promise<void> {
    this.#requireOpen("save");
    if (this.#pending.length > 0) {
      throwEngineError("save: a gradient is accumulated; update() or discard() first");
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

  /** Log-probs of the present weights; those of rows that were evaluated since the last step are remembered. */
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
    if (values) requireValueHead(this.info.capabilities, `${method}: values are asked for`);
    if (entropies) {
      throwEngineError(
        `${method}: entropies are asked for, but the protocol gives log-probs only (capabilities.entropy is false)`,
      );
    }
    if (temperature === 1) return;
    throwEngineError(
      `${method}: temperature ${temperature}: servers evaluate at temperature 1 only (capabilities.tempered is false); set algo.temperature to 1`,
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
      `update: maxGradientNorm ${maxGradientNorm}: this server does not clip gradients (capabilities.gradientClip is false); set optimizer.maxGradientNorm to ${NO_CLIP} and lower the learning rate`,
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

/** Half-precision kernels of two programs agree to this, not to rounding. */
export const TOLERANCE = { samplerGap: MAX_PASS_GAP, firstRatio: 1e-2 };
