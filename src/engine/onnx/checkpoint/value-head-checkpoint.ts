/**
 * Saves and loads the value head of a checkpoint: `value-head.safetensors` with its weights and, under the names that
 * PyTorch's AdamW gives them, its moments; and `value-head.json` with its number of steps. Other programs that load
 * the folder ignore these files.
 *
 * In a folder without them, such as a downloaded model or the checkpoint of a run without a critic, the head starts
 * with initial weights.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BowlineError, errorMessage, writeJson } from "../../../core/index.ts";
import type { ValueHeadStore } from "../model/index.ts";
import type { OptimizerState } from "../train/index.ts";
import { readJsonFile } from "./json-file.ts";
import { recoverDirectory } from "./replace-directory.ts";
import { writeSafetensors } from "./safetensors.ts";
import { planTensorReads, withSafetensorsFiles } from "./weight-files.ts";

const TENSORS_FILE = "value-head.safetensors";
const STATE_FILE = "value-head.json";
/** The name prefixes of weights, first moments and second moments. */
const PREFIXES = ["", "exp_avg.", "exp_avg_sq."] as const;

const stateSchema = z.strictObject({
  version: z.literal(1),
  /** The number of optimizer updates so far. */
  step: z.number().int().nonnegative(),
  hiddenSizes: z.array(z.number().int().positive()),
});

/** The value head and the optimizer that a checkpoint holds. */
export interface ValueHeadContents {
  readonly head: ValueHeadStore;
  readonly optimizer: OptimizerState;
}

/** Writes the files of a value head into a folder that is being filled. */
export function writeValueHeadFiles(folder: string, { head, optimizer }: ValueHeadContents): void {
  const arrays = [head.data, optimizer.firstMoment, optimizer.secondMoment];
  const tensors = PREFIXES.flatMap((prefix, i) =>
    head.parameters.map(({ name, shape, offset, size }) => ({
      name: prefix + name,
      shape,
      data: arrays[i]!.subarray(offset, offset + size),
    })),
  );
  writeSafetensors(join(folder, TENSORS_FILE), tensors);
  const { hiddenSizes } = head.config;
  writeJson(join(folder, STATE_FILE), { version: 1, step: optimizer.step, hiddenSizes });
}

/**
 * Reads a folder's value head and returns a function that puts it in place, to be called when nothing can fail any
 * more. Returns undefined when the folder has no head. Throws a `checkpoint` error when the head is damaged or has
 * another shape.
 */
export function prepareValueHeadLoad(
  directory: string,
  { head, optimizer }: ValueHeadContents,
): (() => void) | undefined {
  recoverDirectory(directory);
  const [tensors, path] = [TENSORS_FILE, STATE_FILE].map((name) => join(directory, name)) as [
    string,
    string,
  ];
  if (!existsSync(tensors) && !existsSync(path)) return undefined;
  const { step, hiddenSizes } = readValueHeadState(path);
  if (hiddenSizes.join() !== head.config.hiddenSizes.join()) {
    throw new BowlineError(
      "checkpoint",
      `${path}: the value head's hiddenSizes are [${hiddenSizes}], but the engine's are [${head.config.hiddenSizes}]`,
    );
  }
  const arrays = PREFIXES.map(() => new Float32Array(head.data.length));
  withSafetensorsFiles([tensors], (files) => {
    for (const [i, prefix] of PREFIXES.entries()) {
      for (const read of planTensorReads(files, head.parameters, prefix)) read(arrays[i]!);
    }
  });
  return () => {
    for (const [i, target] of [
      head.data,
      optimizer.firstMoment,
      optimizer.secondMoment,
    ].entries()) {
      target.set(arrays[i]!);
    }
    optimizer.step = step;
  };
}

function readValueHeadState(path: string): z.infer<typeof stateSchema> {
  const result = stateSchema.safeParse(readJsonFile(path));
  if (result.success) return result.data;
  throw new BowlineError("checkpoint", `${path}: ${errorMessage(result.error)}`);
}
