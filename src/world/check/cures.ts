/**
 * Says what usually cures a failed check of a right solution. The one case that nearly every new world meets: an API
 * stores the time of its call, and the goal, which calls nothing, cannot know by how many seconds the clock had moved.
 */
import type { CheckResult } from "../../spec/index.ts";

const COLUMN_CHECK = /^(.+): (?:added|changed) (\w+)$/;
const VALUES = /(?:^expected |row \d+: )(.+?), got ([^;]+)/;
/** The largest difference, in seconds, that the calls of a solution can make. */
const MAX_SECONDS = 3600;

/** Returns the advice for a failed check; undefined when none is known. */
export function suggestCure({ name, detail = "" }: CheckResult): string | undefined {
  const [, table, column] = COLUMN_CHECK.exec(name) ?? [];
  const [, expected, got] = VALUES.exec(detail) ?? [];
  if (column === undefined || expected === undefined || got === undefined) return undefined;
  const seconds = differenceInSeconds(expected, got);
  if (seconds === undefined || seconds === 0 || Math.abs(seconds) > MAX_SECONDS) return undefined;
  return `the times differ by ${seconds} s, because each call moves the clock: if the task is not about this time, declare the column as bookkeeping: defineTable("${table}", { classes: { ${column}: "bookkeeping" } })`;
}

/** Returns by how much the last of the times in a text is later than that in another one; undefined without times. */
function differenceInSeconds(expected: string, got: string): number | undefined {
  const [from, to] = [readTimeMs(expected), readTimeMs(got)];
  return from === undefined || to === undefined ? undefined : (to - from) / 1000;
}

/** Reads an ISO instant, or a number that can only be a time in milliseconds. */
function readTimeMs(text: string): number | undefined {
  const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/.exec(text)?.[0];
  if (instant !== undefined) return Date.parse(instant);
  const number = /^\d{13}$/.exec(text.trim())?.[0];
  return number === undefined ? undefined : Number(number);
}
