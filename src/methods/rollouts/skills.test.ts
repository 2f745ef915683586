import { describe, expect, test } from "vitest";
import type { Rollout } from "../../spec/index.ts";
import { fakeRollout, fakeTurn } from "../../testing/fake-rollout.ts";
import { findSkill, scoreSkills } from "./skills.ts";

const callTo = (api: string) => ({ app: "a", api, args: {}, status: 200, wrote: true });
const turnWith = (...apis: string[]) =>
  fakeTurn({ code: apis.map((api) => `a.${api}()`).join("\n"), calls: apis.map(callTo) });

/** Makes the rollout at a position of the chain `c`. */
const makeLink = (position: number, turns: Rollout["turns"], passed = true): Rollout =>
  fakeRollout({
    id: position === 0 ? "0/c/0" : `0/c/0.${position}`,
    turns,
    checks: [passed],
    chain: { name: "0/c", position },
  });

describe("skills of a chain", () => {
  test("a skill is the whole program of a task that passed, without the turns that failed", () => {
    const failed = fakeTurn({ code: "a.oops()", status: "error" });
    const turns = [turnWith("find"), failed, turnWith("pay", "done")];
    expect(findSkill(makeLink(0, turns), 100)).toBe("a.find(); a.pay() a.done()");
    expect(findSkill(makeLink(0, turns, false), 100)).toBeUndefined();
    expect(findSkill(makeLink(0, turns), 20)).toBeUndefined();
  });

  const paidBy = (...links: Rollout[]) => [...scoreSkills(links, 100).values()];

  test("a skill pays its writer and its user when both of their tasks passed", () => {
    const writer = makeLink(0, [turnWith("find"), turnWith("pay")]);
    const user = makeLink(1, [turnWith("find", "look", "pay")]);
    expect(paidBy(writer, user)).toEqual([[0, 1], [1]]);
    expect(paidBy(writer, makeLink(1, user.turns, false))).toEqual([[0, 0], [0]]);
    expect(paidBy(makeLink(0, writer.turns, false), user)).toEqual([[0, 0], [0]]);
  });

  test("a program that makes the calls of a skill in another order does not use it", () => {
    const writer = makeLink(0, [turnWith("find", "pay")]);
    expect(paidBy(writer, makeLink(1, [turnWith("pay", "find")]))).toEqual([[0], [0]]);
  });

  test("a rollout of another chain does not use a skill", () => {
    const writer = makeLink(0, [turnWith("find")]);
    const other = { ...makeLink(1, [turnWith("find")]), id: "0/c/1.1" };
    expect(paidBy(writer, other)).toEqual([[0], [0]]);
  });
});
