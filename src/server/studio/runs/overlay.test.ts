/** Tests the comparison of runs: what counts as an arm, a pair and a test. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { overlaySchema } from "../../../spec/studio/index.ts";
import { createMemoryFolder } from "../../../testing/fake-makers.ts";
import { readConfigFields } from "./config-differences.ts";
import { buildOverlay } from "./overlay.ts";
import { openRuns, type Runs } from "./runs.ts";
import { summariseGroups } from "./score-groups.ts";

let root: string;
let runs: Runs;
beforeAll(() => {
  root = createMemoryFolder("bowline-studio-overlay-");
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    makeRun(`a${seed}`, { method: "loop", seed, tgc: 0.7 + seed / 100 });
    makeRun(`b${seed}`, { method: "rloo", seed, tgc: 0.5 + (seed % 3) / 50 });
  }
  for (const seed of [1, 2, 3, 4, 5]) {
    makeRun(`same${seed}`, { setting: "starter", method: "loop", seed, tgc: 0.7 });
    makeRun(`low${seed}`, { setting: "starter", method: "rloo", seed, tgc: 0.5 });
  }
  makeRun("again1", { method: "loop", seed: 1, tgc: 0.91 });
  makeRun("other", { method: "rloo", seed: 9, tgc: 0.4 });
  makeRun("moved", { setting: "starter", method: "rloo", seed: 1, tgc: 0.3 });
  makeRun("young", { method: "rloo", seed: 2 });
  runs = openRuns(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface MadeRun {
  readonly setting?: string;
  readonly method: string;
  readonly seed: number;
  readonly tgc?: number;
}

function makeRun(name: string, { setting = "smoke", method, seed, tgc }: MadeRun): void {
  mkdirSync(join(root, name));
  const config = { setting, method, run: { seed }, algo: { clip: method === "loop" ? 0.1 : 0.2 } };
  writeFileSync(join(root, name, "run.json"), JSON.stringify({ seed, config }));
  if (tgc === undefined) return;
  const score = {
    ...{ tgc, sgc: 0, tgcInterval: [0, 1], tasks: 60, scenarios: 20 },
    ...{ byDifficulty: {}, reward: 0, behaviour: {} },
  };
  writeFileSync(
    join(root, name, "summary.json"),
    JSON.stringify({ before: {}, after: { dev: score } }),
  );
}

const runIds = (arm: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${arm}${i + 1}`);
const fetchOverlay = async (...ids: string[]) => overlaySchema.parse(await buildOverlay(runs, ids));

describe("runs in a comparison", () => {
  it("form arms by setting and method, with an interval over runs", async () => {
    const { arms } = await fetchOverlay("a1", "a2", "a3", "b1");
    expect(arms.map(({ name, seeds }) => [name, seeds])).toEqual([
      ["smoke/loop", [1, 2, 3]],
      ["smoke/rloo", [1]],
    ]);
    const { mean, interval, runs: values } = arms[0]!.after["dev"]!;
    expect(mean).toBeCloseTo(0.72, 12);
    // Student's t with two degrees of freedom: 4.303 x 0.01 / sqrt 3.
    expect(interval![0]).toBeCloseTo(0.72 - 0.02484, 4);
    expect(values).toEqual([0.71, 0.72, 0.73]);
    expect(arms[1]!.after["dev"]!.interval).toBeNull();
  });

  it("are not tested with fewer than five pairs of seeds", async () => {
    const { tests } = await fetchOverlay(...runIds("a", 4), ...runIds("b", 4));
    expect(tests).toHaveLength(1);
    expect(tests[0]).toMatchObject({ a: "smoke/loop", b: "smoke/rloo", split: "dev", p: null });
    expect(tests[0]!.note).toBe("over 4 pairs of runs: too few for a test, which needs 5 seeds");
    expect(tests[0]!.interval).not.toBeNull();
  });

  it("are tested by pairs of seeds, each seed counted once", async () => {
    const { tests } = await fetchOverlay(...runIds("a", 5), ...runIds("b", 5));
    expect(tests[0]!.p).toBeLessThan(0.001);
    const plain = tests[0]!.difference;
    const doubled = await fetchOverlay(...runIds("a", 5), "again1", ...runIds("b", 5));
    // The two runs of seed 1 count as their mean: one fifth of half of 0.2.
    expect(doubled.tests[0]!.difference).toBeCloseTo(plain + 0.02, 12);
    expect(doubled.tests[0]!.note).toBe("paired t test over 5 pairs of runs");
  });

  it("have no interval and no test where their scores differ equally", async () => {
    const { arms, tests } = await fetchOverlay(...runIds("same", 5), ...runIds("low", 5));
    expect(arms.map(({ after }) => after["dev"]!.interval)).toEqual([null, null]);
    expect(tests[0]).toMatchObject({ interval: null, p: null });
    expect(tests[0]!.difference).toBeCloseTo(0.2, 12);
    expect(tests[0]!.note).toBe(
      "not tested over 5 pairs of runs, which all differ equally, so there is no interval",
    );
    const few = await fetchOverlay("same1", "same2", "low1", "low2");
    expect(few.tests[0]).toMatchObject({ interval: null, p: null });
    expect(few.tests[0]!.note).toContain("which all differ equally, so there is no interval");
    const one = await fetchOverlay("same1", "low1");
    expect(one.tests[0]!.note).toContain("over 1 pair of runs, which has no interval");
  });

  it("are not paired without a common seed and a common setting", async () => {
    const apart = await fetchOverlay("a1", "other");
    expect(apart.tests[0]).toMatchObject({ interval: null, p: null });
    expect(apart.tests[0]!.note).toMatch(/^no seed in common/);
    const moved = await fetchOverlay("b1", "moved");
    expect(moved.tests[0]!.note).toMatch(/^different settings/);
  });

  it("are listed with the configuration fields in which they differ", async () => {
    const { differences } = await fetchOverlay("a1", "b1", "b2");
    expect(differences).toEqual([
      { path: "method", values: { a1: '"loop"', b1: '"rloo"', b2: '"rloo"' } },
      { path: "run.seed", values: { a1: "1", b1: "1", b2: "2" } },
      { path: "algo.clip", values: { a1: "0.1", b1: "0.2", b2: "0.2" } },
    ]);
  });

  it("count in no mean as long as they have no score", async () => {
    const { arms, tests } = await fetchOverlay("a1", "young");
    expect(arms[1]!.after).toEqual({});
    expect(tests).toEqual([]);
  });

  it("must be at least two, and must exist", async () => {
    await expect(fetchOverlay("a1", "a1")).rejects.toMatchObject({ status: 400 });
    await expect(fetchOverlay("a1", "nowhere")).rejects.toMatchObject({ status: 404 });
  });
});

describe("the table of runs", () => {
  it("can have the fields of the configuration in which the runs differ as columns", async () => {
    const { runs: ids, fields } = await readConfigFields(runs);
    expect(ids).toContain("a1");
    expect(fields.map(({ path }) => path)).toEqual(["setting", "method", "run.seed", "algo.clip"]);
    const clip = fields.find(({ path }) => path === "algo.clip")!;
    expect([clip.values[ids.indexOf("a1")], clip.values[ids.indexOf("b1")]]).toEqual([
      "0.1",
      "0.2",
    ]);
  });

  it("summarises a score over groups of runs, where runs without the score count as none", async () => {
    const { groups } = await summariseGroups(runs, {
      split: "dev",
      groups: [["a1", "a2", "a3", "young"], ["other"], ["young"]],
    });
    expect(groups).toMatchObject([
      { runs: 4, scored: 3, mean: expect.closeTo(0.72, 9), spread: expect.closeTo(0.01, 9) },
      { runs: 1, scored: 1, mean: 0.4 },
      { runs: 1, scored: 0 },
    ]);
    const { arms } = await fetchOverlay("a1", "a2", "a3");
    expect(groups[0]!.interval).toEqual(arms[0]!.after["dev"]!.interval);
    expect(groups.slice(1).map(({ interval, spread }) => [interval, spread])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    await expect(summariseGroups(runs, { split: "dev", groups: [["none"]] })).rejects.toMatchObject(
      { status: 404 },
    );
  });
});
