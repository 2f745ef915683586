/**
 * The parts of a fake training run: its world, its engine, its folder and its configuration. An iteration takes
 * milliseconds.
 */
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { World } from "../spec/index.ts";
import type { Makers } from "../train/index.ts";
import { fakeWorld } from "./fake-world.ts";
import { tableEngine } from "./table-engine.ts";

/** Returns functions for `trainWith` that open the fake world and create the table engine. */
export function fakeMakers(world: World = fakeWorld()): Makers {
  return {
    openWorld: async () => world,
    createEngine: async (_name, { model }) => tableEngine(model.vocabularySize),
  };
}

/**
 * Creates a new folder. It is in memory if the system supports that, because flushing checkpoints to a disk takes time.
 */
export function createMemoryFolder(prefix: string): string {
  return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), prefix));
}

/** Configuration fields of a fake run, which takes milliseconds. */
export const FAKE_RUN = {
  "tokenizer.vocabularySize": 280,
  "tokenizer.minimumCount": 5,
  "warm.demonstrations": 96,
  "warm.rows": 8,
  "warm.learningRate": 0.8,
  "warm.hastyShare": 0.75,
  "optimizer.learningRate": 0.1,
  "scaffold.maxTurns": 2,
  "scaffold.evaluationTurns": 2,
  "scaffold.maxTurnTokens": 8,
  "evaluation.every": 0,
  "evaluation.scores": ["dev", "test-normal"],
};
