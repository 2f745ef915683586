import { expect, test } from "vitest";
import { formatHabits, formatTemperatures, type PolicyLine } from "./temperature-tables.ts";

const createLine = (
  method: string,
  seed: number,
  tgc: number,
  habits: PolicyLine["habits"] = {},
): PolicyLine => {
  const score = (share: number) => ({ tasks: 180, tgc: share, sgc: share / 2, reward: share });
  const scores = { "0": score(tgc), "0.3": score(tgc - 0.1), "1": score(tgc / 2) };
  return { method, seed, scores, habits };
};
const rowsOf = (text: string) => text.split("\n").slice(2);
const machine = "2 cores";

test("the table of temperatures has a row for each method, with differences to LOOP over pairs of equal seeds", () => {
  const lines = [
    ...[createLine("warm", 1, 0.2), createLine("loop", 1, 0.8), createLine("ei", 1, 0.7)],
    ...[createLine("ei", 2, 0.9), createLine("loop", 2, 0.8)],
  ];
  const text = formatTemperatures({ version: 1, machine, lines });
  expect(text.split("\n")[0]).toBe(
    "| TGC test-normal | runs | greedy | to LOOP [95%] | T = .3 | to LOOP [95%] | T = 1 | to LOOP [95%] |",
  );
  const rows = rowsOf(text).map((row) => row.split(" | "));
  expect(rows.map(([name, runs]) => [name, runs])).toEqual([
    ["| LOOP", "2"],
    ["| `ei`", "2"],
    ["| warm start, before", "1"],
  ]);
  expect(rows[1]!.slice(3, 4)).toEqual(["±0.0 [−127.1, +127.1]"]);
  const single = "[no interval]";
  expect(rows[2]!.slice(2)).toEqual([
    ...["20.0", `−60.0 ${single}`, "10.0", `−60.0 ${single}`],
    ...["10.0", `−30.0 ${single} |`],
  ]);
});

test("the table of habits has means before and after LOOP, and the change over pairs of equal seeds", () => {
  const lines = [
    createLine("warm", 1, 0.2, { give_up_rate: 0.5, assume_mentions: 0 }),
    createLine("warm", 2, 0.2, { give_up_rate: 0.7, assume_mentions: 0 }),
    createLine("loop", 1, 0.8, { give_up_rate: 0.25, assume_mentions: 0 }),
    createLine("loop", 2, 0.8, { give_up_rate: 0.45, assume_mentions: 0 }),
    createLine("ei", 1, 0.8, { give_up_rate: 1, assume_mentions: 1 }),
  ];
  const rows = rowsOf(formatHabits({ version: 1, machine, lines }));
  expect(rows.map((row) => row.split(" | ").slice(2))).toEqual([
    ["0.00", "0.00", "±0.00 [no interval] |"],
    ["0.60", "0.35", "−0.25 [no interval] |"],
  ]);
});
