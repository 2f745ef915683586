/**
 * Tests what the whole world `everyday/live` has to hold: its splits, its sizes, and that its tasks need what they
 * claim. `npm test` tries some tasks of each family, and `npm run test:all` all signatures.
 */
import { WorldUnderTest } from "bowline/testing";
import { type Dials, Rng, type ScenarioRequest, type TaskInfo } from "bowline/world";
import { describe, expect, test } from "vitest";
import { CHALLENGE_APPS } from "../everyday.ts";
import live from "../live.ts";
import * as statistics from "../tests/live-statistics.ts";
import { sweepSize } from "../tests/sweep.ts";
import { liveFamilies } from "./families/index.ts";
import { listSignatures, makeLiveTasks, TRAITS, type Trait } from "./family.ts";

const SPLITS = ["train", "dev", "test-normal", "test-challenge"] as const;
type LiveSplit = (typeof SPLITS)[number];

const world = new WorldUnderTest(live, 1);
const population = world.copyPopulation();
const signatures = Object.fromEntries(
  SPLITS.map((split) => [split, listSignatures(liveFamilies, split)]),
) as { readonly [S in LiveSplit]: ReturnType<typeof listSignatures> };

/** Returns the tasks of all signatures of a split, with their traits. */
const listTasks = (split: LiveSplit) =>
  signatures[split].flatMap((_, index) => {
    const request = {
      split,
      index,
      base: population,
      owner: world.owner,
      rng: new Rng(index),
      dials: { logins: true },
    };
    return makeLiveTasks(liveFamilies, request as unknown as ScenarioRequest & { dials: Dials });
  });
const tasks = { all: SPLITS.flatMap(listTasks) };

/** Returns one task of each family of a split, or in a sweep one of each signature. */
function sampleTasks(split: LiveSplit): TaskInfo[] {
  const families = new Set(signatures[split].map(({ family }) => family)).size;
  const infos = world.tasks(split, sweepSize(families, signatures[split].length));
  return infos.filter((_, i) => i % 3 === Math.floor(i / 3) % 3);
}

describe("splits", () => {
  test("no story and no signature is in two splits, and test families are not in training", () => {
    const storiesOf = (split: LiveSplit) =>
      new Set(signatures[split].map(({ family, story }) => `${family.name}.${story.name}`));
    const all = SPLITS.flatMap((split) => [...storiesOf(split)]);
    expect(new Set(all).size).toBe(all.length);
    const familiesOf = (split: LiveSplit) =>
      new Set(signatures[split].map(({ family }) => family.name));
    for (const split of ["test-normal", "test-challenge"] as const)
      for (const name of familiesOf(split)) expect([...familiesOf("train")]).not.toContain(name);
    expect(new Set(liveFamilies.map(({ name }) => name)).size).toBe(liveFamilies.length);
  });

  test("there are 240 scenarios of three variants", () => {
    const count = Object.values(live.scenarios).reduce((sum, n) => sum + n, 0);
    expect(count).toBeGreaterThanOrEqual(240);
    expect(liveFamilies.length).toBeGreaterThanOrEqual(12);
  });

  test("instructions are sentences, and nearly all of them differ", () => {
    const texts = tasks.all.map(({ instruction }) => instruction);
    // What differs may stand in prose alone.
    expect(new Set(texts).size).toBeGreaterThan(0.95 * texts.length);
    for (const text of texts) {
      expect(text).toMatch(/^[A-Z"].*[.?!]"?$/s);
      expect(text).not.toMatch(/undefined|NaN|\[object| {2}/);
    }
  });

  test("many tasks need waiting, prose and answers, carry a trap, or are impossible", () => {
    const share = (trait: Trait) =>
      statistics.mean(tasks.all.map(({ traits }) => Number(traits.includes(trait))));
    const shares = Object.fromEntries(TRAITS.map((trait) => [trait, share(trait)])) as {
      [T in Trait]: number;
    };
    expect(shares.wait).toBeGreaterThanOrEqual(0.3);
    expect(shares.prose).toBeGreaterThanOrEqual(0.33);
    expect(shares.ask).toBeGreaterThanOrEqual(0.2);
    expect(shares.owner).toBeGreaterThanOrEqual(0.2);
    expect(shares.trap).toBeGreaterThanOrEqual(0.15);
    expect(shares.impossible).toBeGreaterThanOrEqual(0.1);
  });
});

/** What makes solutions without something that their tasks claim to need. */
const WITHOUT = {
  wait: statistics.withoutWaiting,
  ask: statistics.withoutAnswers,
  owner: statistics.withoutOwner,
  notes: statistics.withoutNotes,
};

/** The world without prose, which takes a second to make. */
let silent: WorldUnderTest | undefined;

/** The least means of a split: different APIs that are necessary, calls, apps, statements. */
const LEAST = { "test-normal": [11, 45, 3, 40], "test-challenge": [14, 60, 4, 40] } as const;

describe.each(SPLITS)("tasks of %s", (split) => {
  const sample = sampleTasks(split);

  test("the solution passes, uses apps of its split, and is as long as it has to be", async () => {
    const sizes: statistics.TaskSize[] = [];
    for (const info of sample) {
      const demonstration = await world.demonstrate(info.id);
      expect(demonstration.evaluation, info.signature).toMatchObject({ passed: true });
      const size = statistics.measureDemonstration(demonstration);
      const isNew = size.apis.some((name) => CHALLENGE_APPS.includes(name.split(".")[0]!));
      expect(isNew, info.signature).toBe(split === "test-challenge");
      const apis = await statistics.listNecessaryApis(world, info, sweepSize([], size.apis));
      sizes.push(sweepSize(size, { ...size, apis }));
    }
    if (split !== "test-normal" && split !== "test-challenge") return;
    const [apis, calls, apps, statements] = LEAST[split];
    expect(statistics.mean(sizes.map((size) => size.apis.length))).toBeGreaterThanOrEqual(apis);
    expect(statistics.mean(sizes.map((size) => size.calls))).toBeGreaterThanOrEqual(calls);
    expect(statistics.mean(sizes.map((size) => size.apps))).toBeGreaterThanOrEqual(apps);
    expect(statistics.mean(sizes.map((size) => size.statements))).toBeGreaterThanOrEqual(
      statements,
    );
    if (split === "test-challenge" && sweepSize(false, true))
      expect(Math.max(...sizes.map((size) => size.apis.length))).toBeGreaterThanOrEqual(26);
  }, 600_000);

  test.runIf(sweepSize(split === "test-challenge", true))(
    "what a task claims to need, it needs",
    async () => {
      silent ??= new WorldUnderTest(statistics.withoutProse(live), 1);
      const needless: string[] = [];
      for (const { id, signature } of sample) {
        const { task } = world.prepareTask(id);
        const { traits } = task as typeof task & { readonly traits: readonly Trait[] };
        const passes = async (trait: Trait) => {
          if (trait === "prose") return (await silent!.demonstrate(id)).evaluation.passed;
          const solution = WITHOUT[trait as keyof typeof WITHOUT](task.solution!);
          return (await world.demonstrate(id, { solution })).evaluation.passed;
        };
        for (const trait of traits)
          if ((trait === "prose" || trait in WITHOUT) && (await passes(trait)))
            needless.push(`${signature}: ${trait}`);
      }
      expect(needless).toEqual([]);
    },
    600_000,
  );

  test.runIf(sweepSize(split === "train", true))(
    "every wrong solution fails, and the verdict agrees",
    async () => {
      for (const { id } of sweepSize(sample.slice(0, 1), sample))
        expect(await world.check(id)).toMatchObject({
          ...{ solutionPass: true, hastyPass: false, noopFail: true, survivors: [], rejected: [] },
          agreement: { disagreements: [] },
        });
    },
    600_000,
  );
});
