/**
 * What a checkpoint of a remote engine is: the path of the weights on the server, and enough to find the model that was
 * trained, should it still be there. `tinker.json` holds no key and no URL.
 */
import { join } from "node:path";
import { z } from "zod";
import { BowlineError, errorMessage, readJson, writeJson } from "../../../core/index.ts";

const checkpointSchema = z.object({
  version: z.literal(1),
  baseModel: z.string(),
  /** 0: all weights are trained. */
  rank: z.number(),
  /** Of weights and optimizer, on the server. */
  path: z.string(),
  policyVersion: z.number(),
  /** The newest sampler has these weights. */
  published: z.boolean(),
  session: z.object({
    id: z.string(),
    counters: z.object({ models: z.number(), samplers: z.number() }),
  }),
  /** `nextSeq`: of the first request after the checkpoint. */
  model: z.object({ id: z.string(), epoch: z.string(), nextSeq: z.number() }),
  sampler: z.object({ id: z.string(), epoch: z.string() }).optional(),
  steps: z.number(),
});

export type TinkerCheckpoint = z.output<typeof checkpointSchema>;

const CHECKPOINT_FILE = "tinker.json";

export function writeCheckpoint(directory: string, checkpoint: TinkerCheckpoint): void {
  writeJson(join(directory, CHECKPOINT_FILE), checkpoint);
}

/** Where a checkpoint's weights are: at the server, under a path. */
export type ServedWeights = Pick<TinkerCheckpoint, "path" | "baseModel" | "rank">;

/** Throws a `checkpoint` error when the folder holds no checkpoint of this engine. */
export function readServedWeights(directory: string): ServedWeights {
  return parseCheckpoint(directory);
}

/** Throws a `checkpoint` error when there is none, or one of another model. */
export function readCheckpoint(
  directory: string,
  expected: { readonly baseModel: string; readonly rank: number },
): TinkerCheckpoint {
  const checkpoint = parseCheckpoint(directory);
  for (const field of ["baseModel", "rank"] as const) {
    if (checkpoint[field] === expected[field]) continue;
    throw new BowlineError(
      "checkpoint",
      `${directory} is a checkpoint of another model: ${field} is ${checkpoint[field]} there and ${expected[field]} here`,
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
