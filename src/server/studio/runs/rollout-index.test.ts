/** Compares an index with the rollouts that it was built from, and measures its memory. */
import { expect, it } from "vitest";
import { fakeRollout, fakeTokens } from "../../../testing/fake-rollout.ts";
import { RolloutIndex } from "./rollout-index.ts";

const FAR_OFFSET = 2 ** 40 + 1;

function addRollouts(index: RolloutIndex, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const made = fakeRollout({
      id: `${i}`,
      index: i % 8,
      tokens: fakeTokens([0, 1, 1]),
      turns: [],
    });
    const task = { ...made.task, id: `train/${i % 24}` };
    const bytes = Buffer.from(JSON.stringify({ ...made, task }));
    index.add(bytes, 0, bytes.length, FAR_OFFSET + i);
  }
}

it("an index keeps what lists show in a hundred bytes per rollout, and can grow after trimming", () => {
  const index = new RolloutIndex();
  addRollouts(index, 0, 1000);
  index.trim();
  expect(index.bytes).toBeLessThan(100 * 1000);
  addRollouts(index, 1000, 1100);
  index.trim();
  expect(index.size).toBe(1100);
  for (const at of [0, 999, 1000, 1099]) {
    expect(index.getNumber(at, "offset")).toBe(FAR_OFFSET + at);
    expect(index.taskAt(at).id).toBe(`train/${at % 24}`);
    const row = { id: `${at}`, index: at % 8, outcome: "finished", turns: 0, sampled: 2 };
    expect(index.rowAt(at)).toMatchObject(row);
  }
});
