/**
 * Prints the habits of two evaluations, before and after training, with the interval of each change.
 *
 * npx tsx bench/learning/compare-habits.ts BEFORE.jsonl AFTER.jsonl
 *
 * The files hold rollouts, one a line, such as those in the folder `rollouts` of a run directory. Both must have
 * rollouts of the same tasks.
 */
import { readJsonLines } from "../../src/core/index.ts";
import { type Rollout, rolloutSchema } from "../../src/spec/index.ts";
import { compareHabits, HABITS } from "./habits.ts";

const [before, after] = process.argv.slice(2);
if (before === undefined || after === undefined) {
  console.error(
    "compare-habits: expected two files of rollouts: npx tsx bench/learning/compare-habits.ts BEFORE.jsonl AFTER.jsonl",
  );
  process.exit(1);
}
const readRollouts = (file: string) =>
  readJsonLines(file).map((line): Rollout => rolloutSchema.parse(line));
const format = (value: number) => value.toFixed(3);
const changes = compareHabits(readRollouts(before), readRollouts(after));
for (const { habit, interval, scenarios, ...one } of changes) {
  const range = interval ? `[${interval.map(format).join(", ")}]` : "unknown";
  const numbers = `${format(one.before)} before, ${format(one.after)} after, change within ${range}`;
  console.log(`${habit}: ${numbers} (${scenarios} scenarios; ${HABITS[habit]})`);
}
if (changes.length === 0) console.log("the files have no rollouts of the same tasks");
