/** Tests that a run continues whose disk failed while rollouts were written to its journal. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import type { Makers } from "../parts/makers.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-torn-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const config = resolveConfig({
  recipe: "smoke",
  overrides: {
    ...FAKE_RUN,
    "world.trainScenarios": 4,
    "algo.iterations": 1,
    "algo.tasksPerIteration": 4,
    "algo.groupSize": 4,
    "evaluation.scenarios": 1,
  },
});

/** Makers of an engine that dies in the first update after the warm start, when the journal holds all rollouts. */
function mortalMakers(): Makers {
  const makers = fakeMakers();
  const createEngine: Makers["createEngine"] = async (...args) => {
    const engine = await makers.createEngine(...args);
    let published = 0;
    return {
      ...engine,
      publish: () => {
        published += 1;
        return engine.publish();
      },
      update: (step) => (published > 0 ? Promise.reject(new Error("killed")) : engine.update(step)),
    };
  };
  return { ...makers, createEngine };
}

const readRollouts = (out: string) =>
  readdirSync(join(out, "rollouts"))
    .sort()
    .map((name) => readFileSync(join(out, "rollouts", name), "utf8"));

test("lines after a torn one of the journal are made again, and the run has the numbers of a whole one", async () => {
  const [whole, torn] = [join(root, "whole"), join(root, "torn")];
  await trainWith(fakeMakers(), config, { out: whole });
  await expect(trainWith(mortalMakers(), config, { out: torn })).rejects.toThrow(/killed/);
  const journal = join(torn, "journal", "train-0001.jsonl");
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
  expect(lines.length).toBe(16);
  // Half of a line was written, then the disk worked again for the lines of other rollouts.
  const half = lines[5]!.slice(0, lines[5]!.length / 2);
  writeFileSync(
    journal,
    `${lines
      .with(5, half + lines[6]!)
      .toSpliced(6, 1)
      .join("\n")}\n`,
  );
  await trainWith(fakeMakers(), config, { out: torn });
  expect(readRollouts(torn)).toEqual(readRollouts(whole));
  expect(existsSync(join(torn, "journal"))).toBe(false);
});
