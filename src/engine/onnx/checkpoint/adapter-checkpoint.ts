/**
 * Saves and loads LoRA checkpoints. A LoRA checkpoint is a PEFT folder (`adapter_config.json`,
 * `adapter_model.safetensors`) that other programs put on its base, with what an exact resume needs in addition: the
 * moments (`optimizer.safetensors`) and `trainer-state.json`.
 *
 * The base is not in the folder. The state holds the base's digest, so that an adapter is never put on other weights.
 * A folder without moments and state, such as one that PEFT wrote, holds only an adapter, and training starts with
 * fresh moments. All headers are checked before anything is read, so a rejected checkpoint leaves the engine
 * unchanged.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BowlineError, errorMessage, writeJson } from "../../../core/index.ts";
import {
  type AdapterStore,
  type ModelConfig,
  type ParameterStore,
  parameterLayout,
  type TensorStore,
} from "../model/index.ts";
import type { OptimizerState } from "../train/index.ts";
import { loadModelConfig, requireSameConfig } from "./checkpoint.ts";
import { readJsonFile } from "./json-file.ts";
import { ADAPTER_FILE, buildPeftConfig, PEFT_CONFIG, requireSameLora } from "./peft-config.ts";
import { recoverDirectory, replaceDirectory } from "./replace-directory.ts";
import { type TensorToWrite, type WrittenType, writeSafetensors } from "./safetensors.ts";
import { type ValueHeadContents, writeValueHeadFiles } from "./value-head-checkpoint.ts";
import type { WeightFile } from "./weight-file.ts";
import {
  checkWeightFiles,
  findStoredNames,
  loadWeights,
  planTensorReads,
  withSafetensorsFiles,
  withWeightFiles,
} from "./weight-files.ts";

const OPTIMIZER_FILE = "optimizer.safetensors";
const STATE_FILE = "trainer-state.json";
/** The names that PyTorch's AdamW gives its moments. */
const MOMENT_NAMES = ["exp_avg", "exp_avg_sq"] as const;

/** The weights that an adapter belongs to. */
export interface AdapterBase {
  /** The folder that the weights came from, or "" when they were made from a seed. */
  readonly name: string;
  /** The sha256 of their bytes (see `hashWeights`). */
  readonly sha256: string;
}

const stateSchema = z.strictObject({
  version: z.literal(1),
  /** The number of optimizer updates so far. */
  step: z.number().int().nonnegative(),
  policyVersion: z.number().int().nonnegative(),
  /** Whether updates were made since the policy was published. */
  unpublished: z.boolean(),
  base: z.strictObject({ name: z.string(), sha256: z.string() }),
});
export type AdapterState = Omit<z.infer<typeof stateSchema>, "version">;

/** The adapter and the optimizer that a LoRA checkpoint holds. */
export interface AdapterContents {
  readonly adapter: AdapterStore;
  readonly optimizer: OptimizerState;
}

/** Returns whether `directory` holds an adapter rather than a model. */
export function isAdapterDirectory(directory: string): boolean {
  recoverDirectory(directory);
  return existsSync(join(directory, PEFT_CONFIG));
}

/** Returns the sha256 of a store's elements as little-endian float32, without gaps. Takes seconds per gibibyte. */
export function hashWeights(store: TensorStore): string {
  const hash = createHash("sha256");
  for (const { name } of store.parameters) {
    const { buffer, byteOffset, byteLength } = store.view(name);
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest("hex");
}

/** Writes the PEFT files alone. Replaces `directory` as a whole, or throws a `checkpoint` error and leaves it. */
export function writeAdapterDirectory(
  directory: string,
  adapter: AdapterStore,
  baseName: string,
  dtype?: WrittenType,
): void {
  replaceDirectory(directory, (folder) => {
    writeAdapterFiles(folder, adapter, baseName, dtype);
  });
}

function writeAdapterFiles(
  folder: string,
  adapter: AdapterStore,
  baseName: string,
  dtype?: WrittenType,
): void {
  writeJson(join(folder, PEFT_CONFIG), buildPeftConfig(adapter.lora, baseName));
  writeSafetensors(join(folder, ADAPTER_FILE), tensorsToWrite(adapter, adapter.data), dtype);
}

/** Saves a LoRA checkpoint. Replaces `directory` as a whole, or throws a `checkpoint` error and leaves it. */
export function saveAdapterCheckpoint(
  directory: string,
  { adapter, optimizer }: AdapterContents,
  state: Omit<AdapterState, "step">,
  head?: ValueHeadContents,
): void {
  replaceDirectory(directory, (folder) => {
    writeAdapterFiles(folder, adapter, state.base.name);
    writeSafetensors(join(folder, OPTIMIZER_FILE), [
      ...tensorsToWrite(adapter, optimizer.firstMoment, `${MOMENT_NAMES[0]}.`),
      ...tensorsToWrite(adapter, optimizer.secondMoment, `${MOMENT_NAMES[1]}.`),
    ]);
    writeJson(join(folder, STATE_FILE), { version: 1, step: optimizer.step, ...state });
    if (head) writeValueHeadFiles(folder, head);
  });
}

/**
 * Fills adapter and moments in place. Returns undefined when the folder holds only an adapter; the moments are then
 * zero. `applyBase` makes sure that the engine has the base that the folder names, or throws before anything has
 * changed.
 */
export function loadAdapterCheckpoint(
  directory: string,
  { adapter, optimizer }: AdapterContents,
  applyBase: (base: AdapterBase, directory: string) => void,
): AdapterState | undefined {
  recoverDirectory(directory);
  rejectOtherAdapterFormats(directory);
  requireSameLora(adapter.lora, directory);
  const state = readAdapterState(directory);
  const pathsInDirectory = (name: string) => [join(directory, name)];
  const weights = readAdapterTensors(pathsInDirectory(ADAPTER_FILE), adapter);
  const moments = MOMENT_NAMES.map((moment) =>
    state
      ? readAdapterTensors(pathsInDirectory(OPTIMIZER_FILE), adapter, `${moment}.`)
      : new Float32Array(weights.length),
  );
  if (state) applyBase(state.base, directory);
  adapter.data.set(weights);
  optimizer.firstMoment.set(moments[0]!);
  optimizer.secondMoment.set(moments[1]!);
  optimizer.step = state?.step ?? 0;
  return state;
}

/** Throws when the only tensors are in the older format of PEFT, which runs code. */
function rejectOtherAdapterFormats(directory: string): void {
  const [wanted, other] = [ADAPTER_FILE, "adapter_model.bin"].map((name) => join(directory, name));
  if (existsSync(wanted!) || !existsSync(other!)) return;
  throw new BowlineError(
    "checkpoint",
    `${wanted} is missing, and adapter_model.bin is not read; save the adapter with safetensors`,
  );
}

/** Reads tensors of an adapter into a new buffer, so that they can be put in place when nothing can fail any more. */
function readAdapterTensors(
  paths: readonly string[],
  adapter: AdapterStore,
  prefix = "",
): Float32Array {
  const out = new Float32Array(adapter.data.length);
  withSafetensorsFiles(paths, (files) => {
    const reads = planTensorReads(files, adapter.parameters, prefix);
    if (prefix === "") rejectUnknownAdapterTensors(files, adapter);
    for (const read of reads) read(out);
  });
  return out;
}

/** Returns the sha256 of a folder's weights as `hashWeights` does. Throws when it holds another model. */
export function hashWeightFiles(directory: string, config: ModelConfig): string {
  recoverDirectory(directory);
  requireSameConfig(config, loadModelConfig(directory), directory);
  checkWeightFiles(directory, config);
  const hash = createHash("sha256");
  withWeightFiles(directory, (files) => {
    const parts = parameterLayout(config).inputs.flatMap((input) => input.parts);
    const names = findStoredNames(files, parts);
    for (const { name, size } of parts) {
      const stored = names.get(name) ?? name;
      const values = new Float32Array(size);
      files.find(({ tensors }) => tensors.has(stored))!.read(stored, values);
      hash.update(new Uint8Array(values.buffer));
    }
  });
  return hash.digest("hex");
}

/** Loads the base weights under an adapter. Throws a `checkpoint` error when the folder holds another model. */
export function loadBaseWeights(directory: string, parameters: ParameterStore): void {
  recoverDirectory(directory);
  requireSameConfig(parameters.config, loadModelConfig(directory), directory);
  loadWeights(directory, parameters);
}

function tensorsToWrite(store: TensorStore, data: Float32Array, prefix = ""): TensorToWrite[] {
  return store.parameters.map(({ name, shape, offset, size }) => ({
    name: prefix + name,
    shape,
    data: data.subarray(offset, offset + size),
  }));
}

function readAdapterState(directory: string): AdapterState | undefined {
  const path = join(directory, STATE_FILE);
  if (!existsSync(path)) {
    if (!existsSync(join(directory, OPTIMIZER_FILE))) return undefined;
    throw new BowlineError("checkpoint", `${path} is missing, but ${OPTIMIZER_FILE} is there`);
  }
  const result = stateSchema.safeParse(readJsonFile(path));
  if (result.success) return result.data;
  throw new BowlineError("checkpoint", `${path}: ${errorMessage(result.error)}`);
}

/** Throws when the files have a tensor that the adapter lacks, because then other modules were adapted. */
function rejectUnknownAdapterTensors(files: readonly WeightFile[], adapter: AdapterStore): void {
  for (const { path, tensors } of files) {
    const unknown = [...tensors.keys()].find((name) => !adapter.hasParameter(name));
    if (unknown === undefined) continue;
    throw new BowlineError("checkpoint", `${path} has a tensor ${unknown} unknown to its config`);
  }
}
