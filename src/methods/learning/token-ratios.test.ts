/** Tests what methods report about single tokens after learning, by comparison with what the engine received. */
import { expect, test } from "vitest";
import type { Cotangents, Engine, Rollout, TokenOutputs } from "../../spec/index.ts";
import { FAKE_STEP, fakeIteration } from "../../testing/fake-iteration.ts";
import { fakeRollout } from "../../testing/fake-rollout.ts";
import { tableEngine } from "../../testing/table-engine.ts";
import { ppoCritic } from "../critic.ts";
import { loop } from "../loop.ts";
import type { BaseConfig, Method } from "../method.ts";
import { loopTrajectory, onPolicy } from "../on-policy.ts";

const VOCABULARY = 8;
const UNIFORM = Math.fround(-Math.log(VOCABULARY));
const turn = { message: "", code: "x", observation: "", status: "ok" as const, calls: [] };

const group = [4, 2, 2, 1].map(
  (passed, index): Rollout =>
    fakeRollout({
      index,
      checks: [0, 1, 2, 3].map((i) => i < passed),
      turns: [
        { ...turn, span: [1, 3] },
        { ...turn, span: [4, 5] },
      ],
      tokens: {
        ids: [0, 1 + index, 2, 7, 6 - index],
        mask: [0, 1, 1, 0, 1],
        logprobs: [0, UNIFORM, UNIFORM, 0, UNIFORM],
      },
    }),
);

/** Learns from the whole group for four epochs, and records what the last gradient was made from. */
async function learnAndRecord<C extends BaseConfig, S>(
  method: Method<C, S>,
  config: { readonly [section: string]: { readonly [field: string]: unknown } } = {},
) {
  const inner = tableEngine(VOCABULARY);
  const last = new Map<ArrayLike<number>, { slopes: Cotangents; outputs: TokenOutputs }>();
  const engine: Engine = {
    ...inner,
    async accumulate(rows, cotangents, options) {
      const outputs = await inner.accumulate(rows, cotangents, options);
      rows.forEach(({ tokens }, i) => {
        last.set(tokens, { slopes: cotangents[i]!, outputs: outputs[i]! });
      });
      return outputs;
    },
  };
  const algo = { epochs: 4, minibatch: 0, groupSize: 5, tasksPerIteration: 2, ...config["algo"] };
  const iteration = fakeIteration(method, {
    config: { ...config, algo },
    engine,
    step: { ...FAKE_STEP, learningRate: 0.03 },
  });
  const grading = await method.grade({ rollouts: group }, iteration);
  const { ratios } = await method.learn({ rollouts: group, ...grading }, iteration);
  return ratios.map((report) => ({
    report,
    ...last.get(group.find(({ id }) => id === report.id)!.tokens!.ids)!,
  }));
}

test("LOOP reports log-probs before and after learning, and which gradients the clip removed", async () => {
  const rows = await learnAndRecord(loop, { algo: { clip: 0.15 } });
  expect(rows).toHaveLength(4);
  for (const { report, slopes, outputs } of rows) {
    expect(Array.from(report.old!)).toEqual([UNIFORM, UNIFORM, UNIFORM]);
    expect(Array.from(report.current!)).toEqual(Array.from(outputs.logprobs));
    expect(report.ratios).toEqual(
      Array.from(outputs.logprobs, (now) => Math.exp(now - Math.fround(UNIFORM))),
    );
    expect(Array.from(report.clipped!)).toEqual(
      Array.from(slopes.logprobs, (slope) => Number(slope === 0)),
    );
    expect([report.entropies, report.advantages]).toEqual([undefined, undefined]);
  }
  const all = rows.flatMap(({ report }) => Array.from(report.clipped!));
  expect([...new Set(all)].sort()).toEqual([0, 1]);
});

test("a trajectory ratio is clipped for all tokens of a rollout at once, and a score function is never clipped", async () => {
  const spans = await learnAndRecord(loopTrajectory, { algo: { clip: 0.3 } });
  const lines = spans.map(({ report }) => Array.from(report.clipped!).join(""));
  expect(new Set(lines)).toEqual(new Set(["111", "000"]));
  const [score] = await learnAndRecord(onPolicy, { algo: { ratio: "none" } });
  expect(score!.report.current).toHaveLength(3);
  expect(score!.report.clipped).toBeUndefined();
});

test("entropies are reported when the method asks for them, and advantages when each token has its own", async () => {
  for (const { report, outputs } of await learnAndRecord(onPolicy, {
    algo: { entropyCoefficient: 0.01 },
  })) {
    expect(report.entropies).toHaveLength(outputs.logprobs.length);
    expect(report.advantages).toBeUndefined();
  }
  const [shaped] = await learnAndRecord(onPolicy, { credit: { entropyFactor: 0.5 } });
  expect(shaped!.report.advantages).toHaveLength(3);
});

test("the critic reports an advantage for every token", async () => {
  const rows = await learnAndRecord(ppoCritic, { critic: { warmIterations: 0 } });
  expect(rows).toHaveLength(4);
  for (const { report, slopes } of rows) {
    expect(report.advantages).toHaveLength(3);
    expect(report.clipped).toHaveLength(3);
    Array.from(slopes.logprobs).forEach((slope, t) => {
      const none = report.clipped![t] === 1 || report.advantages![t] === 0;
      expect(slope === 0).toBe(none);
    });
  }
});
