import { expect, test } from "vitest";
import type { Turn } from "../spec/index.ts";
import { fakeRollout } from "../testing/fake-rollout.ts";
import { behaviour, behaviourOf, giveUpRate, habitsOf } from "./index.ts";

/** A turn that calls these APIs, written `app.api` or, refused, `app.api!`. */
function turn(status: Turn["status"], calls: string, rest: Partial<Turn> = {}): Turn {
  return {
    message: "code",
    code: "code",
    observation: "",
    status,
    calls: calls
      .split(" ")
      .filter(Boolean)
      .map((call) => {
        const [app, api] = call.replace("!", "").split(".") as [string, string];
        return { app, api, args: {}, status: call.endsWith("!") ? 404 : 200, wrote: false };
      }),
    ...rest,
  };
}
const rollout = (...turns: Turn[]) => fakeRollout({ turns });

test("an API is given up when no later turn without error calls it", () => {
  expect(giveUpRate([rollout(turn("error", "pay.send!"), turn("ok", "notes.list"))])).toBe(1);
  expect(giveUpRate([rollout(turn("error", "pay.send!"), turn("ok", "pay.send"))])).toBe(0);
});

test("a failed turn blames every API it called, once; a recovered one may fail again", () => {
  const turns = [
    turn("error", "pay.find pay.send!"), // two failed
    turn("error", "pay.send!"), // still failed, not counted again
    turn("ok", "pay.send"), // one recovered
    turn("limit", "pay.send"), // fails anew: three failed
  ];
  expect(giveUpRate([rollout(...turns)])).toBeCloseTo((3 - 1) / 3, 12);
});

test("recovery counts within a rollout only, and sums before it divides", () => {
  const lost = rollout(turn("error", "pay.send!"));
  const fine = rollout(turn("ok", "pay.send"));
  const found = rollout(turn("error", "pay.send!"), turn("ok", "pay.send"));
  expect(giveUpRate([lost, fine, found])).toBe(0.5);
  expect(giveUpRate([fine])).toBe(0);
});

test("counts per rollout and per turn", () => {
  const first = rollout(
    turn("ok", "docs.showApi docs.showApp pay.send"),
    turn("error", "pay.send!", { message: "I assumed a dummy; assuming", code: "12345678" }),
  );
  const second = fakeRollout({ outcome: "turn-limit", turns: [turn("ok", "")] });
  const unfinished = { ...second, evaluation: { passed: false, finished: false, checks: [] } };
  expect(behaviour([first, unfinished])).toEqual({
    turns: 1.5,
    unfinished: 0.5,
    api_calls: 2,
    docs_calls: 1,
    failed_calls: 0.5,
    errors_per_turn: 1 / 3,
    give_up_rate: 1,
    code_characters: 8,
    assume_mentions: 1,
    dummy_mentions: 0.5,
  });
});

test("cancelled and failed rollouts did not behave", () => {
  const cancelled = fakeRollout({ outcome: "cancelled", turns: [turn("ok", "a.b")] });
  const failed = fakeRollout({ outcome: "failed", turns: [turn("ok", "a.b")] });
  expect(behaviour([cancelled, failed])).toEqual({});
  expect(behaviour([cancelled, rollout(turn("ok", "a.b"))])).toMatchObject({ api_calls: 1 });
});

test("different call sequences are counted among the passed rollouts of a task", () => {
  const passes = [turn("ok", "a.b c.d")];
  const other = [turn("ok", "a.b"), turn("ok", "c.d")]; // the same sequence over two turns
  const third = [turn("ok", "c.d a.b")];
  const wrong = fakeRollout({ turns: [turn("ok", "x.y")], checks: [false] });
  const rollouts = [passes, other, third].map((turns) => fakeRollout({ turns }));
  expect(behaviour([...rollouts, wrong])["distinct_sequences"]).toBeCloseTo(2 / 3, 12);
  expect(behaviour([rollouts[0]!, wrong])).not.toHaveProperty("distinct_sequences");
});

test("cells a turn are counted where code is fenced", () => {
  const fenced = (cells: number) => turn("ok", "", { message: "```js\nx\n```\n".repeat(cells) });
  expect(behaviour([rollout(fenced(1), fenced(2), fenced(3), fenced(1))])).toMatchObject({
    multiple_cells: 0.5,
  });
});

test("one rollout has as much of a habit as it alone would be counted with, and a turn that shows it most", () => {
  const one = rollout(
    turn("ok", "docs.showApi"),
    turn("error", "pay.send! pay.find!", { message: "I assumed so", code: "12345678" }),
    turn("ok", "pay.find", { part: "note", message: "assume assume" }),
  );
  const habits = habitsOf(one)!;
  expect(behaviourOf([habits])).toEqual(behaviour([one]));
  expect(behaviourOf([habits])).toMatchObject({ turns: 2, failed_calls: 2, give_up_rate: 0.5 });
  expect(habits.at).toEqual({
    api_calls: 1,
    docs_calls: 0,
    failed_calls: 1,
    errors_per_turn: 1,
    code_characters: 1,
    assume_mentions: 1,
    give_up_rate: 1,
  });
  expect(habitsOf(fakeRollout({ outcome: "failed" }))).toBeUndefined();
});
