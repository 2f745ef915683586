import { expect, test } from "vitest";
import type { Turn } from "../spec/index.ts";
import { fakeRollout } from "../testing/fake-rollout.ts";
import { averageHabits, countHabits, giveUpRate, measureBehaviour } from "./index.ts";

/** Makes a turn that calls these APIs. They are written `app.api`, or `app.api!` for a call that was refused. */
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

test("an API counts as given up when no later turn calls it without an error", () => {
  expect(giveUpRate([rollout(turn("error", "pay.send!"), turn("ok", "notes.list"))])).toBe(1);
  expect(giveUpRate([rollout(turn("error", "pay.send!"), turn("ok", "pay.send"))])).toBe(0);
});

test("a turn with an error counts each of its APIs as failed once, and an API that recovered may fail again", () => {
  const turns = [
    turn("error", "pay.find pay.send!"), // Two APIs have failed.
    turn("error", "pay.send!"), // The API has still failed and is not counted again.
    turn("ok", "pay.send"), // One API has recovered.
    turn("limit", "pay.send"), // The API fails again, so three have failed.
  ];
  expect(giveUpRate([rollout(...turns)])).toBeCloseTo((3 - 1) / 3, 12);
});

test("an API recovers only within its own rollout, and the give-up rate is the ratio of sums over all rollouts", () => {
  const lost = rollout(turn("error", "pay.send!"));
  const fine = rollout(turn("ok", "pay.send"));
  const found = rollout(turn("error", "pay.send!"), turn("ok", "pay.send"));
  expect(giveUpRate([lost, fine, found])).toBe(0.5);
  expect(giveUpRate([fine])).toBe(0);
});

test("measureBehaviour averages counts per rollout and per turn", () => {
  const first = rollout(
    turn("ok", "docs.showApi docs.showApp pay.send"),
    turn("error", "pay.send!", { message: "I assumed a dummy; assuming", code: "12345678" }),
  );
  const second = fakeRollout({ outcome: "turn-limit", turns: [turn("ok", "")] });
  const unfinished = { ...second, evaluation: { passed: false, finished: false, checks: [] } };
  expect(measureBehaviour([first, unfinished])).toEqual({
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

test("measureBehaviour leaves out cancelled and failed rollouts", () => {
  const cancelled = fakeRollout({ outcome: "cancelled", turns: [turn("ok", "a.b")] });
  const failed = fakeRollout({ outcome: "failed", turns: [turn("ok", "a.b")] });
  expect(measureBehaviour([cancelled, failed])).toEqual({});
  expect(measureBehaviour([cancelled, rollout(turn("ok", "a.b"))])).toMatchObject({ api_calls: 1 });
});

test("distinct_sequences is the share of different call sequences among the passed rollouts of a task", () => {
  const passes = [turn("ok", "a.b c.d")];
  const other = [turn("ok", "a.b"), turn("ok", "c.d")]; // This is the same sequence of calls, divided between two
  // turns.
  const third = [turn("ok", "c.d a.b")];
  const wrong = fakeRollout({ turns: [turn("ok", "x.y")], checks: [false] });
  const rollouts = [passes, other, third].map((turns) => fakeRollout({ turns }));
  expect(measureBehaviour([...rollouts, wrong])["distinct_sequences"]).toBeCloseTo(2 / 3, 12);
  expect(measureBehaviour([rollouts[0]!, wrong])).not.toHaveProperty("distinct_sequences");
});

test("multiple_cells counts turns with more than one fenced block of code", () => {
  const fenced = (cells: number) => turn("ok", "", { message: "```js\nx\n```\n".repeat(cells) });
  expect(measureBehaviour([rollout(fenced(1), fenced(2), fenced(3), fenced(1))])).toMatchObject({
    multiple_cells: 0.5,
  });
});

test("countHabits gives the same numbers as measureBehaviour, and the turn that shows each habit most strongly", () => {
  const one = rollout(
    turn("ok", "docs.showApi"),
    turn("error", "pay.send! pay.find!", { message: "I assumed so", code: "12345678" }),
    turn("ok", "pay.find", { part: "note", message: "assume assume" }),
  );
  const habits = countHabits(one)!;
  expect(averageHabits([habits])).toEqual(measureBehaviour([one]));
  expect(averageHabits([habits])).toMatchObject({ turns: 2, failed_calls: 2, give_up_rate: 0.5 });
  expect(habits.strongestTurn).toEqual({
    api_calls: 1,
    docs_calls: 0,
    failed_calls: 1,
    errors_per_turn: 1,
    code_characters: 1,
    assume_mentions: 1,
    give_up_rate: 1,
  });
  expect(countHabits(fakeRollout({ outcome: "failed" }))).toBeUndefined();
});
