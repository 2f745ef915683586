/** Tests returns and advantages in training runs: which advantage each turn gets. */
import { describe, expect, test } from "vitest";
import {
  type AccumulateCall,
  type ConfigFields,
  gradientsPerTurn,
  groupByTask,
  lastItem,
  listGradients,
  rewardTerms,
  STRICT_REWARD,
  trainAndWatch,
} from "../../../tests/support/watched-run.ts";
import { isPassed } from "../../algo/index.ts";
import type { Cotangents, Engine, Rollout, Row, TokenOutputs } from "../../spec/index.ts";

function distinctSlopes(row: Row, { logprobs }: Cotangents): Set<number> {
  return new Set(Array.from(logprobs, (g) => Number((g * row.at.length).toFixed(9))));
}

const totalSlope = (cotangents: readonly Cotangents[]) =>
  listGradients({ cotangents }).reduce((sum, slope) => sum + Math.abs(slope), 0);

describe("returns and advantages", () => {
  const dense = rewardTerms({ term: "outcome" }, { term: "tokens", weight: -0.05 });
  const runFirstStep = async (fields: ConfigFields, watching = {}) =>
    (await trainAndWatch({ ...fields }, watching)).accumulated[0]!;

  test("all turns of a rollout share one advantage, and with credit.unit turn each has its own", async () => {
    const whole = gradientsPerTurn(await runFirstStep(dense));
    expect(new Set(whole.flatMap((turn) => [...turn])).size).toBe(1);
    for (const key of ["task", "task-turn"]) {
      const fields = {
        ...dense,
        "credit.unit": "turn",
        "credit.returns": "to-go",
        "credit.key": key,
      };
      const own = gradientsPerTurn(await runFirstStep(fields));
      for (const turn of own) expect(turn.size).toBe(1);
      expect(new Set(own.flatMap((turn) => [...turn])).size).toBeGreaterThan(1);
    }
  });

  test("with credit.unit both, an advantage is a weighted sum of the episode's and the turn's", async () => {
    const turnsOnly = { ...dense, "credit.unit": "turn", "credit.returns": "to-go" };
    const off = { "algo.advantageThreshold": 0 };
    const turn = totalSlope((await runFirstStep({ ...turnsOnly, ...off })).cotangents);
    const mixed = { ...turnsOnly, ...off, "credit.unit": "both" };
    const only = await runFirstStep({ ...mixed, "credit.episodeWeight": 0 });
    const twice = await runFirstStep({
      ...mixed,
      "credit.episodeWeight": 0,
      "credit.turnWeight": 2,
    });
    const episodes = await runFirstStep({ ...mixed, "credit.turnWeight": 0 });
    expect(totalSlope(only.cotangents)).toBeCloseTo(turn, 8);
    expect(totalSlope(twice.cotangents)).toBeCloseTo(2 * turn, 8);
    const whole = await runFirstStep({ ...dense, ...off });
    expect(totalSlope(episodes.cotangents)).toBeCloseTo(totalSlope(whole.cotangents), 8);
  });

  test("a running baseline averages a task's returns over iterations", async () => {
    const group = await trainAndWatch({ ...STRICT_REWARD, "algo.iterations": 2 });
    const running = await trainAndWatch({
      ...STRICT_REWARD,
      "algo.iterations": 2,
      "algo.baseline": "running",
      "algo.baselineDecay": 0.5,
    });
    const countKept = (run: typeof group) => run.metrics[0]!["rollout/kept"]!;
    // The baseline begins at 0, so only rollouts with a return above 0 teach something.
    expect(running.rollouts[0]!.filter(isPassed).length).toBeGreaterThan(0);
    const [task, mean] = Object.entries(running.state.running!)[0]!;
    const returns = running.rollouts
      .flat()
      .filter((r) => r.task.id === task)
      .map((r) => Number(isPassed(r)));
    expect(mean).toBeCloseTo(
      returns.reduce((b, r) => 0.5 * b + 0.5 * r, 0),
      10,
    );
    expect(group.state.running).toBeUndefined();
    expect(countKept(running)).not.toBe(countKept(group));
  });

  test("batchGain multiplies the gradient by the number of all groups divided by the number of groups with different returns", async () => {
    const fields = { ...STRICT_REWARD, "algo.groupSize": 2 };
    const plain = await trainAndWatch(fields);
    const gained = await trainAndWatch({ ...fields, "credit.batchGain": true });
    const teaching = groupByTask(plain.rollouts[0]!).filter(
      (g) => new Set(g.map(isPassed)).size > 1,
    );
    expect(teaching.length).toBeLessThan(12);
    const ratio = gained.metrics[0]!["gradient/norm"]! / plain.metrics[0]!["gradient/norm"]!;
    expect(ratio).toBeCloseTo(12 / teaching.length, 6);
  });

  test("with entropyFactor, uncertain tokens get a larger advantage than certain ones", async () => {
    const seen = new Map<string, TokenOutputs>();
    const rowKey = ({ tokens }: Row) => Array.from(tokens).join();
    const watching = {
      engine: (engine: Engine): Engine => ({
        ...engine,
        evaluate: async (rows, options) => {
          const outputs = await engine.evaluate(rows, options);
          rows.forEach((row, i) => {
            seen.set(rowKey(row), outputs[i]!);
          });
          return outputs;
        },
      }),
    };
    const { rows, cotangents } = await runFirstStep({ "credit.entropyFactor": 0.5 }, watching);
    const { entropies } = seen.get(rowKey(rows[0]!))!;
    const order = Array.from(entropies!.keys()).sort((a, b) => entropies![a]! - entropies![b]!);
    const sign = Math.sign(cotangents[0]!.logprobs[lastItem(order)]!);
    const sizes = order.map((t) => sign * cotangents[0]!.logprobs[t]!);
    for (let k = 1; k < sizes.length; k++) {
      expect(sizes[k]!).toBeGreaterThanOrEqual(sizes[k - 1]! - 1e-9);
    }
    expect(lastItem(sizes)).toBeGreaterThan(1.2 * sizes[0]!);
  });
});

describe("credit in trees, and for attempts and judges", () => {
  const tree = {
    "collect.kind": "branches",
    "collect.count": 2,
    "algo.groupSize": 6,
    "scaffold.maxTurns": 4,
  };
  /** Returns true if some row has turns with different advantages. */
  const hasDifferingTurns = (
    accumulated: AccumulateCall,
    isWanted: (rollout: Rollout) => boolean,
    rollouts: readonly Rollout[],
  ) =>
    accumulated.rows.some((row, i) => {
      const name = Array.from(row.tokens).join();
      const rollout = rollouts.find(({ tokens }) => tokens!.ids.join() === name)!;
      return isWanted(rollout) && distinctSlopes(row, accumulated.cotangents[i]!).size > 1;
    });

  test.each(["shared-prefix", "counterfactual"])(
    "with credit.branches %s, the turns of a forked rollout have different advantages, and those of other rollouts have the same",
    async (branches) => {
      const own = await trainAndWatch(tree);
      const listForkedRollouts = (all: readonly Rollout[]) => {
        const parents = new Set(all.map(({ branch }) => branch?.parent));
        return ({ id }: Rollout) => parents.has(id);
      };
      const all = own.rollouts[0]!;
      expect(all.some(listForkedRollouts(all))).toBe(true);
      expect(hasDifferingTurns(own.accumulated[0]!, () => true, all)).toBe(false);
      const { accumulated, rollouts } = await trainAndWatch({
        ...tree,
        "credit.branches": branches,
      });
      const forked = listForkedRollouts(rollouts[0]!);
      expect(hasDifferingTurns(accumulated[0]!, forked, rollouts[0]!)).toBe(true);
      const hasNoBranch = (r: Rollout) => !forked(r) && r.branch === undefined;
      expect(hasDifferingTurns(accumulated[0]!, hasNoBranch, rollouts[0]!)).toBe(false);
    },
  );

  test("with credit.key task-branch, only turns at which rollouts separate get an advantage", async () => {
    const fields = { ...tree, "credit.unit": "turn", "credit.key": "task-branch" };
    const { accumulated, rollouts } = await trainAndWatch(fields);
    const forks = new Map<string, Set<number>>();
    for (const { branch } of rollouts[0]!) {
      if (branch)
        forks.set(branch.parent, (forks.get(branch.parent) ?? new Set()).add(branch.turn));
    }
    accumulated[0]!.rows.forEach((row, i) => {
      const name = Array.from(row.tokens).join();
      const { id, turns, branch } = rollouts[0]!.find(({ tokens }) => tokens!.ids.join() === name)!;
      const mayDiffer = new Set([0, ...(forks.get(id) ?? []), ...(branch ? [branch.turn] : [])]);
      const all = Array.from(accumulated[0]!.cotangents[i]!.logprobs);
      let next = 0;
      (row as unknown as { turnLengths: number[] }).turnLengths.forEach((length, j) => {
        const part = all.slice(next, next + length);
        next += length;
        if (!mayDiffer.has(j)) for (const slope of part) expect(slope + 0).toBe(0);
      });
      expect(turns.length).toBeGreaterThan(0);
    });
  });

  test("the reward terms attempt and improvement pay for each attempt and for getting better between attempts", async () => {
    const { metrics, rollouts } = await trainAndWatch({
      ...rewardTerms(
        { term: "outcome" },
        { term: "improvement" },
        { term: "attempt", weight: 0.5 },
      ),
      "collect.attempts.most": 2,
    });
    const grades = rollouts[0]!.map(({ turns }) =>
      turns.flatMap(({ grades: marks }) => marks?.attempt ?? []),
    );
    expect(grades.some((list) => list.length === 2)).toBe(true);
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const better = grades.map((list) => (list.length === 2 ? list[1]! - list[0]! : 0));
    expect(metrics[0]!["reward/term/improvement"]).toBeCloseTo(mean(better), 10);
    const earned = grades.map((list) => 0.5 * list.reduce((a, b) => a + b, 0));
    expect(metrics[0]!["reward/term/attempt"]).toBeCloseTo(mean(earned), 10);
  });

  test("the reward term judge pays the sum of the judge's marks on all turns", async () => {
    const { metrics, rollouts } = await trainAndWatch({
      ...rewardTerms({ term: "outcome" }, { term: "judge", weight: 0.1 }),
      "participants.judge": "policy",
    });
    const marks = rollouts[0]!.map(({ turns }) =>
      turns.reduce((sum, { grades }) => sum + (grades?.judge ?? 0), 0),
    );
    const mean = marks.reduce((a, b) => a + b) / marks.length;
    expect(metrics[0]!["reward/term/judge"]).toBeCloseTo(0.1 * mean, 10);
  });
});
