/** Tests that a learned reward whose head is zero does not count as acting. */
import { expect, test } from "vitest";
import type { Turn } from "../../spec/index.ts";
import { fakeRollout } from "../../testing/fake-rollout.ts";
import { ZERO_HEAD } from "../on-policy/turn-head.ts";
import type { Evidence } from "./mechanism.ts";
import { REWARD_MECHANISMS } from "./rewards.ts";

const turn: Turn = { message: "a", code: "a()", observation: "", status: "ok", calls: [] };
const short = fakeRollout({ id: "a", turns: [turn, { ...turn, code: "other()" }] });
const long = fakeRollout({ id: "b", turns: [turn, turn, { ...turn, code: "" }] });
const graded = [short, long].map((rollout) => ({
  rollout,
  reward: 0.5,
  advantage: 1,
  turnRewards: rollout.turns.map(() => 0.25),
}));

test.each(["contributions", "ranking head"] as const)(
  "%s count when the head was fitted, and not when it is zero or absent",
  (name) => {
    const term = name === "contributions" ? "contribution" : "ranking";
    const firedWith = (head: readonly number[] | undefined) =>
      REWARD_MECHANISMS[name].count({
        graded,
        after: head ? { heads: { [term]: head } } : {},
      } as unknown as Evidence);
    expect(firedWith(undefined)).toEqual({ meant: 2, fired: 0 });
    expect(firedWith(ZERO_HEAD)).toEqual({ meant: 2, fired: 0 });
    expect(firedWith(ZERO_HEAD.map((_, k) => k / 10))).toEqual({ meant: 2, fired: 2 });
  },
);
