/** What a death costs: nothing that was finished is sampled again, and no number of the run changes. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SMALL } from "../../../tests/support/watched-run.ts";
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
const OF_AN_ITERATION = 24;

interface Watched {
  readonly makers: Makers;
  /** Rollouts that sampled at least once, and optimizer steps. */
  readonly seen: { readonly rollouts: Set<string>; updates: number };
}

/** The fake engine; it dies when the n-th training rollout starts, or in the n-th update of the loop. */
function watched(dies: { readonly rollout?: number; readonly update?: number } = {}): Watched {
  const makers = fakeMakers();
  const seen = { rollouts: new Set<string>(), updates: 0 };
  const createEngine: Makers["createEngine"] = async (name, request) => {
    const engine = await makers.createEngine(name, request);
    let steps = 0;
    let dead = false;
    const live = () => {
      if (dead) throw new Error("killed");
    };
    const sample: Engine["sample"] = async (requests, signal) => {
      live();
      for (const { cacheKey = "" } of requests) {
        if (/^\d/.test(cacheKey)) seen.rollouts.add(cacheKey);
        dead = seen.rollouts.size === dies.rollout;
      }
      live();
      return engine.sample(requests, signal);
    };
    const update: Engine["update"] = async (step) => {
      live();
      dead = ++steps === dies.update;
      live();
      seen.updates += 1;
      return engine.update(step);
    };
    return { ...engine, sample, update };
  };
  return { makers: { ...makers, createEngine }, seen };
}

const killed = (run: Promise<unknown>) => expect(run).rejects.toThrow(/killed/);

/** All that a run leaves, but wall times. */
function contents(directory: string): Map<string, string> {
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
  // Rollouts of many lengths, of which the rule drops some in the second iteration.
  const cutting = resolveConfig({
    recipe: "starter",
    overrides: {
      ...SMALL,
      "world.episodes": 5,
      "algo.iterations": 2,
      "optimizer.learningRate": 0.02,
      "algo.stragglers.share": 0.5,
      "algo.stragglers.groupShare": 0.5,
    },
  });
  const cancelled = (directory: string) =>
    readRollouts(directory, "train-0002").filter(({ outcome }) => outcome === "cancelled").length;
  const rng = new Rng(20);
  const points = Array.from({ length: 20 }, () => rng.integer(1, 2 * 48));

  it.each(points)("has the same rollouts and metrics after it was killed at rollout %i", async (rollout) => {
    const whole = join(root, "whole");
    await trainWith(watched().makers, cutting, { out: whole });
    expect(cancelled(whole)).toBeGreaterThan(5);
    const out = join(root, "killed");
    await killed(trainWith(watched({ rollout }).makers, cutting, { out }));
    await trainWith(watched().makers, cutting, { out });
    expect(contents(out)).toEqual(contents(whole));
  });
});

describe("a run that was killed within an iteration", () => {
  it.each([2, 13, 24, 30, 48])("repeats no finished rollout (killed at rollout %i)", async (rollout) => {
    const whole = join(root, "whole");
    const expected = await trainWith(watched().makers, config, { out: whole });
    const out = join(root, "killed");
    const first = watched({ rollout });
    await killed(trainWith(first.makers, config, { out }));
    const kept = journalled(out);
    expect(kept.size).toBeGreaterThan(((rollout - 1) % OF_AN_ITERATION) - config.world.episodes);
    const second = watched();
    const summary = await trainWith(second.makers, config, { out });
    // Nobody samples again what is in the journal, and all the rest is sampled.
    expect([...kept].filter((id) => second.seen.rollouts.has(id))).toEqual([]);
    const iteration = Math.ceil(rollout / OF_AN_ITERATION);
    expect(second.seen.rollouts.size).toBe((3 - iteration) * OF_AN_ITERATION - kept.size);
    expect({ ...summary, seconds: 0 }).toEqual({ ...expected, seconds: 0 });
    expect(contents(out)).toEqual(contents(whole));
    expect(existsSync(join(out, "journal"))).toBe(false);
  });

  it("samples nothing again if it was killed while learning, and repeats only steps after the checkpoint", async () => {
    const whole = watched();
    await trainWith(whole.makers, config, { out: join(root, "whole") });
    const out = join(root, "killed");
    const warm = 12;
    expect(whole.seen.updates).toBeGreaterThan(warm + 3);
    await killed(trainWith(watched({ update: warm + 2 }).makers, config, { out }));
    expect(journalled(out).size).toBe(OF_AN_ITERATION);
    const second = watched();
    await trainWith(second.makers, config, { out });
    expect(second.seen.rollouts.size).toBe(OF_AN_ITERATION);
    expect(second.seen.updates).toBe(whole.seen.updates - warm);
    expect(contents(out)).toEqual(contents(join(root, "whole")));
  });

  it("keeps the finished rollouts of an evaluation", async () => {
    const whole = join(root, "whole");
    await trainWith(watched().makers, config, { out: whole });
    const out = join(root, "killed");
    const makers = fakeMakers();
    const counted = (most: number) => {
      const asked = new Set<string>();
      const createEngine: Makers["createEngine"] = async (name, request) => {
        const engine = await makers.createEngine(name, request);
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
    await killed(trainWith(counted(5).makers, config, { out }));
    const second = counted(100);
    await trainWith(second.makers, config, { out });
    // Six dev tasks and six of test-normal.
    expect(second.asked.size).toBeLessThan(12);
    expect(contents(out)).toEqual(contents(whole));
  });

  it("finishes even if it is killed again and again after the same number of rollouts", async () => {
    const out = join(root, "killed");
    for (let life = 0; ; life++) {
      expect(life).toBeLessThan(20);
      try {
        await trainWith(watched({ rollout: 8 }).makers, config, { out });
        break;
      } catch (error) {
        expect(String(error)).toMatch(/killed/);
      }
    }
    await trainWith(watched().makers, config, { out: join(root, "whole") });
    expect(contents(out)).toEqual(contents(join(root, "whole")));
  });
});

/** Ids of rollouts in the journal. */
function journalled(out: string): Set<string> {
  const folder = join(out, "journal");
  if (!existsSync(folder)) return new Set();
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean),
  );
  return new Set(lines.map((line) => JSON.parse(line).id));
}
