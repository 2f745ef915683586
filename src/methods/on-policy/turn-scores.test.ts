import { expect, test } from "vitest";
import { PAPER_REWARD } from "../../algo/index.ts";
import type { EngineInfo, Row } from "../../spec/index.ts";
import { fakeRollout, fakeTokens, fakeTurn } from "../../testing/fake-rollout.ts";
import { type ScoringContext, scoreTurns } from "./turn-scores.ts";

const makeTurn = (span: [number, number]) => fakeTurn({ span });
const tokens = fakeTokens([0, 1, 1, 0, 1, 1, 0, 1, 1]);
const turns = [makeTurn([1, 3]), makeTurn([4, 6]), makeTurn([7, 9])];
const rollout = fakeRollout({ turns, tokens });
const solution = fakeRollout({ turns: [makeTurn([1, 3])], tokens: fakeTokens([0, 1, 1]) });

/**
 * Makes a context whose engine gives each answer token a log-prob of a tenth per token before it, and rejects rows that
 * are too long.
 */
function makeContext(contextLength: number): ScoringContext {
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

const gainsWithContextLength = async (contextLength: number) => {
  const { scores } = await scoreTurns([rollout], makeContext(contextLength));
  return scores["information-gain"]!.get(rollout.id)!.map((gain) => Number(gain.toFixed(6)));
};

test("a turn's information gain is the change of belief in the answer, and the last turn's is 0", async () => {
  expect(await gainsWithContextLength(9)).toEqual([0.3, 0.3, 0]);
});

test("the last belief is kept when the answer no longer fits into the context", async () => {
  expect(await gainsWithContextLength(8)).toEqual([0.3, 0, 0]);
  expect(await gainsWithContextLength(2)).toEqual([0, 0, 0]);
});
