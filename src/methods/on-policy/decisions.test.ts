import { expect, test } from "vitest";
import { fakeRollout, fakeTurn } from "../../testing/fake-rollout.ts";
import { scoreDecisions } from "./decisions.ts";

const turnWith = (api: string, args: object = {}) =>
  fakeTurn({ calls: [{ app: "a", api, args, status: 200, wrote: false }] });
const solution = fakeRollout({ turns: [turnWith("find"), turnWith("pay", { to: "Ann" })] });
const paidFor = (...turns: ReturnType<typeof turnWith>[]) => {
  const rollout = fakeRollout({ turns });
  return scoreDecisions([rollout], [solution]).get(rollout.id);
};

test("a turn is paid when it makes the calls of the solution's next turn, with the same arguments", () => {
  expect(paidFor(turnWith("find"), turnWith("pay", { to: "Ann" }))).toEqual([1, 1]);
  expect(paidFor(turnWith("find"), turnWith("pay", { to: "Bob" }))).toEqual([1, 0]);
  expect(paidFor(turnWith("pay", { to: "Ann" }), turnWith("find"))).toEqual([0, 1]);
});

test("a decision is paid once, and a turn without calls is no decision", () => {
  expect(paidFor(turnWith("find"), turnWith("find"), fakeTurn({ code: "1" }))).toEqual([1, 0, 0]);
  expect(scoreDecisions([fakeRollout({ turns: [turnWith("find")] })], []).size).toBe(0);
});
