import { expect, test } from "vitest";
import type { GroupView } from "../../../src/spec/studio/index.ts";
import { alignRollouts, buildCheckMatrix } from "./align-rollouts.ts";

type Entry = GroupView["rollouts"][number];
type Check = NonNullable<Entry["rollout"]["evaluation"]>["checks"][number];

const makeEntry = (codes: readonly string[], checks: Check[] = []) =>
  ({
    rollout: {
      turns: codes.map((code) => ({
        message: code,
        code,
        observation: "",
        status: "ok",
        calls: [],
      })),
      ...(checks.length > 0 && { evaluation: { passed: false, finished: true, checks } }),
    },
  }) as unknown as Entry;

test("turns before the first difference are shown as shared, and later turns are aligned in rows", () => {
  const rollouts = [makeEntry(["a", "b", "c"]), makeEntry(["a", "x"]), makeEntry(["a", "b", "d"])];
  const { shared, rows } = alignRollouts({ rollouts, differAt: 1 });
  expect(shared.map(({ code }) => code)).toEqual(["a"]);
  expect(rows.map(({ turn }) => turn)).toEqual([1, 2]);
  expect(rows[0]?.cells.map((cell) => cell?.variant)).toEqual([0, 1, 0]);
  expect(rows[1]?.cells.map((cell) => cell?.variant)).toEqual([0, undefined, 1]);
});

test("when all rollouts are equal, all their turns are shared; without rollouts there are no rows", () => {
  const rollouts = [makeEntry(["a"]), makeEntry(["a"])];
  expect(alignRollouts({ rollouts, differAt: null })).toMatchObject({
    shared: [{ code: "a" }],
    rows: [],
  });
  expect(alignRollouts({ rollouts: [], differAt: null })).toEqual({ shared: [], rows: [] });
});

test("every check of any rollout has a row, which has no result for rollouts without this check", () => {
  const done: Check = { name: "sent", label: "progress", passed: true };
  const guard: Check = { name: "nothing else", label: "guard", passed: false };
  const matrix = buildCheckMatrix([
    makeEntry([], [done]),
    makeEntry([]),
    makeEntry([], [guard, done]),
  ]);
  expect(matrix).toEqual([
    { name: "sent", label: "progress", passed: [true, undefined, true] },
    { name: "nothing else", label: "guard", passed: [undefined, undefined, false] },
  ]);
});
