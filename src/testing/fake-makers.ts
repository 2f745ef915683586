/** A training run of fakes: its world and engine, its folder, its configuration. It takes milliseconds an iteration. */
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { World } from "../spec/index.ts";
import type { Makers } from "../train/index.ts";
import { fakeWorld } from "./fake-world.ts";
import { tableEngine } from "./table-engine.ts";

/** Fakes for `trainWith`. */
export function fakeMakers(world: World = fakeWorld()): Makers {
  return {
    openWorld: async () => world,
    createEngine: async (_name, { model }) => tableEngine(model.vocabularySize),
  };
}

/** A new folder in memory where there is some: a run flushes every checkpoint to disk, which there costs nothing. */
export function memoryFolder(prefix: string): string {
  return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), prefix));
}

/** A run of fakes in milliseconds: what tests of whole runs have in common. */
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
