/**
 * A checkpoint is a Hugging Face folder (`config.json`, `model.safetensors`) that other programs load as it is, plus
 * what an exact resume needs: the moments (`optimizer.safetensors`) and `trainer-state.json`.
 *
 * A folder without the last two is weights alone, such as a downloaded model: training then starts afresh. All
 * headers are checked before anything is read into the model, so a refused checkpoint leaves it as it was.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BowlineError, messageOf, writeJson } from "../../../core/index.ts";
import type { ModelConfig, Parameter, ParameterStore } from "../model/index.ts";
import type { OptimizerState } from "../train/index.ts";
import { recoverDirectory, writeDirectory } from "./directory.ts";
import { fromHuggingFace, toHuggingFace } from "./huggingface-config.ts";
import { SafetensorsFile, writeSafetensors } from "./safetensors.ts";

const CONFIG = "config.json";
const WEIGHTS = "model.safetensors";
const INDEX = "model.safetensors.index.json";
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
      ...tensors(optimizer.first, `${MOMENTS[0]}.`),
      ...tensors(optimizer.second, `${MOMENTS[1]}.`),
    ]);
    writeJson(join(folder, STATE), { version: 1, step: optimizer.step, ...state });
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
  const weights = openWeights(directory);
  const moments = state ? [new SafetensorsFile(join(directory, OPTIMIZER))] : [];
  try {
    const read = plan(weights, parameters.parameters, parameters.data, "");
    const readMoments = MOMENTS.flatMap((moment, i) => {
      const target = i === 0 ? optimizer.first : optimizer.second;
      return plan(moments, state ? parameters.parameters : [], target, `${moment}.`);
    });
    refuseUnknown(weights, parameters, directory);
    for (const array of [optimizer.first, optimizer.second]) array.fill(0);
    for (const task of [...read, ...readMoments]) task();
    optimizer.step = state?.step ?? 0;
  } finally {
    for (const file of [...weights, ...moments]) file.close();
  }
  return state;
}

/** The model config of a Hugging Face folder. */
export function loadModelConfig(directory: string): ModelConfig {
  const path = join(directory, CONFIG);
  return fromHuggingFace(readJsonFile(path), path);
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

function openWeights(directory: string): SafetensorsFile[] {
  const index = join(directory, INDEX);
  if (!existsSync(index)) return [new SafetensorsFile(join(directory, WEIGHTS))];
  const schema = z.looseObject({ weight_map: z.record(z.string(), z.string()) });
  const parsed = schema.safeParse(readJsonFile(index));
  if (!parsed.success) throw new BowlineError("checkpoint", `${index} has no weight_map`);
  const names = [...new Set(Object.values(parsed.data.weight_map))].sort();
  return names.map((name) => new SafetensorsFile(join(directory, name)));
}

/** Checks that every parameter is there in its shape; returns what reads them. */
function plan(
  files: readonly SafetensorsFile[],
  parameters: readonly Parameter[],
  target: Float32Array,
  prefix: string,
): (() => void)[] {
  return parameters.map(({ name, shape, offset, size }) => {
    const full = prefix + name;
    const file = files.find(({ tensors }) => tensors.has(full));
    const paths = files.map(({ path }) => path).join(", ");
    if (!file) throw new BowlineError("checkpoint", `${paths} lacks ${full} [${shape}]`);
    const found = file.tensors.get(full)!.shape;
    if (found.join() !== shape.join()) {
      throw new BowlineError(
        "checkpoint",
        `${file.path}: ${full} should have shape [${shape}], but has [${found}]`,
      );
    }
    return () => file.read(full, target.subarray(offset, offset + size));
  });
}

/** A tensor that the model has no place for means that it is another model. Tied heads and rotary tables may repeat. */
function refuseUnknown(
  files: readonly SafetensorsFile[],
  { parameters, config }: ParameterStore,
  directory: string,
): void {
  const known = new Set(parameters.map(({ name }) => name));
  if (config.tieEmbeddings) known.add("lm_head.weight");
  for (const name of files.flatMap(({ tensors }) => [...tensors.keys()])) {
    if (known.has(name) || name.endsWith("rotary_emb.inv_freq")) continue;
    throw new BowlineError("checkpoint", `${directory} has a tensor ${name} unknown to its config`);
  }
}

/** A longer context than the engine's is no difference: rows are simply shorter. */
function requireSameConfig(ours: ModelConfig, theirs: ModelConfig, directory: string): void {
  for (const field of Object.keys(ours) as (keyof ModelConfig)[]) {
    const fits =
      field === "contextLength" ? ours[field] <= theirs[field] : ours[field] === theirs[field];
    if (fits) continue;
    throw new BowlineError(
      "checkpoint",
      `${join(directory, CONFIG)} is of another model: ${field} is ${theirs[field]}, the engine's is ${ours[field]}`,
    );
  }
}

function readJsonFile(path: string): unknown {
  if (!existsSync(path)) throw new BowlineError("checkpoint", `${path} is missing`);
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new BowlineError("checkpoint", `${path} is not JSON: ${messageOf(cause)}`, { cause });
  }
}
