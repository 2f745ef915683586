/**
 * A value head inside a checkpoint: `value-head.safetensors` with its weights and, under the names that PyTorch's AdamW
 * gives them, its moments; and `value-head.json` with its steps. Other programs that load the folder do not look there.
 *
 * A folder without them, such as a downloaded model or the checkpoint of a run without a critic, is one on which a head
 * starts afresh.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BowlineError, writeJson } from "../../../core/index.ts";
import type { ValueHeadStore } from "../model/index.ts";
import type { OptimizerState } from "../train/index.ts";
import { recoverDirectory } from "./directory.ts";
import { readJsonFile } from "./json-file.ts";
import { writeSafetensors } from "./safetensors.ts";
import { planReads, withFiles } from "./weight-files.ts";

const TENSORS = "value-head.safetensors";
const STATE = "value-head.json";
/** Before the names of weights, of the first and of the second moments. */
const PREFIXES = ["", "exp_avg.", "exp_avg_sq."] as const;

const stateSchema = z.strictObject({
  version: z.literal(1),
  /** Optimizer updates done. */
  step: z.number().int().nonnegative(),
  hiddenSizes: z.array(z.number().int().positive()),
});

export interface CheckpointedHead {
  readonly head: ValueHeadStore;
  readonly optimizer: OptimizerState;
}

/** Writes into a folder that is being filled. */
export function fillValueHead(folder: string, { head, optimizer }: CheckpointedHead): void {
  const arrays = [head.data, optimizer.firstMoment, optimizer.secondMoment];
  const tensors = PREFIXES.flatMap((prefix, i) =>
    head.parameters.map(({ name, shape, offset, size }) => ({
      name: prefix + name,
      shape,
      data: arrays[i]!.subarray(offset, offset + size),
    })),
  );
  writeSafetensors(join(folder, TENSORS), tensors);
  const { hiddenSizes } = head.config;
  writeJson(join(folder, STATE), { version: 1, step: optimizer.step, hiddenSizes });
}

/**
 * Reads a folder's head aside, and returns what puts it in place, for when nothing can fail any more. Undefined: the
 * folder has none. Throws a `checkpoint` error when it is torn or of another shape.
 */
export function readValueHead(
  directory: string,
  { head, optimizer }: CheckpointedHead,
): (() => void) | undefined {
  recoverDirectory(directory);
  const [tensors, path] = [TENSORS, STATE].map((name) => join(directory, name)) as [string, string];
  if (!existsSync(tensors) && !existsSync(path)) return undefined;
  const { step, hiddenSizes } = readState(path);
  if (hiddenSizes.join() !== head.config.hiddenSizes.join()) {
    throw new BowlineError(
      "checkpoint",
      `${path}: the value head's hiddenSizes are [${hiddenSizes}], the engine's are [${head.config.hiddenSizes}]`,
    );
  }
  const arrays = PREFIXES.map(() => new Float32Array(head.data.length));
  withFiles([tensors], (files) => {
    for (const [i, prefix] of PREFIXES.entries()) {
      for (const read of planReads(files, head.parameters, prefix)) read(arrays[i]!);
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

function readState(path: string): z.infer<typeof stateSchema> {
  const result = stateSchema.safeParse(readJsonFile(path));
  if (result.success) return result.data;
  throw new BowlineError("checkpoint", `${path}: ${z.prettifyError(result.error)}`);
}
