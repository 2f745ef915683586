import { expect, test } from "vitest";
import { PAPER_REWARD } from "../../algo/index.ts";
import type { Rollout } from "../../spec/index.ts";
import { fakeRollout, fakeTurn } from "../../testing/fake-rollout.ts";
import { gradeWithTerms } from "./grading.ts";

test("with turn-level credit, a user's term that pays every turn pays each at its turn", async () => {
  const turns = [fakeTurn(), fakeTurn(), fakeTurn()];
  const batch = [0, 1].map((index) => fakeRollout({ index, turns, checks: [index === 0] }));
  const steps = ({ index }: Rollout) => (index === 0 ? [-1, 0, 0] : [-1, -1, -1]);
  const iteration = {
    config: { algo: PAPER_REWARD, rewards: { terms: [] } },
    state: {},
    number: 1,
    extensions: { rewards: { steps }, filters: {} },
  };
  const { graded } = await gradeWithTerms(batch, iteration as never, {
    advantage: { baseline: "leave-one-out", scale: "none" },
    credit: {
      ...{ unit: "turn", key: "task-turn", returns: "to-go", discount: 1, restart: "never" },
      ...{ batchGain: false, entropyFactor: 0 },
    },
  });
  expect(graded.map(({ turnRewards }) => turnRewards)).toEqual([
    [-1, 0, 1],
    [-1, -1, -1],
  ]);
  // Returns to go are 0, 1, 1 and -3, -2, -1, so the first turn is 3 better than that of the other rollout.
  expect(graded[0]!.turnAdvantages).toEqual([3, 3, 2]);
});
