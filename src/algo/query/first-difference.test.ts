import { expect, test } from "vitest";
import { fakeRollout, fakeTurn } from "../../testing/fake-rollout.ts";
import { addFirstDifferences, listCalls } from "./first-difference.ts";

const play = (taskId: string, earned: number | undefined, ...calls: string[]) => ({
  facts: { task: fakeRollout({ taskId }).task, ...(earned !== undefined && { return: earned }) },
  calls,
});
const differences = (rollouts: ReturnType<typeof play>[]) =>
  addFirstDifferences<ReturnType<typeof play>["facts"] & { differs?: never }>(rollouts).map(
    ({ differs }) => differs,
  );

test("a rollout is compared with the first one of its task that earned most", () => {
  const rollouts = [
    play("train/1/1", 0, "a.x {}", "a.y {}"),
    play("train/2/1", 1, "a.z {}"),
    play("train/1/1", 1, "a.x {}", 'b.send {"to":1}'),
    play("train/1/1", 1, "a.x {}", 'b.send {"to":2}'),
    play("train/1/1", undefined, "a.x {}"),
    play("train/1/1", 0.5, "a.x {}", 'b.send {"to":1}', "a.y {}"),
  ];
  expect(differences(rollouts)).toEqual([
    { call: 2, api: "a.y", best: "b.send" },
    undefined,
    undefined,
    { call: 2, api: "b.send", best: "b.send" },
    { call: 2, best: "b.send" },
    { call: 3, api: "a.y" },
  ]);
  expect(differences([play("train/1/1", 0), play("train/1/1", 0)])).toEqual([undefined, undefined]);
});

test("calls are listed over all turns, with their arguments", () => {
  const call = { app: "pay", api: "send", args: { to: "a b" }, status: 200, wrote: true };
  const turns = [fakeTurn({ calls: [call] }), fakeTurn({}), fakeTurn({ calls: [call] })];
  expect(listCalls({ turns })).toEqual(Array(2).fill('pay.send {"to":"a b"}'));
});
