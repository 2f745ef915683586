/** What methods tell of single tokens after they learned from them, against what the engine was given. */
import { expect, test } from "vitest";
import type { Cotangents, Engine, Rollout, TokenOutputs } from "../../spec/index.ts";
import { FAKE_STEP, fakeIteration } from "../../testing/fake-iteration.ts";
import { fakeRollout } from "../../testing/fake-rollout.ts";
import { tableEngine } from "../../testing/table-engine.ts";
import { ppoCritic } from "../critic.ts";
import { loop } from "../loop.ts";
import type { BaseConfig, Method } from "../method.ts";
import { loopTrajectory, onPolicy } from "../on-policy.ts";

const V = 8;
const UNIFORM = Math.fround(-Math.log(V));
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

/** Learns for four epochs of the whole group, and keeps what the last gradient was made of. */
async function learned<C extends BaseConfig, S>(
  method: Method<C, S>,
  config: { readonly [section: string]: { readonly [field: string]: unknown } } = {},
) {
  const inner = tableEngine(V);
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
  return ratios.map((told) => ({
    told,
    ...last.get(group.find(({ id }) => id === told.id)!.tokens!.ids)!,
  }));
}

test("LOOP tells log-probs before learning and in the last minibatch, and whose gradient the clip took", async () => {
  const rows = await learned(loop, { algo: { clip: 0.15 } });
  expect(rows).toHaveLength(4);
  for (const { told, slopes, outputs } of rows) {
    expect(Array.from(told.old!)).toEqual([UNIFORM, UNIFORM, UNIFORM]);
    expect(Array.from(told.current!)).toEqual(Array.from(outputs.logprobs));
    expect(told.ratios).toEqual(
      Array.from(outputs.logprobs, (now) => Math.exp(now - Math.fround(UNIFORM))),
    );
    expect(Array.from(told.clipped!)).toEqual(
      Array.from(slopes.logprobs, (slope) => Number(slope === 0)),
    );
    expect([told.entropies, told.advantages]).toEqual([undefined, undefined]);
  }
  const all = rows.flatMap(({ told }) => Array.from(told.clipped!));
  expect([...new Set(all)].sort()).toEqual([0, 1]);
});

test("a span is clipped as a whole, and a score function never is", async () => {
  const spans = await learned(loopTrajectory, { algo: { clip: 0.3 } });
  const lines = spans.map(({ told }) => Array.from(told.clipped!).join(""));
  expect(new Set(lines)).toEqual(new Set(["111", "000"]));
  const [score] = await learned(onPolicy, { algo: { ratio: "none" } });
  expect(score!.told.current).toHaveLength(3);
  expect(score!.told.clipped).toBeUndefined();
});

test("entropies are told where the method asks for them, and advantages where tokens have their own", async () => {
  for (const { told, outputs } of await learned(onPolicy, { algo: { entropyCoefficient: 0.01 } })) {
    expect(told.entropies).toHaveLength(outputs.logprobs.length);
    expect(told.advantages).toBeUndefined();
  }
  const [shaped] = await learned(onPolicy, { credit: { entropyFactor: 0.5 } });
  expect(shaped!.told.advantages).toHaveLength(3);
});

test("a critic's advantages are those of tokens", async () => {
  const rows = await learned(ppoCritic, { critic: { warmIterations: 0 } });
  expect(rows).toHaveLength(4);
  for (const { told, slopes } of rows) {
    expect(told.advantages).toHaveLength(3);
    expect(told.clipped).toHaveLength(3);
    Array.from(slopes.logprobs).forEach((slope, t) => {
      const none = told.clipped![t] === 1 || told.advantages![t] === 0;
      expect(slope === 0).toBe(none);
    });
  }
});
