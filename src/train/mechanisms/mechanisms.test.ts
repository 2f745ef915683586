/** Each family of mechanisms, switched on in the training loop: it changes what is learned in the way that it says. */
import { describe, expect, test } from "vitest";
import { isPassed, rewardOf } from "../../algo/index.ts";
import type { Cotangents, Engine, Rollout, Row, TokenOutputs } from "../../spec/index.ts";
import { fakeWorld } from "../testing.ts";
import { type Accumulated, watchedRun } from "./testing.ts";

const last = <T>(list: readonly T[]): T => list.at(-1)!;
const slopes = ({ cotangents }: Accumulated): number[] =>
  cotangents.flatMap(({ logprobs }) => Array.from(logprobs));
const size = (cotangents: readonly Cotangents[]) =>
  cotangents.reduce(
    (sum, { logprobs }) => sum + Array.from(logprobs).reduce((s, g) => s + Math.abs(g), 0),
    0,
  );
const groupsOf = (rollouts: readonly Rollout[]) => {
  const groups = new Map<string, Rollout[]>();
  for (const r of rollouts) groups.set(r.task.id, [...(groups.get(r.task.id) ?? []), r]);
  return [...groups.values()];
};
type Fields = Readonly<Record<string, unknown>>;
const strict = { "algo.reward": "strict" };
/** Enough steps for a direction to show, without the momentum of the warm start. */
const LONG = {
  "algo.iterations": 8,
  "optimizer.beta1": 0,
  "optimizer.beta2": 0.9,
  "optimizer.learningRate": 0.3,
};
const terms = (...list: object[]) => ({ "rewards.terms": JSON.stringify(list) });

describe("reward terms", () => {
  const turnsAfter = async (...list: object[]) =>
    last((await watchedRun({ ...terms(...list), ...LONG })).metrics)["behaviour/turns"]!;

  test("paying for turns makes rollouts longer, charging for them shorter", async () => {
    const paid = await turnsAfter({ term: "turns" });
    const charged = await turnsAfter({ term: "turns", weight: -1 });
    expect(paid).toBeGreaterThan(charged + 0.5);
  });

  test("a gated term is paid to rollouts whose outcome reaches the gate, and to no other", async () => {
    const list = [{ term: "outcome" }, { term: "turns", gate: 1 }];
    const { metrics, rollouts } = await watchedRun({ ...strict, ...terms(...list) });
    const passed = rollouts[0]!.filter(isPassed);
    const earned = passed.reduce((sum, { turns }) => sum + turns.length, 0);
    expect(metrics[0]!["reward/term/turns"]).toBeCloseTo(earned / rollouts[0]!.length, 10);
  });

  test("a term that decays pays an early success more than a late one", async () => {
    const { metrics, rollouts } = await watchedRun({
      ...strict,
      ...terms({ term: "outcome", decay: 0.5 }),
    });
    const worth = rollouts[0]!.map((r) => (isPassed(r) ? 0.5 ** (r.turns.length - 1) : 0));
    expect(new Set(worth).size).toBeGreaterThan(2);
    expect(metrics[0]!["reward/term/outcome"]).toBeCloseTo(
      worth.reduce((a, b) => a + b) / worth.length,
      10,
    );
  });

  test("a weight follows its course over iterations", async () => {
    const weight = { shape: "linear", from: 1, to: 0, over: 2 };
    const { metrics, rollouts } = await watchedRun({
      ...terms({ term: "outcome" }, { term: "turns", weight }),
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

  test("a penalty is floored at nothing earned, a factor takes its share", async () => {
    // Every rollout repeats no code of its own in one turn, so what is charged is told by `turns`.
    const charge = (how: string) =>
      watchedRun({ ...strict, ...terms({ term: "outcome" }, { term: "turns", how, weight: 0.4 }) });
    const { state: _, ...penalised } = await charge("penalty");
    const multiplied = await charge("factor");
    const groupsThatTeach = (run: { readonly accumulated: readonly Accumulated[] }) =>
      run.accumulated[0]!.rows.length;
    // A failure costs nothing more: groups without a success teach in neither.
    const mixed = groupsOf(penalised.rollouts[0]!).filter((group) => group.some(isPassed));
    const upper = mixed.reduce((sum, group) => sum + group.length, 0);
    expect(groupsThatTeach(penalised)).toBeLessThanOrEqual(upper);
    expect(groupsThatTeach(multiplied)).toBeLessThanOrEqual(upper);
    const taken = await watchedRun({
      ...strict,
      ...terms({ term: "outcome" }, { term: "turns", weight: -0.4 }),
    });
    expect(groupsThatTeach(taken)).toBeGreaterThan(groupsThatTeach(penalised));
  });

  test("KL to the start, as a reward, is nothing at first and a cost later", async () => {
    const { metrics } = await watchedRun({
      ...terms({ term: "outcome" }, { term: "kl", weight: 0.1, estimator: "k3" }),
      "algo.iterations": 3,
    });
    const paid = metrics.map((line) => line["reward/term/kl"]!);
    expect(paid[0]).toBeCloseTo(0, 6);
    expect(paid[2]).toBeLessThan(-1e-4);
  });

  test("contributions of turns sum to the outcome", async () => {
    const { metrics, state } = await watchedRun({
      ...terms({ term: "contribution" }),
      "credit.unit": "turn",
      "credit.returns": "to-go",
    });
    expect(metrics[0]!["reward/term/contribution"]).toBeCloseTo(metrics[0]!["reward/mean"]!, 10);
    expect(state.heads?.contribution?.some((w) => w !== 0)).toBe(true);
  });

  test("a head that ranks rollouts finds that successes are short, and shortness is learned", async () => {
    const { metrics, state } = await watchedRun({ ...terms({ term: "ranking" }), ...LONG });
    expect(state.heads?.ranking?.some((w) => w !== 0)).toBe(true);
    const turns = metrics.map((line) => line["behaviour/turns"]!);
    expect(last(turns)).toBeLessThan(turns[0]! - 0.2);
  });
});

describe("information gain", () => {
  /** Believes in an answer the more, the more observations came before it. */
  const believing = (engine: Engine): Engine => ({
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
  /** `<|code|>`: it opens every turn. */
  const CODE = 2;

  test("turns are paid what they add to the policy's belief in the known answer", async () => {
    const list = terms({ term: "information-gain" });
    const { metrics, rollouts } = await watchedRun(list, { engine: believing });
    const gained = rollouts[0]!.map(({ turns, tokens }) => {
      const before = tokens!.ids.slice(0, last(turns).span![0]);
      return 0.3 * (before.filter((id) => id === CODE).length - 1);
    });
    const mean = gained.reduce((a, b) => a + b) / gained.length;
    expect(mean).toBeGreaterThan(0.1);
    expect(metrics[0]!["reward/term/information-gain"]).toBeCloseTo(mean, 5);
  });

  test("and rollouts stay long where belief grows with observations", async () => {
    const turns = async (fields: Fields) => {
      const { metrics } = await watchedRun({ ...LONG, ...fields }, { engine: believing });
      return last(metrics)["behaviour/turns"]!;
    };
    const paid = await turns(terms({ term: "information-gain" }));
    expect(paid).toBeGreaterThan((await turns({})) + 0.15);
  });
});

/** Cotangents of the action tokens of each turn of the first row that has several turns. */
function turnSlopes({ rows, cotangents }: Accumulated): Set<number>[] {
  const perRow = rows.map((row, i) => {
    const { turnLengths } = row as unknown as { turnLengths: readonly number[] };
    const all = Array.from(cotangents[i]!.logprobs);
    let next = 0;
    return turnLengths.map((length) => {
      const part = all.slice(next, next + length);
      next += length;
      return new Set(part.map((g) => Number((g * all.length).toFixed(9))));
    });
  });
  return perRow.find((turns) => turns.length > 1)!;
}

function slopesOfTurns(row: Row, { logprobs }: Cotangents): Set<number> {
  return new Set(Array.from(logprobs, (g) => Number((g * row.at.length).toFixed(9))));
}

describe("returns and advantages", () => {
  const dense = terms({ term: "outcome" }, { term: "tokens", weight: -0.05 });
  const firstOf = async (fields: Fields, watching = {}) =>
    (await watchedRun({ ...fields }, watching)).accumulated[0]!;

  test("a rollout's turns share one advantage; with credit of turns each has its own", async () => {
    const whole = turnSlopes(await firstOf(dense));
    expect(new Set(whole.flatMap((turn) => [...turn])).size).toBe(1);
    for (const key of ["task", "task-turn"]) {
      const fields = {
        ...dense,
        "credit.unit": "turn",
        "credit.returns": "to-go",
        "credit.key": key,
      };
      const own = turnSlopes(await firstOf(fields));
      for (const turn of own) expect(turn.size).toBe(1);
      expect(new Set(own.flatMap((turn) => [...turn])).size).toBeGreaterThan(1);
    }
  });

  test("the mix of both is their weighted sum", async () => {
    const turnsOnly = { ...dense, "credit.unit": "turn", "credit.returns": "to-go" };
    const off = { "algo.advantageThreshold": 0 };
    const turn = size((await firstOf({ ...turnsOnly, ...off })).cotangents);
    const mixed = { ...turnsOnly, ...off, "credit.unit": "both" };
    const only = await firstOf({ ...mixed, "credit.episodeWeight": 0 });
    const twice = await firstOf({ ...mixed, "credit.episodeWeight": 0, "credit.turnWeight": 2 });
    const episodes = await firstOf({ ...mixed, "credit.turnWeight": 0 });
    expect(size(only.cotangents)).toBeCloseTo(turn, 8);
    expect(size(twice.cotangents)).toBeCloseTo(2 * turn, 8);
    const whole = await firstOf({ ...dense, ...off });
    expect(size(episodes.cotangents)).toBeCloseTo(size(whole.cotangents), 8);
  });

  test("a running baseline needs no group: rollouts of uniform groups are learned from", async () => {
    const group = await watchedRun({ ...strict, "algo.iterations": 2 });
    const running = await watchedRun({
      ...strict,
      "algo.iterations": 2,
      "algo.baseline": "running",
      "credit.baselineDecay": 0.5,
    });
    const kept = (run: typeof group) => run.metrics[0]!["rollout/kept"]!;
    // The baseline is 0 at first, so what earned something teaches and nothing else does.
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
    expect(kept(running)).not.toBe(kept(group));
  });

  test("batch gain: the step is larger by groups over groups that teach", async () => {
    const fields = { ...strict, "algo.groupSize": 2 };
    const plain = await watchedRun(fields);
    const gained = await watchedRun({ ...fields, "credit.batchGain": true });
    const teaching = groupsOf(plain.rollouts[0]!).filter((g) => new Set(g.map(isPassed)).size > 1);
    expect(teaching.length).toBeLessThan(12);
    const ratio = gained.metrics[0]!["gradient/norm"]! / plain.metrics[0]!["gradient/norm"]!;
    expect(ratio).toBeCloseTo(12 / teaching.length, 6);
  });

  test("entropy factor: uncertain tokens of a rollout get a larger advantage than certain ones", async () => {
    const seen = new Map<string, TokenOutputs>();
    const name = ({ tokens }: Row) => Array.from(tokens).join();
    const watching = {
      engine: (engine: Engine): Engine => ({
        ...engine,
        evaluate: async (rows, options) => {
          const outputs = await engine.evaluate(rows, options);
          rows.forEach((row, i) => {
            seen.set(name(row), outputs[i]!);
          });
          return outputs;
        },
      }),
    };
    const { rows, cotangents } = await firstOf({ "credit.entropyFactor": 0.5 }, watching);
    const { entropies } = seen.get(name(rows[0]!))!;
    const order = Array.from(entropies!.keys()).sort((a, b) => entropies![a]! - entropies![b]!);
    const sign = Math.sign(cotangents[0]!.logprobs[last(order)]!);
    const sizes = order.map((t) => sign * cotangents[0]!.logprobs[t]!);
    for (let k = 1; k < sizes.length; k++) {
      expect(sizes[k]!).toBeGreaterThanOrEqual(sizes[k - 1]! - 1e-9);
    }
    expect(last(sizes)).toBeGreaterThan(1.2 * sizes[0]!);
  });
});

describe("credit in trees, and for what other shapes record", () => {
  const tree = { "shapes.branches": 2, "algo.groupSize": 6, "scaffold.maxTurns": 4 };
  /** Whether turns of some learned row differ in their advantage. */
  const differs = (
    accumulated: Accumulated,
    isWanted: (rollout: Rollout) => boolean,
    rollouts: readonly Rollout[],
  ) =>
    accumulated.rows.some((row, i) => {
      const name = Array.from(row.tokens).join();
      const rollout = rollouts.find(({ tokens }) => tokens!.ids.join() === name)!;
      return isWanted(rollout) && slopesOfTurns(row, accumulated.cotangents[i]!).size > 1;
    });

  test.each(["shared-prefix", "counterfactual"])(
    "%s: turns around a fork get an advantage of their own, other rollouts one for all",
    async (branches) => {
      const own = await watchedRun(tree);
      const isForked = (all: readonly Rollout[]) => {
        const parents = new Set(all.map(({ branch }) => branch?.parent));
        return ({ id }: Rollout) => parents.has(id);
      };
      const all = own.rollouts[0]!;
      expect(all.some(isForked(all))).toBe(true);
      expect(differs(own.accumulated[0]!, () => true, all)).toBe(false);
      const { accumulated, rollouts } = await watchedRun({ ...tree, "credit.branches": branches });
      const forked = isForked(rollouts[0]!);
      expect(differs(accumulated[0]!, forked, rollouts[0]!)).toBe(true);
      const isAlone = (r: Rollout) => !forked(r) && r.branch === undefined;
      expect(differs(accumulated[0]!, isAlone, rollouts[0]!)).toBe(false);
    },
  );

  test("compared by node of the tree, only turns where rollouts part are credited", async () => {
    const fields = { ...tree, "credit.unit": "turn", "credit.key": "task-branch" };
    const { accumulated, rollouts } = await watchedRun(fields);
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

  test("attempts are paid by what they earned, and by how much they improved", async () => {
    const { metrics, rollouts } = await watchedRun({
      ...terms({ term: "outcome" }, { term: "improvement" }, { term: "attempt", weight: 0.5 }),
      "shapes.attempts": 2,
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

  test("a judge's marks are paid turn by turn", async () => {
    const { metrics, rollouts } = await watchedRun({
      ...terms({ term: "outcome" }, { term: "judge", weight: 0.1 }),
      "participants.judge": "policy",
    });
    const marks = rollouts[0]!.map(({ turns }) =>
      turns.reduce((sum, { grades }) => sum + (grades?.judge ?? 0), 0),
    );
    const mean = marks.reduce((a, b) => a + b) / marks.length;
    expect(metrics[0]!["reward/term/judge"]).toBeCloseTo(0.1 * mean, 10);
  });
});

describe("filters of rollouts", () => {
  const kept = async (fields: Fields) => {
    const { metrics, accumulated, rollouts } = await watchedRun(fields);
    return { line: metrics[0]!, first: accumulated[0], rollouts: rollouts[0]! };
  };

  test.each([
    ["overTurn", "over_turn", ({ outcome }: Rollout) => outcome === "turn-limit"],
    ["overLong", "over_long", ({ outcome }: Rollout) => outcome === "token-limit"],
    [
      "voidTurns",
      "void_turns",
      ({ turns, outcome }: Rollout) =>
        turns.some(
          ({ code }, j) =>
            code.trim() === "" && !(outcome === "finished" && j === turns.length - 1),
        ),
    ],
  ] as const)(
    "%s leaves out just those rollouts, from learning alone",
    async (field, name, holds) => {
      const small = {
        ...terms({ term: "outcome" }, { term: "tokens", weight: -0.01 }),
        "scaffold.maxTokens": field === "overLong" ? 30 : 256,
        ...(field === "voidTurns" && { "algo.groupSize": 16 }),
      };
      const plain = await kept(small);
      const { line, rollouts } = await kept({ ...small, [`filter.${field}`]: true });
      expect(line[`filter/${name}`]).toBe(rollouts.filter(holds).length);
      expect(line[`filter/${name}`]).toBeGreaterThan(0);
      expect(line["rollout/kept"]).toBeLessThan(plain.line["rollout/kept"]!);
      expect(line["reward/mean"]).toBe(plain.line["reward/mean"]);
    },
  );

  test("positive only: nothing is pushed down", async () => {
    const { first, line } = await kept({ "filter.positiveOnly": true });
    expect(line["filter/not_positive"]).toBeGreaterThan(0);
    for (const slope of slopes(first!)) expect(slope).toBeLessThan(0);
  });

  test("saturated groups are left out although their returns differ", async () => {
    const { line, rollouts } = await kept({
      "filter.saturatedAbove": 0.5,
      "algo.groupSize": 2,
    });
    const full = groupsOf(rollouts).filter((g) => g.every((r) => rewardOf(r) >= 0.5));
    expect(full.length).toBeGreaterThan(0);
    expect(line["filter/saturated"]).toBe(2 * full.length);
  });
});

describe("weights of tokens", () => {
  const run = (fields: Fields) => watchedRun(fields);
  const untouched = (accumulated: Accumulated) =>
    slopes(accumulated).filter((slope) => slope === 0).length / slopes(accumulated).length;

  test("high-entropy tokens alone", async () => {
    const { metrics, accumulated } = await run({ "filter.entropyTokenShare": 0.3 });
    expect(metrics[0]!["filter/tokens_kept"]).toBeGreaterThanOrEqual(0.3);
    expect(metrics[0]!["filter/tokens_kept"]).toBeLessThan(0.9);
    expect(untouched(accumulated[0]!)).toBeCloseTo(1 - metrics[0]!["filter/tokens_kept"]!, 10);
  });

  test("high-entropy turns alone: of several turns some have no gradient, none has half a one", async () => {
    const { accumulated } = await run({ "filter.entropyTurnShare": 0.4 });
    const turns = turnSlopes(accumulated[0]!);
    expect(turns.some((turn) => turn.size === 1 && turn.has(0))).toBe(true);
    expect(turns.some((turn) => !turn.has(0))).toBe(true);
  });

  test("a surprise band leaves out what is mastered and what is noise", async () => {
    const { metrics: all } = await run({ "filter.surpriseLow": 1e-9 });
    expect(all[0]!["filter/tokens_kept"]).toBe(1);
    const { metrics: none } = await run({ "filter.surpriseLow": 50 });
    expect(none[0]!["filter/tokens_kept"]).toBe(0);
    const { metrics: some } = await run({ "filter.surpriseHigh": 1.5 });
    expect(some[0]!["filter/tokens_kept"]).toBeGreaterThan(0);
    expect(some[0]!["filter/tokens_kept"]).toBeLessThan(1);
  });

  test("the end of a turn is never pushed down when the format is protected", async () => {
    const STOP = 3;
    const pushedDown = ({ rows, cotangents }: Accumulated) =>
      rows.flatMap(({ tokens, at }, i) =>
        Array.from(at).flatMap((position, t) =>
          tokens[position] === STOP && cotangents[i]!.logprobs[t]! > 0 ? [position] : [],
        ),
      ).length;
    expect(pushedDown((await run({})).accumulated[0]!)).toBeGreaterThan(0);
    const { accumulated } = await run({ "filter.protectFormat": true });
    expect(pushedDown(accumulated[0]!)).toBe(0);
    expect(slopes(accumulated[0]!).some((slope) => slope > 0)).toBe(true);
  });

  test("covariance clip: the stated share of tokens gets no gradient, others do", async () => {
    const band = { "filter.covarianceLow": -1000, "filter.covarianceHigh": 1000 };
    const { metrics, accumulated } = await run({ ...band, "filter.covarianceShare": 0.25 });
    expect(metrics[0]!["filter/tokens_kept"]).toBeCloseTo(0.75, 2);
    expect(untouched(accumulated[0]!)).toBeCloseTo(0.25, 2);
  });
});

describe("clips and corrections", () => {
  const twoEpochs = { "algo.epochs": 4, "optimizer.learningRate": 0.2, "algo.clip": 0.05 };
  const clipped = async (fields: Fields) =>
    (await watchedRun({ ...twoEpochs, ...fields })).metrics[0]!;

  test("a wider upper clip lets good tokens go further", async () => {
    const [narrow, wide] = [await clipped({}), await clipped({ "algo.upperClip": 2 })];
    expect(wide["ratio/clip_fraction"]).toBeLessThan(narrow["ratio/clip_fraction"]!);
  });

  test("tokens that keep a gradient above the clip move although they are clipped", async () => {
    const [none, all] = [await clipped({}), await clipped({ "algo.keptShare": 1 })];
    expect(none["ratio/clip_fraction"]).toBeGreaterThan(0);
    expect(all["kl/token"]).toBeGreaterThan(none["kl/token"]!);
  });

  test("the sampler correction weighs a token by the learner's over the sampler's probability", async () => {
    const fields = { "optimizer.maxGradientNorm": 1e6 };
    const norm = async (more: Fields) =>
      (await watchedRun({ ...fields, ...more })).metrics[0]!["gradient/norm"]!;
    // Both agree here, so a cap of 1/2 halves every weight, and a cap of 2 none.
    const plain = await norm({});
    expect((await norm({ "algo.samplerCap": 0.5 })) / plain).toBeCloseTo(0.5, 5);
    expect((await norm({ "algo.samplerCap": 2 })) / plain).toBeCloseTo(1, 5);
  });
});

describe("regularisers", () => {
  test("KL on the first turn alone leaves later turns free", async () => {
    const held = { "algo.epochs": 2, "algo.klCoefficient": 100, "algo.clip": 10 };
    const far = async (more: Fields) => {
      const { accumulated } = await watchedRun({ ...held, ...more });
      return turnSlopes(last(accumulated)).map((turn) => Math.max(...[...turn].map(Math.abs)));
    };
    const all = await far({});
    const first = await far({ "algo.klTurns": 1 });
    expect(first[0]).toBeCloseTo(all[0]!, 6);
    expect(first[1]).toBeLessThan(all[1]!);
  });

  test("KL to the reference and entropy are reported where a term measures them", async () => {
    const { metrics } = await watchedRun({
      "algo.klCoefficient": 0.01,
      "algo.entropyCoefficient": 0.01,
      "algo.iterations": 2,
    });
    expect(metrics[1]!["kl/reference"]).toBeGreaterThan(0);
    expect(metrics[1]!["entropy/mean"]).toBeGreaterThan(0);
  });

  test("an entropy band around the past keeps entropy from falling", async () => {
    const entropyAfter = async (coefficient: number) => {
      const { metrics, state } = await watchedRun({
        ...LONG,
        "warm.learningRate": 0.8,
        "algo.entropyBandCoefficient": coefficient,
        "algo.entropyBandLow": 1,
      });
      expect(state.entropies).toHaveLength(8);
      return last(metrics)["entropy/mean"]!;
    };
    expect(await entropyAfter(1)).toBeGreaterThan(1.1 * (await entropyAfter(1e-9)));
  });
});

describe("critic", () => {
  const critic = { "critic.warmIterations": 0, "algo.iterations": 2 };
  const watched = (fields: Fields) =>
    watchedRun({ ...critic, ...fields }, { recipe: "ppo-critic" });

  test("steps of turns: all tokens of a turn share one advantage", async () => {
    const tokens = turnSlopes(last((await watched({})).accumulated));
    expect(tokens.some((turn) => turn.size > 1)).toBe(true);
    const turns = turnSlopes(last((await watched({ "critic.unit": "turn" })).accumulated));
    for (const turn of turns) expect(turn.size).toBe(1);
  });

  test("turn rewards reach the estimate: with gamma 0 only a turn's own reward counts", async () => {
    const own = { ...terms({ term: "turns" }), "critic.discount": 0, "critic.unit": "turn" };
    const { accumulated } = await watched(own);
    // Before anything was learned, values are 0 and every turn earned 1.
    for (const turn of turnSlopes(accumulated[0]!)) expect(turn.size).toBe(1);
    const first = turnSlopes(accumulated[0]!).map((turn) => [...turn][0]!);
    expect(new Set(first).size).toBe(1);
  });

  test("whitened advantages sum to zero over tokens", async () => {
    const sums = { "algo.aggregate": "token-mean", "critic.whiten": true };
    const total = slopes((await watched(sums)).accumulated[0]!).reduce((a, b) => a + b, 0);
    expect(total).toBeCloseTo(0, 6);
  });

  test("lambda by length shortens the view of short rollouts; a clipped value moves less", async () => {
    const plain = last((await watched({ "critic.learningRate": 0.3 })).accumulated);
    const cut = last(
      (await watched({ "critic.learningRate": 0.3, "critic.adaptiveLambda": 0.2 })).accumulated,
    );
    expect(slopes(cut)).not.toEqual(slopes(plain));
    const epochs = { "algo.epochs": 3, "critic.learningRate": 0.3 };
    const valueSlopes = (all: readonly Accumulated[]) =>
      last(all).cotangents.flatMap(({ values }) => Array.from(values ?? []));
    const zeros = (list: number[]) => list.filter((slope) => slope === 0).length;
    const free = valueSlopes((await watched(epochs)).accumulated);
    const held = valueSlopes((await watched({ ...epochs, "critic.valueClip": 0.001 })).accumulated);
    expect(zeros(held)).toBeGreaterThan(zeros(free));
  });
});

describe("buffer", () => {
  const few = {
    ...strict,
    "world.trainScenarios": 2,
    "algo.tasksPerIteration": 6,
    "algo.groupSize": 2,
    "algo.iterations": 5,
    "optimizer.learningRate": 0.001,
    "buffer.perTask": 4,
  };

  test("a group that failed as a whole gets a success, and then teaches", async () => {
    const { metrics, rollouts, accumulated } = await watchedRun({ ...few, "buffer.inject": true });
    const injected = metrics.map((line) => line["buffer/injected"]!);
    expect(injected[0]).toBe(0);
    expect(Math.max(...injected)).toBeGreaterThan(0);
    const i = injected.findIndex((count) => count > 0);
    const mixed = groupsOf(rollouts[i]!).filter((g) => new Set(g.map(isPassed)).size > 1);
    expect(metrics[i]!["rollout/kept"]).toBe(2 * (mixed.length + injected[i]!));
    expect(accumulated[i]!.rows).toHaveLength(metrics[i]!["rollout/kept"]!);
  });

  test("a further pass over what beat recent groups, with a weight of its own", async () => {
    const { metrics, state } = await watchedRun({ ...few, "buffer.replayWeight": 0.5 });
    expect(metrics[0]!["buffer/replayed"]).toBe(0);
    expect(last(metrics)["buffer/replayed"]).toBeGreaterThan(0);
    expect(last(metrics)["train/updates"]).toBeGreaterThan(1);
    const stored = Object.values(state.buffer!).flat();
    expect(stored.length).toBeGreaterThan(0);
    for (const { rollout } of stored) expect(isPassed(rollout)).toBe(true);
    for (const list of Object.values(state.buffer!)) expect(list.length).toBeLessThanOrEqual(4);
  });

  test("what passed before is imitated again", async () => {
    const fields = { "algo.iterations": 2, "buffer.perTask": 4, "buffer.imitate": true };
    const { metrics, rollouts } = await watchedRun(fields, { recipe: "ei" });
    const passed = rollouts.map((all) => all.filter(isPassed).length);
    expect(metrics[0]!["rollout/kept"]).toBe(passed[0]);
    expect(metrics[1]!["rollout/kept"]).toBeGreaterThan(passed[1]!);
  });
});

describe("which tasks, and how often", () => {
  const few = { ...strict, "algo.iterations": 8, "algo.tasksPerIteration": 3 };

  test("mastered tasks are no longer drawn", async () => {
    const { rollouts, state } = await watchedRun({
      ...few,
      "tasks.pruneAbove": 0.7,
      "tasks.pruneAfter": 1,
      "tasks.memory": 0,
    });
    const drawn = rollouts.map((all) => new Set(all.map(({ task }) => task.id)));
    const passed = (i: number, id: string) =>
      rollouts[i]!.filter(({ task }) => task.id === id).every(isPassed);
    let pruned = 0;
    for (const i of [0, 1, 2]) {
      for (const id of drawn[i]!) {
        if (!passed(i, id)) continue;
        pruned += 1;
        for (const later of drawn.slice(i + 1, i + 3)) expect(later.has(id)).toBe(false);
      }
    }
    expect(pruned + Object.keys(state.taskTable!).length).toBeGreaterThan(3);
  });

  test("declared difficulty and classes by success narrow the draw", async () => {
    const plain = fakeWorld();
    const world = {
      ...plain,
      tasks: (...asked: Parameters<typeof plain.tasks>) =>
        plain
          .tasks(...asked)
          .map((task, i) => ({ ...task, difficulty: ([1, 2, 3] as const)[i % 3]! })),
    };
    const { rollouts } = await watchedRun(
      { ...few, "algo.iterations": 2, "tasks.maxDifficulty": 2 },
      { world },
    );
    const levels = new Set(rollouts.flat().map(({ task }) => Number(task.id.at(-1))));
    expect(levels).toEqual(new Set([0, 1]));
  });

  test("K is smaller where a task always or never succeeds", async () => {
    const { rollouts, state } = await watchedRun({
      ...strict,
      "algo.iterations": 3,
      "algo.groupSize": 8,
      "tasks.minGroupSize": 2,
      "tasks.memory": 0,
    });
    expect(new Set(groupsOf(rollouts[0]!).map((g) => g.length))).toEqual(new Set([8]));
    const before = new Map(
      groupsOf(rollouts[1]!).map((g) => [g[0]!.task.id, g.filter(isPassed).length / g.length]),
    );
    for (const group of groupsOf(rollouts[2]!)) {
      const p = before.get(group[0]!.task.id)!;
      expect(group).toHaveLength(Math.round(2 + 6 * 4 * p * (1 - p)));
    }
    expect(Object.keys(state.taskTable!)).toHaveLength(12);
  });

  test("tasks near one half are drawn rather than decided ones", async () => {
    // Of each scenario's three tasks the first is passed whatever is done, the second never.
    const plain = fakeWorld();
    const decided = {
      ...plain,
      open: async (id: string) => {
        const episode = await plain.open(id);
        if (id.endsWith("/2")) return episode;
        const passed = id.endsWith("/0");
        const checks = [{ name: "decided", label: "progress" as const, passed }];
        return { ...episode, evaluate: async () => ({ passed, finished: true, checks }) };
      },
    };
    const shareOfOpen = async (sampling: string) => {
      const fields = {
        ...strict,
        "algo.iterations": 12,
        "algo.tasksPerIteration": 3,
        "algo.taskSampling": sampling,
        ...(sampling !== "uniform" && { "tasks.memory": 0.5 }),
      };
      const { rollouts, state } = await watchedRun(fields, { world: decided });
      expect(state.taskTable === undefined).toBe(sampling === "uniform");
      const late = rollouts.slice(4).flatMap((all) => groupsOf(all));
      return late.filter(([r]) => r!.task.id.endsWith("/2")).length / late.length;
    };
    expect(await shareOfOpen("uniform")).toBeCloseTo(1 / 3, 1);
    for (const sampling of ["near-half", "variance"]) {
      expect(await shareOfOpen(sampling)).toBeGreaterThan(0.45);
    }
  });
});

describe("schedules", () => {
  test("the horizon grows", async () => {
    const { rollouts } = await watchedRun({
      "algo.iterations": 3,
      "schedule.maxTurns": '{"shape":"steps","values":[1,2,3],"every":1}',
    });
    const longest = rollouts.map((all) => Math.max(...all.map(({ turns }) => turns.length)));
    expect(longest).toEqual([1, 2, 3]);
  });

  test("stages: imitation of solutions first, reinforcement after", async () => {
    const imitate = {
      "algo.collect": "solutions",
      "algo.learner": "imitation",
      "algo.groupSize": 6,
    };
    const { metrics, rollouts } = await watchedRun({
      "algo.groupSize": 6,
      "algo.iterations": 2,
      "schedule.stages": [
        { iterations: 1, patch: imitate },
        { iterations: 1, patch: { "algo.klCoefficient": 0.1 } },
      ],
    });
    expect(rollouts[0]!.every(({ policyVersion }) => policyVersion === -1)).toBe(true);
    expect(rollouts[1]!.every(({ policyVersion }) => policyVersion >= 0)).toBe(true);
    expect(metrics[0]!["kl/reference"]).toBeUndefined();
    expect(metrics[1]!["kl/reference"]).toBeDefined();
  });
});

describe("imitation", () => {
  test("rollouts are imitated by weights that grow with their return", async () => {
    const fields = { "imitation.temperature": 0.5, "algo.minibatch": 0 };
    const { accumulated, rollouts, metrics } = await watchedRun(fields, { recipe: "ei" });
    expect(metrics[0]!["rollout/kept"]).toBe(rollouts[0]!.length);
    const weights = new Map<number, Set<string>>();
    for (const [i, row] of accumulated[0]!.rows.entries()) {
      const rollout = rollouts[0]!.find(
        ({ tokens }) => tokens!.ids.join() === Array.from(row.tokens).join(),
      )!;
      const reward = rewardOf(rollout);
      const slope = accumulated[0]!.cotangents[i]!.logprobs[0]!.toPrecision(6);
      weights.set(reward, (weights.get(reward) ?? new Set()).add(slope));
    }
    const slope = (reward: number) => Number([...weights.get(reward)!][0]);
    for (const set of weights.values()) expect(set.size).toBe(1);
    expect(slope(1) / slope(0)).toBeCloseTo(Math.exp(1 / 0.5), 3);
  });

  test("a world model: what is learned is the answers, of all rollouts, and no word of the agent", async () => {
    const fields = {
      "imitation.target": "observations",
      "algo.iterations": 3,
      "algo.minibatch": 0,
    };
    const { accumulated, metrics, rollouts } = await watchedRun(fields, { recipe: "ei" });
    for (const [i, row] of accumulated[0]!.rows.entries()) {
      const name = Array.from(row.tokens).join();
      const { mask } = rollouts[0]!.find(({ tokens }) => tokens!.ids.join() === name)!.tokens!;
      expect(row.at.length).toBeGreaterThan(0);
      for (const position of Array.from(row.at)) expect(mask[position]).toBe(0);
      expect(accumulated[0]!.cotangents[i]!.logprobs[0]).toBeLessThan(0);
    }
    expect(last(metrics)["train/loss"]).toBeLessThan(metrics[0]!["train/loss"]!);
  });

  test("of turns to imitate, those outside of the surprise band are left out", async () => {
    const kept = async (fields: Fields) => {
      const { accumulated } = await watchedRun(fields, { recipe: "ei" });
      const all = accumulated.flatMap(slopes);
      return all.filter((slope) => slope !== 0).length / all.length;
    };
    expect(await kept({})).toBe(1);
    const some = await kept({ "filter.surpriseHigh": 3 });
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(1);
  });

  test("solutions mixed into the steps teach what reward alone does not say", async () => {
    const pass = async (mixWeight: number) => {
      const { metrics } = await watchedRun({
        "algo.iterations": 4,
        "optimizer.learningRate": 0.02,
        "imitation.mixWeight": mixWeight,
      });
      expect(metrics[0]!["imitation/loss"] === undefined).toBe(mixWeight === 0);
      return last(metrics)["reward/pass_rate"]!;
    };
    expect(await pass(5)).toBeGreaterThan(await pass(0));
  });
});

describe("pairs", () => {
  const pairs = { "preference.minimumGap": 0.4, "algo.groupSize": 6 };
  const learned = (fields: Fields) => watchedRun({ ...pairs, ...fields }, { recipe: "dmpo" });

  test("only a segment is compared: turns before the first difference have no gradient", async () => {
    const { accumulated } = await learned({ "preference.segmentTurns": 1 });
    const turns = accumulated[0]!.rows.map((_, i) =>
      Array.from(accumulated[0]!.cotangents[i]!.logprobs),
    );
    expect(turns.some((row) => row.some((g) => g === 0) && row.some((g) => g !== 0))).toBe(true);
  });

  test("a squared loss stops where log-ratios match returns; a logistic one goes on", async () => {
    const steps = {
      "optimizer.beta1": 0,
      "optimizer.beta2": 0.9,
      "algo.epochs": 25,
      "optimizer.learningRate": 0.03,
    };
    const marginOf = async (fields: Fields) => {
      const run = await learned({ ...steps, "preference.segmentTurns": 3, ...fields });
      return run.metrics[0]!["preference/margin"]!;
    };
    const logistic = await marginOf({ "preference.beta": 1 });
    const small = await marginOf({ "preference.loss": "squared", "preference.eta": 1 });
    const large = await marginOf({ "preference.loss": "squared", "preference.eta": 3 });
    expect(small).toBeGreaterThan(0);
    expect(small).toBeLessThan(1.5);
    expect(large).toBeGreaterThan(small + 0.5);
    expect(logistic).toBeGreaterThan(2 * large);
  });
});
