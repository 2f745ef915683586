import { expect, test } from "vitest";
import { PAPER_REWARD } from "../../algo/index.ts";
import type { EngineInfo, Row } from "../../spec/index.ts";
import { fakeRollout, fakeTurn, tokensOf } from "../../testing/fake-rollout.ts";
import { type ScoringContext, scoreTurns } from "./turn-scores.ts";

const turn = (span: [number, number]) => fakeTurn({ span });
const tokens = tokensOf([0, 1, 1, 0, 1, 1, 0, 1, 1]);
const turns = [turn([1, 3]), turn([4, 6]), turn([7, 9])];
const rollout = fakeRollout({ turns, tokens });
const solution = fakeRollout({ turns: [turn([1, 3])], tokens: tokensOf([0, 1, 1]) });

/** Believes in the answer by a tenth for each token before it, and takes no row that is longer than its context. */
function context(contextLength: number): ScoringContext {
  const evaluate = async (rows: readonly Row[]) => {
    for (const row of rows) expect(row.tokens.length).toBeLessThanOrEqual(contextLength);
    return rows.map(({ at }) => ({
      logprobs: Float32Array.from(at, () => Math.log(Number(at[0]) / 10)),
    }));
  };
  const config = { algo: PAPER_REWARD, rewards: { terms: [{ term: "information-gain" }] } };
  return {
    engine: { evaluate, info: { contextLength } as EngineInfo },
    config: config as unknown as ScoringContext["config"],
    solutions: [solution],
    heads: {},
  };
}

const gainsAt = async (contextLength: number) => {
  const { scores } = await scoreTurns([rollout], context(contextLength));
  return scores["information-gain"]!.get(rollout.id)!.map((gain) => Number(gain.toFixed(6)));
};

test("a turn gains what it adds to the belief in the answer, the last one nothing", async () => {
  expect(await gainsAt(9)).toEqual([0.3, 0.3, 0]);
});

test("where the answer does not fit the context any more, the belief is kept", async () => {
  expect(await gainsAt(8)).toEqual([0.3, 0, 0]);
  expect(await gainsAt(2)).toEqual([0, 0, 0]);
});
