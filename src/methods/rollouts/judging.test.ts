import { expect, test } from "vitest";
import type { Participant, Rollout, Turn } from "../../spec/index.ts";
import { fakeRollout } from "../../testing/fake-rollout.ts";
import { findUnjudgedRollouts, judgeRollout, refuseIfNoneJudged } from "./judging.ts";

const patience = { waitsMs: [1, 1, 1], callMs: 50 };

/**
 * Makes a judge that gives these answers in order, and then repeats the last one. If an answer is an error, the judge
 * throws it.
 */
function judgeSaying(...answers: readonly unknown[]) {
  let calls = 0;
  const judge = {
    name: "marker",
    speak: async () => {
      const answer = answers[Math.min(calls++, answers.length - 1)];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as Participant;
  return { judge, calls: () => calls };
}

const refusedError = () =>
  new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:9") });
const turn: Turn = { message: "", code: "", observation: "", status: "ok", calls: [] };
const rollout = fakeRollout({ turns: [turn, turn] });
const askJudge = (judge: Participant, name = "./judge.ts") =>
  judgeRollout(judge, rollout, { name, patience });

test("a call of the judge is repeated when it fails or when its answer is not a mark", async () => {
  const { judge, calls } = judgeSaying(refusedError(), "Internal Server Error", "2", "0.5");
  expect(await askJudge(judge)).toEqual({ marks: rollout.turns.map(() => 0.5) });
  expect(calls()).toBe(rollout.turns.length + 3);
});

test.each([
  ["throws", refusedError(), "TypeError", "fetch failed: connect ECONNREFUSED 127.0.0.1:9"],
  ["says no mark", "as good as 7", "unreadable", 'number from 0 to 1, got "as good as 7"'],
])(
  "a judge that always %s causes a failure that names the judge and the reason",
  async (_, says, code, why) => {
    const { judge, calls } = judgeSaying(says);
    const judged = await askJudge(judge);
    expect(judged).toEqual({
      failure: {
        boundary: "judge",
        code,
        message: expect.stringContaining(
          "the judge ./judge.ts (marker) gave no mark in 4 attempts: ",
        ),
        retryable: true,
      },
    });
    expect(JSON.stringify(judged)).toContain(JSON.stringify(why).slice(1, -1));
    expect(calls()).toBe(4);
  },
);

test("a call that gets no answer ends at its time limit", async () => {
  const judge: Participant = { name: "judge", speak: () => new Promise(() => {}) };
  expect(await askJudge(judge)).toMatchObject({
    failure: { message: expect.stringMatching(/attempts: no answer in 0\.05 s/) },
  });
});

test("a judge that returns nothing does not count as a failure, and a judge that the policy plays is asked only once", async () => {
  expect(await askJudge(judgeSaying(undefined).judge)).toEqual({
    marks: rollout.turns.map(() => undefined),
  });
  const { judge, calls } = judgeSaying("nothing to say");
  expect(await askJudge(judge, "policy")).toEqual({ marks: rollout.turns.map(() => undefined) });
  expect(calls()).toBe(rollout.turns.length);
});

test("when the rollout is aborted, waiting for a judge ends with the reason of the abort", async () => {
  const abort = new AbortController();
  const { judge } = judgeSaying(refusedError());
  const waiting = judgeRollout(judge, rollout, {
    name: "./judge.ts",
    signal: abort.signal,
    patience: { waitsMs: [60_000], callMs: 1000 },
  });
  setTimeout(() => abort.abort(new Error("stopped by hand")), 5);
  await expect(waiting).rejects.toThrow("stopped by hand");
});

test("refuseIfNoneJudged throws only when no rollout was judged", () => {
  const failure = { boundary: "judge", code: "x", message: "the judge x is away", retryable: true };
  const { evaluation: _, ...rest } = rollout;
  const unjudged = { ...rest, outcome: "failed", failure } as Rollout;
  expect(findUnjudgedRollouts([rollout, unjudged])).toEqual([unjudged]);
  expect(() => refuseIfNoneJudged([rollout, unjudged])).not.toThrow();
  expect(() => refuseIfNoneJudged([rollout])).not.toThrow();
  expect(() => refuseIfNoneJudged([unjudged, unjudged])).toThrow(
    /none of 2 rollouts could be judged: the judge x is away; .* run the same command again/,
  );
});
