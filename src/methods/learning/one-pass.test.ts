/** Tests that LOOP's minibatches take one pass where the engine multiplies cotangents by ratios. */
import { describe, expect, test } from "vitest";
import { buildActionRow } from "../../algo/index.ts";
import type { Engine } from "../../spec/index.ts";
import { fakeIteration } from "../../testing/fake-iteration.ts";
import { fakeRollout } from "../../testing/fake-rollout.ts";
import { tableEngine } from "../../testing/table-engine.ts";
import { loop } from "../loop.ts";

/** Number of tokens in the table engine. At first all tokens are equally likely. */
const VOCABULARY = 8;
const UNIFORM = Math.fround(-Math.log(VOCABULARY));
const group = [4, 2, 2, 1].map((passed, index) =>
  fakeRollout({
    index,
    checks: [0, 1, 2, 3].map((i) => i < passed),
    turns: [
      { message: "", code: "x", observation: "", status: "ok", calls: [], span: [1, 3] },
      { message: "", code: "x", observation: "", status: "ok", calls: [], span: [4, 5] },
    ],
    tokens: {
      ids: [0, 1 + index, 2, 7, 6 - index],
      mask: [0, 1, 1, 0, 1],
      logprobs: [0, UNIFORM, UNIFORM, 0, UNIFORM],
    },
  }),
);

/** Creates a table engine that multiplies cotangents by ratios, and records the calls that compute something. */
function ratioEngine(): { readonly engine: Engine; readonly calls: string[] } {
  const inner = tableEngine(VOCABULARY);
  const calls: string[] = [];
  const engine: Engine = {
    ...inner,
    info: { ...inner.info, capabilities: { ...inner.info.capabilities, ratioCotangents: true } },
    evaluate: (rows, options) => {
      calls.push("evaluate");
      return inner.evaluate(rows, options);
    },
    accumulate: async (rows, cotangents, options) => {
      calls.push("accumulate");
      const outputs = await inner.evaluate(rows, options);
      const plain = cotangents.map(({ logprobs, ratio }, row) => ({
        logprobs: Array.from(logprobs, (slope, i) => {
          if (!ratio) return slope;
          const r = Math.exp(outputs[row]!.logprobs[i]! - ratio.oldLogprobs[i]!);
          return r < ratio.lowest || r > ratio.highest ? 0 : slope * r;
        }),
      }));
      return inner.accumulate(rows, plain, options);
    },
    update: (step) => {
      calls.push("update");
      return inner.update(step);
    },
    discard: () => {
      calls.push("discard");
      return inner.discard();
    },
  };
  return { engine, calls };
}

describe("an engine that multiplies by ratios", () => {
  const learnWith = async (engine: Engine, algo = {}) => {
    const config = { algo: { minibatch: 2, epochs: 2, ...algo } };
    const iteration = fakeIteration(loop, { engine, config });
    const collected = { rollouts: group, solutions: [] };
    const grading = await loop.grade(collected, iteration);
    return loop.learn({ ...collected, ...grading }, iteration);
  };

  test("computes each minibatch after the first in one pass, and learns the same", async () => {
    const { engine, calls } = ratioEngine();
    const learned = await learnWith(engine);
    const pass = ["accumulate", "update"];
    expect(calls).toEqual(["evaluate", ...pass, ...pass, ...pass, ...pass]);
    const plainEngine = tableEngine(VOCABULARY);
    const expected = await learnWith(plainEngine);
    expect(Object.keys(learned.metrics)).toEqual(Object.keys(expected.metrics));
    for (const [name, value] of Object.entries(expected.metrics)) {
      expect(learned.metrics[name], name).toBeCloseTo(value, 6);
    }
    expect(expected.metrics["ratio/clip_fraction"]).toBeGreaterThan(0);
    const rows = group.map((rollout) => buildActionRow(rollout));
    const [own, other] = [await engine.evaluate(rows), await plainEngine.evaluate(rows)];
    own.forEach(({ logprobs }, k) => {
      logprobs.forEach((value, t) => {
        expect(value).toBeCloseTo(other[k]!.logprobs[t]!, 6);
      });
    });
  });

  test("drops the gradient when a guard ends the iteration", async () => {
    const { engine, calls } = ratioEngine();
    const learned = await learnWith(engine, { maxTrajectoryKl: 1e-9 });
    expect(learned.stopped).toMatch(/KL/);
    expect(calls.slice(-2)).toEqual(["accumulate", "discard"]);
    expect(calls.filter((call) => call === "update")).toHaveLength(1);
  });
});
