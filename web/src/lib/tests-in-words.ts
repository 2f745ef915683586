/** A test of two arms as a sentence: what was found, how sure one may be, and where one may not be sure, why. */
import type { Overlay } from "../../../src/spec/studio/index.ts";

const SURE = 0.05;

export function inWords(test: Overlay["tests"][number]): string {
  const { a, b, split, difference, interval, p, note } = test;
  const points = (share: number) => (share * 100).toFixed(1);
  const more = difference > 0 ? "more" : "fewer";
  const found =
    difference === 0
      ? `On ${split}, ${a} and ${b} solve equally many tasks`
      : `On ${split}, ${a} solves ${points(Math.abs(difference))} points ${more} than ${b}`;
  const between = interval
    ? `; 95% interval over runs ${signed(interval[0])} to ${signed(interval[1])}`
    : "";
  const chance =
    p === null ? "" : `; p = ${p < 0.001 ? "< 0.001" : p.toFixed(3)}`.replace("= <", "<");
  const verdict =
    p === null
      ? ""
      : p < SURE
        ? ": more than chance would explain"
        : ": chance alone may explain it";
  return `${found}${between}${chance}${verdict}.${note ? ` ${sentence(note)}` : ""}`;
}

function signed(share: number): string {
  const value = (share * 100).toFixed(1);
  return share < 0 ? value.replace("-", "−") : `+${value}`;
}

function sentence(text: string): string {
  const first = text[0]!.toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
