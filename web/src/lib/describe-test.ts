/** Describes a test of two arms in sentences: the difference, its interval and p-value, and a note on the test. */
import type { Overlay } from "../../../src/spec/studio/index.ts";
import { formatPercent, formatPoints } from "./format.ts";

const SIGNIFICANCE_LEVEL = 0.05;
/** A smaller difference of scores comes from rounding. */
const ROUNDING = 1e-9;

export function describeTest(test: Overlay["tests"][number]): string {
  const { a, b, split, difference, interval, p, note } = test;
  const comparison = difference > 0 ? "higher" : "lower";
  const found =
    Math.abs(difference) < ROUNDING
      ? `On ${split}, ${a} and ${b} have the same score`
      : `On ${split}, the score of ${a} is ${formatPercent(Math.abs(difference))} points ${comparison} than that of ${b}`;
  const between = interval
    ? `; 95% interval over runs ${interval.map(formatPoints).join(" to ")}`
    : "";
  const chance =
    p === null ? "" : `; p = ${p < 0.001 ? "< 0.001" : p.toFixed(3)}`.replace("= <", "<");
  const verdict =
    p === null
      ? ""
      : p < SIGNIFICANCE_LEVEL
        ? ": more than chance would explain"
        : ": chance alone can explain this";
  return `${found}${between}${chance}${verdict}.${note ? ` ${toSentence(note)}` : ""}`;
}

function toSentence(text: string): string {
  const first = text[0]!.toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
