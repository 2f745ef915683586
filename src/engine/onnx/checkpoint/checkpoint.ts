/**
 * Saves and loads checkpoints. A checkpoint is a Hugging Face folder (`config.json`, `model.safetensors`) that other
 * programs load, with what an exact resume needs in addition: the moments (`optimizer.safetensors`) and
 * `trainer-state.json`.
 *
 * A folder without the last two holds only weights, such as a downloaded model, and training starts with fresh
 * moments. All headers are checked before anything is read into the model, so a rejected checkpoint leaves the model
 * unchanged.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BowlineError, errorMessage, isFile, writeJson } from "../../../core/index.ts";
import type { ModelConfig, ParameterStore } from "../model/index.ts";
import type { OptimizerState } from "../train/index.ts";
import { loadGgufDescription } from "./gguf/index.ts";
import {
  describeHuggingFaceModel,
  type ModelDescription,
  toHuggingFaceConfig,
} from "./huggingface-config.ts";
import { readJsonFile } from "./json-file.ts";
import { recoverDirectory, replaceDirectory } from "./replace-directory.ts";
import { writeSafetensors } from "./safetensors.ts";
import { type ValueHeadContents, writeValueHeadFiles } from "./value-head-checkpoint.ts";
import {
  planTensorReads,
  rejectUnknownTensors,
  requireTiedHead,
  WEIGHTS_FILE,
  withSafetensorsFiles,
  withWeightFiles,
} from "./weight-files.ts";

const CONFIG_FILE = "config.json";
const OPTIMIZER_FILE = "optimizer.safetensors";
const STATE_FILE = "trainer-state.json";
/** The names that PyTorch's AdamW gives its moments. */
const MOMENT_NAMES = ["exp_avg", "exp_avg_sq"] as const;

const stateSchema = z.strictObject({
  version: z.literal(1),
  /** The number of optimizer updates so far. */
  step: z.number().int().nonnegative(),
  policyVersion: z.number().int().nonnegative(),
  /** Whether updates were made since the policy was published. */
  unpublished: z.boolean(),
});
export type TrainerState = Omit<z.infer<typeof stateSchema>, "version">;

/** The weights and the optimizer that a checkpoint holds. */
export interface CheckpointContents {
  readonly parameters: ParameterStore;
  readonly optimizer: OptimizerState;
}

/** Saves a checkpoint: replaces `directory` as a whole, or leaves it unchanged and throws a `checkpoint` error. */
export function saveCheckpoint(
  directory: string,
  { parameters, optimizer }: CheckpointContents,
  state: Omit<TrainerState, "step">,
  head?: ValueHeadContents,
): void {
  const tensorsToWrite = (data: Float32Array, prefix = "") =>
    parameters.parameters.map(({ name, shape, offset, size }) => ({
      name: prefix + name,
      shape,
      data: data.subarray(offset, offset + size),
    }));
  replaceDirectory(directory, (folder) => {
    writeJson(join(folder, CONFIG_FILE), toHuggingFaceConfig(parameters.config));
    writeSafetensors(join(folder, WEIGHTS_FILE), tensorsToWrite(parameters.data));
    writeSafetensors(join(folder, OPTIMIZER_FILE), [
      ...tensorsToWrite(optimizer.firstMoment, `${MOMENT_NAMES[0]}.`),
      ...tensorsToWrite(optimizer.secondMoment, `${MOMENT_NAMES[1]}.`),
    ]);
    writeJson(join(folder, STATE_FILE), { version: 1, step: optimizer.step, ...state });
    if (head) writeValueHeadFiles(folder, head);
  });
}

/** Fills weights and moments in place. Returns undefined when the folder holds only weights; moments are then zero. */
export function loadCheckpoint(
  directory: string,
  { parameters, optimizer }: CheckpointContents,
): TrainerState | undefined {
  recoverDirectory(directory);
  requireSameConfig(parameters.config, loadModelConfig(directory), directory);
  const state = readTrainerState(directory);
  const moments = [optimizer.firstMoment, optimizer.secondMoment];
  withWeightFiles(directory, (weights) => {
    withSafetensorsFiles(state ? [join(directory, OPTIMIZER_FILE)] : [], (files) => {
      const reads = planTensorReads(weights, parameters.parameters, "");
      const readMoments = MOMENT_NAMES.map((name) =>
        state ? planTensorReads(files, parameters.parameters, `${name}.`) : [],
      );
      rejectUnknownTensors(weights, parameters.parameters, parameters.config, directory);
      requireTiedHead(weights, parameters.config);
      for (const read of reads) read(parameters.data);
      const touched = optimizer.step > 0;
      optimizer.step = state?.step ?? 0;
      for (const [i, target] of moments.entries()) {
        // Before the first step moments are zero, and writing zeros would allocate their pages.
        if (touched) target.fill(0);
        for (const read of readMoments[i] ?? []) read(target);
      }
    });
  });
  return state;
}

/** Loads the model config of a Hugging Face folder or a GGUF file. */
export function loadModelConfig(path: string): ModelConfig {
  return loadModelDescription(path).config;
}

/** Loads the model config of a Hugging Face folder or a GGUF file, and what else these files say. */
export function loadModelDescription(path: string): ModelDescription {
  if (isFile(path)) return loadGgufDescription(path);
  const config = join(path, CONFIG_FILE);
  return describeHuggingFaceModel(readJsonFile(config), config);
}

function readTrainerState(directory: string): TrainerState | undefined {
  const path = join(directory, STATE_FILE);
  if (!existsSync(path)) {
    if (!existsSync(join(directory, OPTIMIZER_FILE))) return undefined;
    throw new BowlineError("checkpoint", `${path} is missing, but ${OPTIMIZER_FILE} is there`);
  }
  const result = stateSchema.safeParse(readJsonFile(path));
  if (result.success) return result.data;
  throw new BowlineError("checkpoint", `${path}: ${errorMessage(result.error)}`);
}

/** Throws a `checkpoint` error that names a field in which two configs differ. The folder's context may be longer. */
export function requireSameConfig(
  expected: ModelConfig,
  found: ModelConfig,
  directory: string,
): void {
  const formatValue = (value: unknown) => JSON.stringify(value) ?? "absent";
  for (const field of Object.keys({ ...expected, ...found }) as (keyof ModelConfig)[]) {
    const fits =
      field === "contextLength"
        ? expected[field] <= found[field]
        : formatValue(expected[field]) === formatValue(found[field]);
    if (fits) continue;
    throw new BowlineError(
      "checkpoint",
      `${isFile(directory) ? directory : join(directory, CONFIG_FILE)} belongs to another model: ${field} is ${formatValue(found[field])}, but the engine's is ${formatValue(expected[field])}`,
    );
  }
}
