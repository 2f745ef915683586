/** Tests that a run which was killed repeats no finished rollout, and ends with the numbers of an uninterrupted run. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SMALL_RUN } from "../../../tests/support/watched-run.ts";
import { Rng } from "../../core/index.ts";
import type { Engine } from "../../spec/index.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import type { Makers } from "../parts/makers.ts";
import { readRollouts } from "../run/run-store.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-resume-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const config = resolveConfig({
  recipe: "smoke",
  overrides: {
    ...FAKE_RUN,
    "world.trainScenarios": 4,
    "world.episodes": 4,
    "algo.iterations": 2,
    "algo.tasksPerIteration": 6,
    "algo.groupSize": 4,
    "algo.minibatch": 8,
    "evaluation.scenarios": 2,
  },
});
const ROLLOUTS_PER_ITERATION = 24;

/** Makers that count what their engine does. */
interface WatchedMakers {
  readonly makers: Makers;
  /** The ids of rollouts for which the engine sampled at least once, and the number of optimizer steps. */
  readonly seen: { readonly rollouts: Set<string>; updates: number };
}

/** Creates makers of a fake engine that dies at the start of the n-th training rollout, or during the n-th update. */
function createMortalMakers(
  dies: { readonly rollout?: number; readonly update?: number } = {},
): WatchedMakers {
  const makers = fakeMakers();
  const seen = { rollouts: new Set<string>(), updates: 0 };
  const createEngine: Makers["createEngine"] = async (name, request, origin) => {
    const engine = await makers.createEngine(name, request, origin);
    let steps = 0;
    let dead = false;
    const throwIfDead = () => {
      if (dead) throw new Error("killed");
    };
    const sample: Engine["sample"] = async (requests, signal) => {
      throwIfDead();
      for (const { cacheKey = "" } of requests) {
        if (/^\d/.test(cacheKey)) seen.rollouts.add(cacheKey);
        dead = seen.rollouts.size === dies.rollout;
      }
      throwIfDead();
      return engine.sample(requests, signal);
    };
    const update: Engine["update"] = async (step) => {
      throwIfDead();
      dead = ++steps === dies.update;
      throwIfDead();
      seen.updates += 1;
      return engine.update(step);
    };
    return { ...engine, sample, update };
  };
  return { makers: { ...makers, createEngine }, seen };
}

const expectKilled = (run: Promise<unknown>) => expect(run).rejects.toThrow(/killed/);

/** Reads all files of a run except those with wall times. */
function readRunFiles(directory: string): Map<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => /\.(jsonl?|html)$/.test(name));
  const timed = ["timings.jsonl", "summary.json"];
  return new Map(
    files
      .filter((name) => !timed.includes(name) && !name.endsWith("trainer.json"))
      .map((name) => [name, readFileSync(join(directory, name), "utf8")]),
  );
}

describe("a run with the straggler rule", () => {
  // Rollouts have many lengths, and the rule drops some of them in the second iteration.
  const stragglerConfig = resolveConfig({
    recipe: "starter",
    overrides: {
      ...SMALL_RUN,
      "world.episodes": 5,
      "algo.iterations": 2,
      "optimizer.learningRate": 0.02,
      "algo.stragglers.share": 0.5,
      "algo.stragglers.groupShare": 0.5,
    },
  });
  const countCancelled = (directory: string) =>
    readRollouts(directory, "train-0002").filter(({ outcome }) => outcome === "cancelled").length;
  const rng = new Rng(20);
  const killPoints = Array.from({ length: 20 }, () => rng.integer(1, 2 * 48));

  it.each(killPoints)(
    "has the same rollouts and metrics after it was killed at rollout %i",
    async (rollout) => {
      const whole = join(root, "whole");
      await trainWith(createMortalMakers().makers, stragglerConfig, { out: whole });
      expect(countCancelled(whole)).toBeGreaterThan(5);
      const out = join(root, "killed");
      await expectKilled(
        trainWith(createMortalMakers({ rollout }).makers, stragglerConfig, { out }),
      );
      await trainWith(createMortalMakers().makers, stragglerConfig, { out });
      expect(readRunFiles(out)).toEqual(readRunFiles(whole));
    },
  );
});

describe("a run that was killed within an iteration", () => {
  it.each([2, 13, 24, 30, 48])(
    "repeats no finished rollout (killed at rollout %i)",
    async (rollout) => {
      const whole = join(root, "whole");
      const expected = await trainWith(createMortalMakers().makers, config, { out: whole });
      const out = join(root, "killed");
      const first = createMortalMakers({ rollout });
      await expectKilled(trainWith(first.makers, config, { out }));
      const kept = readJournalIds(out);
      expect(kept.size).toBeGreaterThan(
        ((rollout - 1) % ROLLOUTS_PER_ITERATION) - config.world.episodes,
      );
      const second = createMortalMakers();
      const summary = await trainWith(second.makers, config, { out });
      // No rollout in the journal is sampled again, and all other rollouts are sampled.
      expect([...kept].filter((id) => second.seen.rollouts.has(id))).toEqual([]);
      const iteration = Math.ceil(rollout / ROLLOUTS_PER_ITERATION);
      expect(second.seen.rollouts.size).toBe((3 - iteration) * ROLLOUTS_PER_ITERATION - kept.size);
      expect({ ...summary, seconds: 0 }).toEqual({ ...expected, seconds: 0 });
      expect(readRunFiles(out)).toEqual(readRunFiles(whole));
      expect(existsSync(join(out, "journal"))).toBe(false);
    },
  );

  it("samples nothing again if it was killed while learning, and repeats only the steps after the checkpoint", async () => {
    const whole = createMortalMakers();
    await trainWith(whole.makers, config, { out: join(root, "whole") });
    const out = join(root, "killed");
    const warm = 12;
    expect(whole.seen.updates).toBeGreaterThan(warm + 3);
    await expectKilled(trainWith(createMortalMakers({ update: warm + 2 }).makers, config, { out }));
    expect(readJournalIds(out).size).toBe(ROLLOUTS_PER_ITERATION);
    const second = createMortalMakers();
    await trainWith(second.makers, config, { out });
    expect(second.seen.rollouts.size).toBe(ROLLOUTS_PER_ITERATION);
    expect(second.seen.updates).toBe(whole.seen.updates - warm);
    expect(readRunFiles(out)).toEqual(readRunFiles(join(root, "whole")));
  });

  it("keeps the finished rollouts of an evaluation", async () => {
    const whole = join(root, "whole");
    await trainWith(createMortalMakers().makers, config, { out: whole });
    const out = join(root, "killed");
    const makers = fakeMakers();
    const makersWithSampleLimit = (most: number) => {
      const asked = new Set<string>();
      const createEngine: Makers["createEngine"] = async (name, request, origin) => {
        const engine = await makers.createEngine(name, request, origin);
        const sample: Engine["sample"] = (requests, signal) => {
          const key = requests[0]!.cacheKey ?? "";
          if (key.startsWith("eval-before")) asked.add(key);
          if (asked.size > most) return Promise.reject(new Error("killed"));
          return engine.sample(requests, signal);
        };
        return { ...engine, sample };
      };
      return { makers: { ...makers, createEngine }, asked };
    };
    await expectKilled(trainWith(makersWithSampleLimit(5).makers, config, { out }));
    const second = makersWithSampleLimit(100);
    await trainWith(second.makers, config, { out });
    // The splits dev and test-normal have six tasks each.
    expect(second.asked.size).toBeLessThan(12);
    expect(readRunFiles(out)).toEqual(readRunFiles(whole));
  });

  it("finishes even if each attempt to continue is killed after the same number of rollouts", async () => {
    const out = join(root, "killed");
    for (let life = 0; ; life++) {
      expect(life).toBeLessThan(20);
      try {
        await trainWith(createMortalMakers({ rollout: 8 }).makers, config, { out });
        break;
      } catch (error) {
        expect(String(error)).toMatch(/killed/);
      }
    }
    await trainWith(createMortalMakers().makers, config, { out: join(root, "whole") });
    expect(readRunFiles(out)).toEqual(readRunFiles(join(root, "whole")));
  });
});

/** Returns the ids of the stored rollouts that stand. Failed ones are stored for a diagnosis alone and run again. */
function readJournalIds(out: string): Set<string> {
  const folder = join(out, "journal");
  if (!existsSync(folder)) return new Set();
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean),
  );
  const rollouts = lines.map((line) => JSON.parse(line) as { id: string; outcome: string });
  return new Set(rollouts.flatMap(({ id, outcome }) => (outcome === "failed" ? [] : [id])));
}
