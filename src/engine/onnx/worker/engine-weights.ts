/**
 * The weights that an engine holds: one set of weights, with LoRA an adapter on it, and, only on request, a value
 * head and a frozen reference.
 *
 * Sampling, evaluation, training and reference log-probs read the same weights in place. With LoRA the reference is a
 * copy of the adapter alone, and the base is the model without the adapter. In full training the reference is a
 * second copy of everything.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { BowlineError } from "../../../core/index.ts";
import type { EvaluateOptions, FrozenBase } from "../../../spec/index.ts";
import {
  type AdapterBase,
  findBaseName,
  type GgufExport,
  hashWeightFiles,
  hashWeights,
  isAdapterDirectory,
  loadAdapterCheckpoint,
  loadBaseWeights,
  loadCheckpoint,
  prepareValueHeadLoad,
  saveAdapterCheckpoint,
  saveCheckpoint,
  type TrainerState,
  type ValueHeadContents,
  type WrittenType,
  writeAdapterDirectory,
  writeAdapterGguf,
  writeMergedModel,
  writeModelGguf,
} from "../checkpoint/index.ts";
import {
  AdapterStore,
  type BaseType,
  initializeAdapter,
  initializeParameters,
  initializeValueHead,
  type LoraConfig,
  type ModelConfig,
  ParameterStore,
  type TensorStore,
  type ValueHeadConfig,
  ValueHeadStore,
} from "../model/index.ts";
import type { OptimizerState, Trainer, TrainerEvaluateOptions } from "../train/index.ts";

export interface EngineWeightsOptions {
  readonly model: ModelConfig;
  readonly seed: number;
  readonly lora?: LoraConfig | undefined;
  /** How the frozen weights are stored. Default: f32. */
  readonly base?: BaseType | undefined;
  readonly valueHead?: ValueHeadConfig | undefined;
  /** Leaves the weights zero until they are loaded. */
  readonly isBlank?: boolean;
}

/** What a resume needs in addition to the weights and the optimizer. */
type VersionState = Omit<TrainerState, "step">;
type ChosenWeights = Pick<TrainerEvaluateOptions, "parameters" | "adapter">;
/** The optimizers of both parameter groups, which belong to the trainer. */
type Optimizers = Pick<Trainer, "optimizer" | "critic">;

/** Creates, loads, saves and exports the weights of an engine. */
export class EngineWeights {
  readonly parameters: ParameterStore;
  readonly adapter: AdapterStore | undefined;
  readonly valueHead: ValueHeadStore | undefined;
  readonly #seed: number;
  #reference: AdapterStore | ParameterStore | undefined;
  /** The folder that the base came from, or "" when it was made from the seed. */
  #baseName = "";
  #baseDigest: string | undefined;

  constructor({ model, seed, lora, base, valueHead, isBlank: blank }: EngineWeightsOptions) {
    this.#seed = seed;
    this.parameters = new ParameterStore(model, base);
    if (!blank) initializeParameters(this.parameters, seed);
    this.adapter = lora && new AdapterStore(model, lora);
    if (this.adapter) initializeAdapter(this.adapter, seed);
    this.valueHead = valueHead && new ValueHeadStore(model, valueHead);
    if (this.valueHead) initializeValueHead(this.valueHead, seed);
  }

  /** Returns how a quantised base is stored, or undefined for float32. */
  describeBase(): FrozenBase | undefined {
    const { quantized } = this.parameters;
    if (!quantized) return undefined;
    const { type, relativeError, sizeBytes } = quantized;
    return { type, relativeError, sizeBytes };
  }

  /** The store that training changes: the adapter, or all weights. */
  get trained(): TensorStore {
    return this.adapter ?? this.parameters;
  }

  /** Freezes a copy of the trained store as the reference, and replaces an earlier reference. */
  snapshot(): void {
    const { model, lora } = this.adapter ?? {};
    this.#reference ??=
      model && lora ? new AdapterStore(model, lora) : new ParameterStore(this.parameters.config);
    this.#reference.data.set(this.trained.data);
    this.#reference.markChanged();
  }

  /** Returns the options of `Trainer.evaluate` for these weights. Throws an `engine` error when they do not exist. */
  chooseWeights(weights: NonNullable<EvaluateOptions["weights"]>): ChosenWeights {
    if (weights === "live") return {};
    if (weights === "base") {
      if (this.adapter) return { adapter: "off" };
      throw new BowlineError(
        "engine",
        'evaluate under "base" weights: the engine trains all its weights, so the base is gone; ' +
          'call snapshot() before training and use "ref" weights, or train with LoRA',
      );
    }
    const reference = this.#reference;
    if (reference instanceof AdapterStore) return { adapter: reference };
    if (reference) return { parameters: reference };
    throw new BowlineError(
      "engine",
      'evaluate under "ref" weights: no weights are frozen yet; call snapshot() first',
    );
  }

  save(directory: string, { optimizer, critic }: Optimizers, version: VersionState): void {
    const { parameters, adapter } = this;
    if (!adapter && parameters.quantized) throw noAdapterError("save");
    if (!adapter) saveCheckpoint(directory, { parameters, optimizer }, version, critic);
    else {
      const base = { name: this.#baseName, sha256: this.#getBaseDigest() };
      saveAdapterCheckpoint(directory, { adapter, optimizer }, { ...version, base }, critic);
    }
  }

  /**
   * Loads a checkpoint of the engine's own kind, with the base that it names. With LoRA it may also be a model: that
   * becomes the base, and the adapter starts afresh. A folder with both is an adapter, unless it is read `asModel`. A
   * value head also starts afresh when the folder has none. A
   * folder's value head is ignored when the engine has none, because it is not part of the policy. The reference is
   * dropped, because it belonged to the replaced weights.
   */
  load(
    directory: string,
    { optimizer, critic }: Optimizers,
    asModel = false,
  ): VersionState | undefined {
    const { parameters, adapter } = this;
    const putHead =
      critic && (prepareValueHeadLoad(directory, critic) ?? (() => this.#resetValueHead(critic)));
    const isAdapter = !asModel && isAdapterDirectory(directory);
    if (isAdapter && !adapter) {
      throw new BowlineError(
        "checkpoint",
        `${directory} holds a LoRA adapter, but the engine has none; set engine.lora as in its adapter_config.json`,
      );
    }
    let version: VersionState | undefined;
    if (!adapter && parameters.quantized) loadBaseWeights(directory, parameters);
    else if (!adapter) version = loadCheckpoint(directory, { parameters, optimizer });
    else if (isAdapter) {
      version = loadAdapterCheckpoint(directory, { adapter, optimizer }, this.#applyBase);
    } else this.#loadBase(directory, adapter, optimizer);
    putHead?.();
    for (const store of [parameters, adapter, this.valueHead]) store?.markChanged();
    this.#reference = undefined;
    return version;
  }

  exportAdapter(directory: string, dtype?: WrittenType): void {
    writeAdapterDirectory(
      directory,
      this.#requireAdapter(),
      findBaseName(this.#baseName).name,
      dtype,
    );
  }

  exportMerged(directory: string, dtype?: WrittenType): void {
    writeMergedModel(directory, this.parameters, this.adapter, this.#baseName || undefined, dtype);
  }

  exportGguf(path: string, options: GgufExport): void {
    if (options.form === "adapter") writeAdapterGguf(path, this.#requireAdapter(), options);
    else writeModelGguf(path, this.parameters, this.adapter, options);
  }

  #requireAdapter(): AdapterStore {
    if (this.adapter) return this.adapter;
    throw new BowlineError(
      "engine",
      "exportAdapter: the engine trains all its weights, so there is no adapter; exportMerged writes the model",
    );
  }

  #loadBase(directory: string, adapter: AdapterStore, optimizer: OptimizerState): void {
    this.#baseDigest = undefined;
    loadBaseWeights(directory, this.parameters);
    this.#baseName = resolve(directory);
    initializeAdapter(adapter, this.#seed);
    resetOptimizer(optimizer);
  }

  #resetValueHead({ head, optimizer }: ValueHeadContents): void {
    initializeValueHead(head, this.#seed);
    resetOptimizer(optimizer);
  }

  /** Makes sure that the engine has a checkpoint's base, or loads it from the folder that the checkpoint names. */
  readonly #applyBase = (base: AdapterBase, directory: string): void => {
    const ours = this.#getBaseDigest();
    if (base.sha256 === ours) return;
    const { parameters } = this;
    const folderExists = base.name !== "" && existsSync(base.name);
    // The digest of a quantised base is that of its own numbers, which are known only when it has been loaded.
    const isQuantized = parameters.quantized !== undefined;
    if (
      !folderExists ||
      isQuantized ||
      hashWeightFiles(base.name, parameters.config) !== base.sha256
    ) {
      const name = base.name === "" ? "weights made from a seed" : base.name;
      throw new BowlineError(
        "checkpoint",
        `${directory} is an adapter of another base: its base is ${name} with sha256 ${base.sha256.slice(0, 12)}, ` +
          `but the engine's base has sha256 ${ours.slice(0, 12)}${folderExists ? (isQuantized ? "; set engine.base as in the run that saved it" : ", and the folder of that base has changed") : ""}`,
      );
    }
    loadBaseWeights(base.name, parameters);
    this.#baseName = base.name;
    this.#baseDigest = base.sha256;
  };

  /** Returns the base's digest, computed at the first save or load, because with LoRA the base never changes. */
  #getBaseDigest(): string {
    this.#baseDigest ??= hashWeights(this.parameters);
    return this.#baseDigest;
  }
}

function noAdapterError(call: string): BowlineError {
  return new BowlineError(
    "engine",
    `${call}: the base is frozen in fewer bits, and there is no adapter; set engine.lora, or engine.base to f32`,
  );
}

/** Resets both optimizers as if they had never stepped. */
export function resetOptimizers({ optimizer, critic }: Optimizers): void {
  resetOptimizer(optimizer);
  if (critic) resetOptimizer(critic.optimizer);
}

function resetOptimizer(optimizer: OptimizerState): void {
  optimizer.firstMoment.fill(0);
  optimizer.secondMoment.fill(0);
  optimizer.step = 0;
}
