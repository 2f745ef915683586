/**
 * A checkpoint of a remote engine: the path of the weights on the server, and what it takes to find the trained model
 * again if the server still holds it. `tinker.json` holds no API key and no URL.
 */
import { join } from "node:path";
import { z } from "zod";
import { BowlineError, errorMessage, readJson, writeJson } from "../../../core/index.ts";

const checkpointSchema = z.object({
  version: z.literal(1),
  baseModel: z.string(),
  /** The adapter's rank; 0 means that all weights are trained. */
  rank: z.number(),
  /** The path of weights and optimizer on the server. */
  path: z.string(),
  policyVersion: z.number(),
  /** Whether the newest sampler has these weights. */
  published: z.boolean(),
  session: z.object({
    id: z.string(),
    counters: z.object({ models: z.number(), samplers: z.number() }),
  }),
  /** The model's ids; `nextSeq` is the number of the first request after the checkpoint. */
  model: z.object({ id: z.string(), epoch: z.string(), nextSeq: z.number() }),
  sampler: z.object({ id: z.string(), epoch: z.string() }).optional(),
  steps: z.number(),
});

export type TinkerCheckpoint = z.output<typeof checkpointSchema>;

const CHECKPOINT_FILE = "tinker.json";

export function writeCheckpoint(directory: string, checkpoint: TinkerCheckpoint): void {
  writeJson(join(directory, CHECKPOINT_FILE), checkpoint);
}

/** The place of a checkpoint's weights: a path on the server, with the base model and the adapter's rank. */
export type ServedWeights = Pick<TinkerCheckpoint, "path" | "baseModel" | "rank">;

/** Reads where a checkpoint's weights are. Throws a `checkpoint` error when the folder holds no Tinker checkpoint. */
export function readServedWeights(directory: string): ServedWeights {
  return parseCheckpoint(directory);
}

/** Throws a `checkpoint` error when the folder holds no Tinker checkpoint, or one of another model. */
export function readCheckpoint(
  directory: string,
  expected: { readonly baseModel: string; readonly rank: number },
): TinkerCheckpoint {
  const checkpoint = parseCheckpoint(directory);
  for (const field of ["baseModel", "rank"] as const) {
    if (checkpoint[field] === expected[field]) continue;
    throw new BowlineError(
      "checkpoint",
      `${directory} is a checkpoint of another model: ${field} is ${checkpoint[field]}, expected ${expected[field]}`,
    );
  }
  return checkpoint;
}

function parseCheckpoint(directory: string): TinkerCheckpoint {
  try {
    return checkpointSchema.parse(readJson(join(directory, CHECKPOINT_FILE)));
  } catch (cause) {
    throw new BowlineError(
      "checkpoint",
      `${directory} holds no checkpoint of the tinker engine: ${errorMessage(cause)}`,
      { cause },
    );
  }
}
