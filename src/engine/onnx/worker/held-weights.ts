/**
 * What an engine holds: one set of weights, with LoRA an adapter on it, and, only when asked for, a value head and a
 * frozen reference.
 *
 * Sampling, evaluation, training and reference log-probs read the same weights in place. With LoRA the reference is a
 * copy of the adapter alone, and the base is the adapter left out. In full training it is a second copy of everything.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { BowlineError } from "../../../core/index.ts";
import type { EvaluateOptions } from "../../../spec/index.ts";
import {
  type AdapterBase,
  baseNameOf,
  type CheckpointedHead,
  digestOf,
  digestOfFolder,
  type GgufExport,
  holdsAdapter,
  loadAdapterCheckpoint,
  loadBase,
  loadCheckpoint,
  readValueHead,
  saveAdapterCheckpoint,
  saveCheckpoint,
  type TrainerState,
  type WrittenType,
  writeAdapter,
  writeAdapterGguf,
  writeMerged,
  writeModelGguf,
} from "../checkpoint/index.ts";
import {
  AdapterStore,
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

export interface HeldWeightsOptions {
  readonly model: ModelConfig;
  readonly seed: number;
  readonly lora?: LoraConfig | undefined;
  readonly valueHead?: ValueHeadConfig | undefined;
  /** Weights are zero until they are loaded. */
  readonly blank?: boolean;
}

/** What resume needs beside the weights and the optimizer. */
type Version = Omit<TrainerState, "step">;
type Chosen = Pick<TrainerEvaluateOptions, "parameters" | "adapter">;
/** The optimizers of both groups belong to the trainer. */
type Optimizers = Pick<Trainer, "optimizer" | "critic">;

export class HeldWeights {
  readonly parameters: ParameterStore;
  readonly adapter: AdapterStore | undefined;
  readonly valueHead: ValueHeadStore | undefined;
  readonly #seed: number;
  #reference: AdapterStore | ParameterStore | undefined;
  /** The folder that the base came from; "": made from the seed. */
  #baseName = "";
  #digest: string | undefined;

  constructor({ model, seed, lora, valueHead, blank }: HeldWeightsOptions) {
    this.#seed = seed;
    this.parameters = new ParameterStore(model);
    if (!blank) initializeParameters(this.parameters, seed);
    this.adapter = lora && new AdapterStore(model, lora);
    if (this.adapter) initializeAdapter(this.adapter, seed);
    this.valueHead = valueHead && new ValueHeadStore(model, valueHead);
    if (this.valueHead) initializeValueHead(this.valueHead, seed);
  }

  /** What training changes: the adapter, or all weights. */
  get trained(): TensorStore {
    return this.adapter ?? this.parameters;
  }

  /** Copies what is trained, over the last copy if there is one. */
  snapshot(): void {
    const { model, lora } = this.adapter ?? {};
    this.#reference ??=
      model && lora ? new AdapterStore(model, lora) : new ParameterStore(this.parameters.config);
    this.#reference.data.set(this.trained.data);
  }

  /** What `Trainer.evaluate` needs to evaluate under these weights. Throws an `engine` error where there are none. */
  choose(weights: NonNullable<EvaluateOptions["weights"]>): Chosen {
    if (weights === "live") return {};
    if (weights === "base") {
      if (this.adapter) return { adapter: "off" };
      throw new BowlineError(
        "engine",
        'evaluate under "base" weights: the engine trains all its weights, so the base is gone; ' +
          'take a snapshot() before and ask for "ref", or train with LoRA',
      );
    }
    const reference = this.#reference;
    if (reference instanceof AdapterStore) return { adapter: reference };
    if (reference) return { parameters: reference };
    throw new BowlineError(
      "engine",
      'evaluate under "ref" weights: nothing is frozen yet; call snapshot() first',
    );
  }

  save(directory: string, { optimizer, critic }: Optimizers, version: Version): void {
    const { parameters, adapter } = this;
    if (!adapter) saveCheckpoint(directory, { parameters, optimizer }, version, critic);
    else {
      const base = { name: this.#baseName, sha256: this.#baseDigest() };
      saveAdapterCheckpoint(directory, { adapter, optimizer }, { ...version, base }, critic);
    }
  }

  /**
   * A checkpoint like the engine's own, with the base that it names; or, with LoRA, a model: then this is the base, and
   * the adapter starts afresh. So does a value head where the folder has none; one that the engine has no place for is
   * left where it is, because it is no part of the policy.
   * The reference is dropped, because it was of what is replaced.
   */
  load(directory: string, { optimizer, critic }: Optimizers): Version | undefined {
    const { parameters, adapter } = this;
    const putHead = critic && (readValueHead(directory, critic) ?? (() => this.#freshHead(critic)));
    const isAdapter = holdsAdapter(directory);
    if (isAdapter && !adapter) {
      throw new BowlineError(
        "checkpoint",
        `${directory} holds a LoRA adapter, but the engine has none; set engine.lora as in its adapter_config.json`,
      );
    }
    let version: Version | undefined;
    if (!adapter) version = loadCheckpoint(directory, { parameters, optimizer });
    else if (isAdapter) {
      version = loadAdapterCheckpoint(directory, { adapter, optimizer }, this.#putOn);
    } else this.#loadBase(directory, adapter, optimizer);
    putHead?.();
    this.#reference = undefined;
    return version;
  }

  exportAdapter(directory: string, dtype?: WrittenType): void {
    writeAdapter(directory, this.#requireAdapter(), baseNameOf(this.#baseName).name, dtype);
  }

  exportMerged(directory: string, dtype?: WrittenType): void {
    writeMerged(directory, this.parameters, this.adapter, this.#baseName || undefined, dtype);
  }

  exportGguf(path: string, wanted: GgufExport): void {
    if (wanted.form === "adapter") writeAdapterGguf(path, this.#requireAdapter(), wanted);
    else writeModelGguf(path, this.parameters, this.adapter, wanted);
  }

  #requireAdapter(): AdapterStore {
    if (this.adapter) return this.adapter;
    throw new BowlineError(
      "engine",
      "exportAdapter: the engine trains all its weights, so there is no adapter; exportMerged writes the model",
    );
  }

  #loadBase(directory: string, adapter: AdapterStore, optimizer: OptimizerState): void {
    this.#digest = undefined;
    loadBase(directory, this.parameters);
    this.#baseName = resolve(directory);
    initializeAdapter(adapter, this.#seed);
    forget(optimizer);
  }

  #freshHead({ head, optimizer }: CheckpointedHead): void {
    initializeValueHead(head, this.#seed);
    forget(optimizer);
  }

  /** Where the base is another than a checkpoint's, it is looked for in the folder that the checkpoint names. */
  readonly #putOn = (base: AdapterBase, directory: string): void => {
    const ours = this.#baseDigest();
    if (base.sha256 === ours) return;
    const { parameters } = this;
    const there = base.name !== "" && existsSync(base.name);
    if (!there || digestOfFolder(base.name, parameters.config) !== base.sha256) {
      const name = base.name === "" ? "weights made from a seed" : base.name;
      throw new BowlineError(
        "checkpoint",
        `${directory} is an adapter of another base: of ${name} with sha256 ${base.sha256.slice(0, 12)}, ` +
          `but the engine's base has ${ours.slice(0, 12)}${there ? ", and that folder has changed" : ""}`,
      );
    }
    loadBase(base.name, parameters);
    this.#baseName = base.name;
    this.#digest = base.sha256;
  };

  /** Made once, at the first save or load: with LoRA the base never changes. */
  #baseDigest(): string {
    this.#digest ??= digestOf(this.parameters);
    return this.#digest;
  }
}

/** Both optimizers as if they had never stepped. */
export function forgetMoments({ optimizer, critic }: Optimizers): void {
  forget(optimizer);
  if (critic) forget(critic.optimizer);
}

function forget(optimizer: OptimizerState): void {
  optimizer.firstMoment.fill(0);
  optimizer.secondMoment.fill(0);
  optimizer.step = 0;
}
