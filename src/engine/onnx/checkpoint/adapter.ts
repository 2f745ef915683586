/**
 * A LoRA checkpoint is a PEFT folder (`adapter_config.json`, `adapter_model.safetensors`) that other programs put on
 * its base as it is, plus what an exact resume needs: the moments (`optimizer.safetensors`) and `trainer-state.json`.
 *
 * The base is not in it. The state holds the base's digest, so that an adapter is never put on other weights; a folder
 * without moments and state, such as one that PEFT wrote, is an adapter alone, and training starts afresh. All headers
 * are checked before anything is read, so a refused checkpoint leaves the engine as it was.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BowlineError, writeJson } from "../../../core/index.ts";
import {
  type AdapterStore,
  type ModelConfig,
  type ParameterStore,
  parameterLayout,
  type TensorStore,
} from "../model/index.ts";
import type { OptimizerState } from "../train/index.ts";
import { loadModelConfig, requireSameConfig } from "./checkpoint.ts";
import { recoverDirectory, writeDirectory } from "./directory.ts";
import { readJsonFile } from "./json-file.ts";
import { PEFT_CONFIG, peftConfig, requireSameLora } from "./peft-config.ts";
import { type TensorToWrite, type WrittenType, writeSafetensors } from "./safetensors.ts";
import { type CheckpointedHead, fillValueHead } from "./value-head.ts";
import type { WeightFile } from "./weight-file.ts";
import {
  checkWeights,
  loadWeights,
  planReads,
  storedNames,
  withFiles,
  withWeights,
} from "./weight-files.ts";

const WEIGHTS = "adapter_model.safetensors";
const OPTIMIZER = "optimizer.safetensors";
const STATE = "trainer-state.json";
/** The names that PyTorch's AdamW gives its moments. */
const MOMENTS = ["exp_avg", "exp_avg_sq"] as const;

/** Which weights an adapter belongs to. */
export interface AdapterBase {
  /** Where they came from: a folder, or "" when they were made from a seed. */
  readonly name: string;
  /** sha256 of their bytes (see `digestOf`). */
  readonly sha256: string;
}

const stateSchema = z.strictObject({
  version: z.literal(1),
  /** Optimizer updates done. */
  step: z.number().int().nonnegative(),
  policyVersion: z.number().int().nonnegative(),
  /** Updates were done since the policy was published. */
  unpublished: z.boolean(),
  base: z.strictObject({ name: z.string(), sha256: z.string() }),
});
export type AdapterState = Omit<z.infer<typeof stateSchema>, "version">;

export interface CheckpointedAdapter {
  readonly adapter: AdapterStore;
  readonly optimizer: OptimizerState;
}

/** Whether `directory` holds an adapter rather than a model. */
export function holdsAdapter(directory: string): boolean {
  recoverDirectory(directory);
  return existsSync(join(directory, PEFT_CONFIG));
}

/** sha256 of a store's elements, gaps left out, as little-endian float32. Reads every byte once: seconds a gibibyte. */
export function digestOf(store: TensorStore): string {
  const hash = createHash("sha256");
  for (const { offset, size } of store.parameters) {
    const { buffer, byteOffset } = store.data;
    hash.update(new Uint8Array(buffer, byteOffset + 4 * offset, 4 * size));
  }
  return hash.digest("hex");
}

/** Writes the PEFT files alone. Replaces `directory` as a whole, or throws a `checkpoint` error and leaves it. */
export function writeAdapter(
  directory: string,
  adapter: AdapterStore,
  baseName: string,
  dtype?: WrittenType,
): void {
  writeDirectory(directory, (folder) => {
    fillAdapter(folder, adapter, baseName, dtype);
  });
}

function fillAdapter(
  folder: string,
  adapter: AdapterStore,
  baseName: string,
  dtype?: WrittenType,
): void {
  writeJson(join(folder, PEFT_CONFIG), peftConfig(adapter.lora, baseName));
  writeSafetensors(join(folder, WEIGHTS), tensorsOf(adapter, adapter.data), dtype);
}

/** Replaces `directory` as a whole, or leaves it as it was and throws a `checkpoint` error. */
export function saveAdapterCheckpoint(
  directory: string,
  { adapter, optimizer }: CheckpointedAdapter,
  state: Omit<AdapterState, "step">,
  head?: CheckpointedHead,
): void {
  writeDirectory(directory, (folder) => {
    fillAdapter(folder, adapter, state.base.name);
    writeSafetensors(join(folder, OPTIMIZER), [
      ...tensorsOf(adapter, optimizer.firstMoment, `${MOMENTS[0]}.`),
      ...tensorsOf(adapter, optimizer.secondMoment, `${MOMENTS[1]}.`),
    ]);
    writeJson(join(folder, STATE), { version: 1, step: optimizer.step, ...state });
    if (head) fillValueHead(folder, head);
  });
}

/**
 * Fills adapter and moments in place. Undefined: the folder holds an adapter alone, and the moments are now zero.
 * `putOn` sees to it that the base is the one that the folder names, or throws; then nothing has changed.
 */
export function loadAdapterCheckpoint(
  directory: string,
  { adapter, optimizer }: CheckpointedAdapter,
  putOn: (base: AdapterBase, directory: string) => void,
): AdapterState | undefined {
  recoverDirectory(directory);
  requireSameLora(adapter.lora, directory);
  const state = readState(directory);
  const files = (name: string) => [join(directory, name)];
  const weights = readTensors(files(WEIGHTS), adapter);
  const moments = MOMENTS.map((moment) =>
    state ? readTensors(files(OPTIMIZER), adapter, `${moment}.`) : new Float32Array(weights.length),
  );
  if (state) putOn(state.base, directory);
  adapter.data.set(weights);
  optimizer.firstMoment.set(moments[0]!);
  optimizer.secondMoment.set(moments[1]!);
  optimizer.step = state?.step ?? 0;
  return state;
}

/** An adapter is small: it is read aside, and takes its place when nothing can fail any more. */
function readTensors(paths: readonly string[], adapter: AdapterStore, prefix = ""): Float32Array {
  const out = new Float32Array(adapter.data.length);
  withFiles(paths, (files) => {
    const reads = planReads(files, adapter.parameters, prefix);
    if (prefix === "") refuseUnknown(files, adapter);
    for (const read of reads) read(out);
  });
  return out;
}

/** `digestOf` the weights in a folder, of which one tensor is held at a time. Throws where it is of another model. */
export function digestOfFolder(directory: string, config: ModelConfig): string {
  recoverDirectory(directory);
  requireSameConfig(config, loadModelConfig(directory), directory);
  checkWeights(directory, config);
  const hash = createHash("sha256");
  withWeights(directory, (files) => {
    const parts = parameterLayout(config).inputs.flatMap((input) => input.parts);
    const names = storedNames(files, parts);
    for (const { name, size } of parts) {
      const stored = names.get(name) ?? name;
      const values = new Float32Array(size);
      files.find(({ tensors }) => tensors.has(stored))!.read(stored, values);
      hash.update(new Uint8Array(values.buffer));
    }
  });
  return hash.digest("hex");
}

/** Fills the weights that an adapter is put on. Throws a `checkpoint` error where the folder is of another model. */
export function loadBase(directory: string, parameters: ParameterStore): void {
  recoverDirectory(directory);
  requireSameConfig(parameters.config, loadModelConfig(directory), directory);
  loadWeights(directory, parameters);
}

function tensorsOf(store: TensorStore, data: Float32Array, prefix = ""): TensorToWrite[] {
  return store.parameters.map(({ name, shape, offset, size }) => ({
    name: prefix + name,
    shape,
    data: data.subarray(offset, offset + size),
  }));
}

function readState(directory: string): AdapterState | undefined {
  const path = join(directory, STATE);
  if (!existsSync(path)) {
    if (!existsSync(join(directory, OPTIMIZER))) return undefined;
    throw new BowlineError("checkpoint", `${path} is missing, but ${OPTIMIZER} is there`);
  }
  const result = stateSchema.safeParse(readJsonFile(path));
  if (result.success) return result.data;
  throw new BowlineError("checkpoint", `${path}: ${z.prettifyError(result.error)}`);
}

/** A tensor that the adapter has no place for means that other modules or layers were adapted. */
function refuseUnknown(files: readonly WeightFile[], adapter: AdapterStore): void {
  for (const { path, tensors } of files) {
    const unknown = [...tensors.keys()].find((name) => !adapter.hasParameter(name));
    if (unknown === undefined) continue;
    throw new BowlineError("checkpoint", `${path} has a tensor ${unknown} unknown to its config`);
  }
}
