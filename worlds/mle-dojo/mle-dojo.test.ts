import { WorldUnderTest } from "bowline/testing";
import { expect, test } from "vitest";
import mleDojo, { BASELINES, baselineScores, hiddenScore } from "./mle-dojo.ts";
import { COMPETITIONS, drawTables, fitAndPredict, MODELS, scorePredictions } from "./models.ts";

const world = new WorldUnderTest(mleDojo, 1);

test("solutions pass, doing nothing and mutants fail, equivalents pass", async () => {
  for (const id of ["train/0/1", "train/3/2", "test-normal/5/3"]) {
    const report = await world.check(id);
    expect(report).toMatchObject({ solutionPass: true, noopFail: true });
    expect(report).toMatchObject({ survivors: [], rejected: [], exceptions: [] });
  }
});

test("tables follow from competition and seed, and each competition has a model of its own", () => {
  expect(drawTables("prices", 3)).toEqual(drawTables("prices", 3));
  expect(drawTables("prices", 3)).not.toEqual(drawTables("prices", 4));
  const best = COMPETITIONS.map(
    (one) => MODELS.toSorted((a, b) => hiddenScore(one, 5, b) - hiddenScore(one, 5, a))[0],
  );
  expect(best).toEqual(["linear", "tree", "groups", "neighbours", "waves", "products"]);
});

test("R² is 1 for perfect predictions, 0 for the mean, and the mean beats no baseline", () => {
  const { training, hidden } = drawTables("fares", 7);
  const centre = hidden.reduce((sum, { y }) => sum + y, 0) / hidden.length;
  expect(
    scorePredictions(
      hidden,
      hidden.map(({ y }) => y),
    ),
  ).toBe(1);
  expect(
    scorePredictions(
      hidden,
      hidden.map(() => centre),
    ),
  ).toBeCloseTo(0, 12);
  const score = scorePredictions(hidden, fitAndPredict("mean", training, hidden));
  expect(baselineScores("fares", 7).filter((least) => score >= least)).toEqual([]);
});

test("the reward is the share of baselines that were beaten, and labels of hidden rows are not shown", async () => {
  const [task] = world.tasks("dev", 3).filter(({ signature }) => signature.endsWith("rings"));
  expect(task).toBeUndefined();
  const faults = world.tasks("dev", 2)[3]!;
  expect(faults.signature).toBe("competition.faults");
  const { turns, evaluation } = await world.demonstrate(faults.id, {
    *solution() {
      yield "print(Object.keys(apis.lab.hiddenRows()[0]).join())";
      yield 'print(apis.lab.submit({predictions:apis.lab.predict({model:"linear"})}))';
      yield "apis.me.finishTask()";
    },
  });
  expect(turns[0]!.result.stdout.trim()).toBe("a,b,c,group");
  const beaten = Number(turns[1]!.result.stdout);
  expect(beaten).toBeGreaterThan(0);
  expect(beaten).toBeLessThan(BASELINES.length);
  const progress = evaluation.checks.filter(({ label }) => label === "progress");
  expect(progress.filter(({ passed }) => passed)).toHaveLength(beaten);
  expect(progress).toHaveLength(BASELINES.length);
});
