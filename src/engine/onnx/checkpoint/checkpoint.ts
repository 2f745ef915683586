/**
 * A checkpoint is a Hugging Face folder (`config.json`, `model.safetensors`) that other programs load as it is, plus
 * what an exact resume needs: the moments (`optimizer.safetensors`) and `trainer-state.json`.
 *
 * A folder without the last two is weights alone, such as a downloaded model: training then starts afresh. All
 * headers are checked before anything is read into the model, so a refused checkpoint leaves it as it was.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BowlineError, isFile, writeJson } from "../../../core/index.ts";
import type { ModelConfig, ParameterStore } from "../model/index.ts";
import type { OptimizerState } from "../train/index.ts";
import { recoverDirectory, writeDirectory } from "./directory.ts";
import { loadGgufConfig } from "./gguf/index.ts";
import { fromHuggingFace, toHuggingFace } from "./huggingface-config.ts";
import { readJsonFile } from "./json-file.ts";
import { writeSafetensors } from "./safetensors.ts";
import { type CheckpointedHead, fillValueHead } from "./value-head.ts";
import { planReads, refuseUnknown, WEIGHTS, withFiles, withWeights } from "./weight-files.ts";

const CONFIG = "config.json";
const OPTIMIZER = "optimizer.safetensors";
const STATE = "trainer-state.json";
/** The names that PyTorch's AdamW gives its moments. */
const MOMENTS = ["exp_avg", "exp_avg_sq"] as const;

const stateSchema = z.strictObject({
  version: z.literal(1),
  /** Optimizer updates done. */
  step: z.number().int().nonnegative(),
  policyVersion: z.number().int().nonnegative(),
  /** Updates were done since the policy was published. */
  unpublished: z.boolean(),
});
export type TrainerState = Omit<z.infer<typeof stateSchema>, "version">;

export interface Checkpointed {
  readonly parameters: ParameterStore;
  readonly optimizer: OptimizerState;
}

/** Replaces `directory` as a whole, or leaves it as it was and throws a `checkpoint` error. */
export function saveCheckpoint(
  directory: string,
  { parameters, optimizer }: Checkpointed,
  state: Omit<TrainerState, "step">,
  head?: CheckpointedHead,
): void {
  const tensors = (data: Float32Array, prefix = "") =>
    parameters.parameters.map(({ name, shape, offset, size }) => ({
      name: prefix + name,
      shape,
      data: data.subarray(offset, offset + size),
    }));
  writeDirectory(directory, (folder) => {
    writeJson(join(folder, CONFIG), toHuggingFace(parameters.config));
    writeSafetensors(join(folder, WEIGHTS), tensors(parameters.data));
    writeSafetensors(join(folder, OPTIMIZER), [
      ...tensors(optimizer.firstMoment, `${MOMENTS[0]}.`),
      ...tensors(optimizer.secondMoment, `${MOMENTS[1]}.`),
    ]);
    writeJson(join(folder, STATE), { version: 1, step: optimizer.step, ...state });
    if (head) fillValueHead(folder, head);
  });
}

/** Fills weights and moments in place. Undefined: the folder holds weights alone, and the moments are now zero. */
export function loadCheckpoint(
  directory: string,
  { parameters, optimizer }: Checkpointed,
): TrainerState | undefined {
  recoverDirectory(directory);
  requireSameConfig(parameters.config, loadModelConfig(directory), directory);
  const state = readState(directory);
  const moments = [optimizer.firstMoment, optimizer.secondMoment];
  withWeights(directory, (weights) => {
    withFiles(state ? [join(directory, OPTIMIZER)] : [], (files) => {
      const reads = planReads(weights, parameters.parameters, "");
      const readMoments = MOMENTS.map((name) =>
        state ? planReads(files, parameters.parameters, `${name}.`) : [],
      );
      refuseUnknown(weights, parameters.parameters, parameters.config, directory);
      for (const read of reads) read(parameters.data);
      const touched = optimizer.step > 0;
      optimizer.step = state?.step ?? 0;
      for (const [i, target] of moments.entries()) {
        // Before the first step they are zero, and writing zeros would make the pages resident.
        if (touched) target.fill(0);
        for (const read of readMoments[i] ?? []) read(target);
      }
    });
  });
  return state;
}

/** The model config of a Hugging Face folder, or of a GGUF file. */
export function loadModelConfig(path: string): ModelConfig {
  if (isFile(path)) return loadGgufConfig(path);
  const config = join(path, CONFIG);
  return fromHuggingFace(readJsonFile(config), config);
}

function readState(directory: string): TrainerState | undefined {
  const path = join(directory, STATE);
  if (!existsSync(path)) {
    if (!existsSync(join(directory, OPTIMIZER))) return undefined;
    throw new BowlineError("checkpoint", `${path} is missing, but ${OPTIMIZER} is there`);
  }
  const result = stateSchema.safeParse(readJsonFile(path));
  if (result.success) return result.data;
  throw new BowlineError("checkpoint", `${path}: ${z.prettifyError(result.error)}`);
}

/** A longer context than the engine's is no difference: rows are simply shorter. */
export function requireSameConfig(ours: ModelConfig, theirs: ModelConfig, directory: string): void {
  const shown = (value: unknown) => JSON.stringify(value) ?? "absent";
  for (const field of Object.keys({ ...ours, ...theirs }) as (keyof ModelConfig)[]) {
    const fits =
      field === "contextLength"
        ? ours[field] <= theirs[field]
        : shown(ours[field]) === shown(theirs[field]);
    if (fits) continue;
    throw new BowlineError(
      "checkpoint",
      `${isFile(directory) ? directory : join(directory, CONFIG)} is of another model: ${field} is ${shown(theirs[field])}, the engine's is ${shown(ours[field])}`,
    );
  }
}
