/** Tests reward terms in training runs: each of them changes what is learned in the intended way. */
import { describe, expect, test } from "vitest";
import {
  type AccumulateCall,
  type ConfigFields,
  groupByTask,
  LONG_RUN,
  lastItem,
  rewardTerms,
  STRICT_REWARD,
  trainAndWatch,
} from "../../../tests/support/watched-run.ts";
import { groupBy, isPassed } from "../../algo/index.ts";
import type { Engine, TokenOutputs } from "../../spec/index.ts";

describe("reward terms", () => {
  const trainedTurns = async (...list: object[]) =>
    lastItem((await trainAndWatch({ ...rewardTerms(...list), ...LONG_RUN })).metrics)[
      "behaviour/turns"
    ]!;

  test("a positive weight on turns makes rollouts longer, and a negative one makes them shorter", async () => {
    const paid = await trainedTurns({ term: "turns" });
    const charged = await trainedTurns({ term: "turns", weight: -1 });
    expect(paid).toBeGreaterThan(charged + 0.5);
  });

  test("mean reward and mixed groups are computed from reward terms, not from the outcome", async () => {
    const { metrics, rollouts } = await trainAndWatch({
      ...STRICT_REWARD,
      ...rewardTerms({ term: "turns" }),
    });
    const turns = rollouts[0]!.map((rollout) => rollout.turns.length);
    expect(metrics[0]!["reward/mean"]).toBeCloseTo(
      turns.reduce((a, b) => a + b) / turns.length,
      10,
    );
    const groups = groupBy(rollouts[0]!, ({ task }) => task.id);
    const differ = [...groups.values()].filter(
      (group) => new Set(group.map((rollout) => rollout.turns.length)).size > 1,
    );
    expect(metrics[0]!["group/mixed"]).toBeCloseTo(differ.length / groups.size, 10);
  });

  test("a reward term with a gate is added only to rollouts whose outcome reaches the gate", async () => {
    const list = [{ term: "outcome" }, { term: "turns", gate: 1 }];
    const { metrics, rollouts } = await trainAndWatch({
      ...STRICT_REWARD,
      ...rewardTerms(...list),
    });
    const passed = rollouts[0]!.filter(isPassed);
    const earned = passed.reduce((sum, { turns }) => sum + turns.length, 0);
    expect(metrics[0]!["reward/term/turns"]).toBeCloseTo(earned / rollouts[0]!.length, 10);
  });

  test("a reward term with decay pays more for an early success than for a late one", async () => {
    const { metrics, rollouts } = await trainAndWatch({
      ...STRICT_REWARD,
      ...rewardTerms({ term: "outcome", decay: 0.5 }),
    });
    const worth = rollouts[0]!.map((r) => (isPassed(r) ? 0.5 ** (r.turns.length - 1) : 0));
    expect(new Set(worth).size).toBeGreaterThan(2);
    expect(metrics[0]!["reward/term/outcome"]).toBeCloseTo(
      worth.reduce((a, b) => a + b) / worth.length,
      10,
    );
  });

  test("the weight of a reward term follows its schedule over iterations", async () => {
    const weight = { shape: "linear", from: 1, to: 0, over: 2 };
    const { metrics, rollouts } = await trainAndWatch({
      ...rewardTerms({ term: "outcome" }, { term: "turns", weight }),
      "algo.iterations": 3,
    });
    const turns = rollouts.map(
      (all) => all.reduce((sum, r) => sum + r.turns.length, 0) / all.length,
    );
    const paid = metrics.map((line) => line["reward/term/turns"]!);
    [1, 0.5, 0].forEach((w, i) => {
      expect(paid[i]).toBeCloseTo(w * turns[i]!, 10);
    });
  });

  test("a penalty or a factor never lowers the reward of a failure, while a negative term does", async () => {
    // The term `turns` counts the turns of a rollout, so it charges every rollout.
    const runWithCharge = (how: string) =>
      trainAndWatch({
        ...STRICT_REWARD,
        ...rewardTerms({ term: "outcome" }, { term: "turns", how, weight: 0.4 }),
      });
    const { state: _, ...penalised } = await runWithCharge("penalty");
    const multiplied = await runWithCharge("factor");
    const countTrainedRows = (run: { readonly accumulated: readonly AccumulateCall[] }) =>
      run.accumulated[0]!.rows.length;
    // A penalty costs a failure nothing more, so groups without a success teach nothing in either case.
    const mixed = groupByTask(penalised.rollouts[0]!).filter((group) => group.some(isPassed));
    const upper = mixed.reduce((sum, group) => sum + group.length, 0);
    expect(countTrainedRows(penalised)).toBeLessThanOrEqual(upper);
    expect(countTrainedRows(multiplied)).toBeLessThanOrEqual(upper);
    const taken = await trainAndWatch({
      ...STRICT_REWARD,
      ...rewardTerms({ term: "outcome" }, { term: "turns", weight: -0.4 }),
    });
    expect(countTrainedRows(taken)).toBeGreaterThan(countTrainedRows(penalised));
  });

  test("the reward term kl is 0 in the first iteration and negative later", async () => {
    const { metrics } = await trainAndWatch({
      ...rewardTerms({ term: "outcome" }, { term: "kl", weight: 0.1, estimator: "k3" }),
      "algo.iterations": 3,
    });
    const paid = metrics.map((line) => line["reward/term/kl"]!);
    expect(paid[0]).toBeCloseTo(0, 6);
    expect(paid[2]).toBeLessThan(-1e-4);
  });

  test("the reward term contribution divides the outcome among the turns, and the parts sum to the outcome", async () => {
    const { metrics, state } = await trainAndWatch({
      ...rewardTerms({ term: "contribution" }),
      "credit.unit": "turn",
      "credit.returns": "to-go",
    });
    expect(metrics[0]!["reward/term/contribution"]).toBeCloseTo(metrics[0]!["reward/mean"]!, 10);
    expect(state.heads?.contribution?.some((w) => w !== 0)).toBe(true);
  });

  test("the reward term ranking learns that successful rollouts are short, and rollouts become shorter", async () => {
    const { metrics, state } = await trainAndWatch({
      ...rewardTerms({ term: "ranking" }),
      ...LONG_RUN,
    });
    expect(state.heads?.ranking?.some((w) => w !== 0)).toBe(true);
    const turns = metrics.map((line) => line["behaviour/turns"]!);
    expect(lastItem(turns)).toBeLessThan(turns[0]! - 0.2);
  });
});

describe("information gain", () => {
  /** Returns an engine in which the known answer becomes more probable with each observation before it. */
  const withGrowingBelief = (engine: Engine): Engine => ({
    ...engine,
    evaluate: async (rows, options) => {
      const outputs = await engine.evaluate(rows, options);
      return outputs.map((output, i): TokenOutputs => {
        const { tokens, at } = rows[i]!;
        const isBelief = options === undefined && Number(at[0]) === tokens.length - at.length;
        if (!isBelief) return output;
        const observations = Array.from(tokens).filter((id) => id === CODE).length - 1;
        const belief = Math.log(0.2 + 0.3 * observations);
        return { logprobs: output.logprobs.map(() => belief) };
      });
    },
  });
  /** The id of `<|code|>`, which starts every turn. */
  const CODE = 2;

  test("the reward term information-gain pays each turn for what it adds to the probability of the known answer", async () => {
    const list = rewardTerms({ term: "information-gain" });
    const { metrics, rollouts } = await trainAndWatch(list, { engine: withGrowingBelief });
    const gained = rollouts[0]!.map(({ turns, tokens }) => {
      const before = tokens!.ids.slice(0, lastItem(turns).span![0]);
      return 0.3 * (before.filter((id) => id === CODE).length - 1);
    });
    const mean = gained.reduce((a, b) => a + b) / gained.length;
    expect(mean).toBeGreaterThan(0.1);
    expect(metrics[0]!["reward/term/information-gain"]).toBeCloseTo(mean, 5);
  });

  test("the reward term information-gain keeps rollouts long if each observation adds to that probability", async () => {
    const trainedTurnsWithBelief = async (fields: ConfigFields) => {
      const { metrics } = await trainAndWatch(
        { ...LONG_RUN, ...fields },
        { engine: withGrowingBelief },
      );
      return lastItem(metrics)["behaviour/turns"]!;
    };
    const paid = await trainedTurnsWithBelief(rewardTerms({ term: "information-gain" }));
    expect(paid).toBeGreaterThan((await trainedTurnsWithBelief({})) + 0.15);
  });
});
