/**
 * Tests the counters of mechanisms. They look at the results of an iteration and not at its configuration. They are 0
 * when no mechanism is switched on; otherwise they count how often each mechanism acted.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { trainAndWatch } from "../../../tests/support/watched-run.ts";
import { createWordyWorld } from "../../../tests/support/wordy-world.ts";
import {
  counterMetricNames,
  type Evidence,
  MECHANISMS,
  type Mechanism,
} from "../../methods/index.ts";
import { fakeRollout } from "../../testing/fake-rollout.ts";

const collectedEvidence: Evidence[] = [];
const openMechanisms = MECHANISMS as Record<string, Mechanism>;
/** A mechanism that records the evidence which counters receive. */
const EVIDENCE_COLLECTOR: Mechanism = {
  isOn: () => true,
  unit: "iterations",
  count: (evidence) => {
    collectedEvidence.push(evidence);
    return { meant: 0, fired: 0 };
  },
};
beforeAll(() => {
  openMechanisms["listener"] = EVIDENCE_COLLECTOR;
});
afterAll(() => {
  delete openMechanisms["listener"];
});

async function collectEvidence(fields: object, recipe: string): Promise<Evidence[]> {
  collectedEvidence.length = 0;
  await trainAndWatch({ "algo.iterations": 2, ...fields }, { recipe, world: createWordyWorld() });
  return [...collectedEvidence];
}

const listFiringMechanisms = (evidence: readonly Evidence[]) =>
  Object.entries(MECHANISMS)
    .filter(([, { count }]) => evidence.some((one) => count(one).fired > 0))
    .map(([name]) => name);

describe("with no mechanism switched on, every counter is 0 for the recipe", () => {
  /** The mechanisms that are always switched on, by recipe. */
  const ALWAYS_ON: Readonly<Record<string, readonly string[]>> = {
    "starter/on-policy": ["warm start"],
    ei: ["warm start", "expert iteration"],
    "ppo-critic": ["warm start", "critic"],
    dmpo: ["warm start"],
    "dpo-mcts": ["warm start", "tree search"],
  };

  test.each(Object.entries(ALWAYS_ON))("%s", async (recipe, own) => {
    const evidence = await collectEvidence({}, recipe);
    expect(evidence.length).toBeGreaterThan(0);
    expect(listFiringMechanisms(evidence).filter((name) => !own.includes(name))).toEqual([]);
  });
});

describe("metrics count how often a mechanism that is switched on acted:", () => {
  const sumCounters = async (
    fields: Readonly<Record<string, unknown>>,
    recipe = "starter/on-policy",
  ) => {
    const { metrics } = await trainAndWatch(fields, { recipe, world: createWordyWorld() });
    return (name: string) => {
      const { fired, meant } = counterMetricNames(name);
      const sumMetric = (metric: string) =>
        metrics.reduce((all, line) => all + (line[metric] ?? 0), 0);
      return [sumMetric(fired), sumMetric(meant)] as const;
    };
  };

  test("mechanisms that are switched off have no counter", async () => {
    const { metrics } = await trainAndWatch({}, { recipe: "starter/on-policy" });
    const names = Object.keys(metrics[0]!).filter((name) => /^(fires|meant)\//.test(name));
    expect(names).toEqual(["fires/warm-start", "meant/warm-start"]);
    const plain = await trainAndWatch({}, { recipe: "starter" });
    expect(Object.keys(plain.metrics[0]!).filter((name) => /^(fires|meant)\//.test(name))).toEqual(
      [],
    );
  });

  test("a user acts after every turn except the last", async () => {
    const [fired, meant] = (await sumCounters({ "participants.user": "reminder" }))("user");
    expect(meant).toBeGreaterThan(0);
    expect(fired).toBe(meant);
  });

  test("a judge that gives no number does not count as having acted", async () => {
    const [fired, meant] = (await sumCounters({ "participants.judge": "policy" }))("judge");
    expect(meant).toBeGreaterThan(0);
    expect(fired).toBeLessThan(meant / 2);
  });

  test("a plan that is cut off does not count as an action of the planner", () => {
    const plan = { message: "a, b", code: "", observation: "", status: "ok" as const, calls: [] };
    const rolloutWithPlan = (last: number) =>
      fakeRollout({
        turns: [{ ...plan, part: "plan", span: [1, 3] }],
        tokens: { ids: [5, 6, last], mask: [0, 1, 1], logprobs: [0, -1, -1] },
      });
    const evidence = {
      rollouts: [rolloutWithPlan(7), rolloutWithPlan(8)],
      renderer: { stopIds: [7] },
    } as unknown as Evidence;
    expect(MECHANISMS["planner"]!.count(evidence)).toEqual({ meant: 2, fired: 1 });
  });

  test("group advantages count as acting only in groups whose returns differ", async () => {
    const fields = { "algo.baseline": "mean", "algo.scale": "group" };
    const [fired, meant] = (await sumCounters(fields))("group advantage");
    expect(meant).toBeGreaterThan(0);
    expect(fired).toBe(meant);
  });

  test("a KL term acts only after the policy has moved away from its start", async () => {
    const fields = { "algo.kl.coefficient": 0.1, "algo.iterations": 3 };
    const [fired, meant] = (await sumCounters(fields))("KL to the start");
    expect(fired).toBeGreaterThan(meant / 2);
    expect(fired).toBeLessThan(meant);
  });

  test("a stage counts as acting only if it changes the configuration", async () => {
    const stages = [
      { iterations: 1, patch: {} },
      { iterations: 1, patch: { "algo.clip": 0.3 } },
    ];
    const fields = { "algo.iterations": 2, "schedule.stages": JSON.stringify(stages) };
    expect((await sumCounters(fields))("stages")).toEqual([1, 1]);
    const same = stages.map((stage) => ({ ...stage, patch: {} }));
    const idle = { ...fields, "schedule.stages": JSON.stringify(same) };
    expect((await sumCounters(idle))("stages")).toEqual([0, 0]);
  });
});
