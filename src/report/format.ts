/** Formats numbers and texts in few characters, for pages and for the terminal. */

/** Returns the text as one line of at most `width` characters, with an ellipsis when something was left out. */
export function cutLine(text: string, width: number): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  return characters.length <= width
    ? characters.join("")
    : `${characters.slice(0, width - 1).join("")}…`;
}

/** Formats a share as a percentage with one decimal and no percent sign: 0.734 becomes "73.4". */
export function formatPercent(share: number): string {
  return (share * 100).toFixed(1);
}

/** Formats the change from one share to another in percentage points, such as "+31.7" or "−2.0". */
export function formatChange(before: number, after: number): string {
  return formatPoints(after - before);
}

/** Formats a difference of shares in percentage points: 0.317 becomes "+31.7". */
export function formatPoints(difference: number): string {
  const change = difference * 100;
  return `${change < -0.05 ? "−" : change > 0.05 ? "+" : "±"}${Math.abs(change).toFixed(1)}`;
}

/** Formats a duration: 45 becomes "45 s", 192 becomes "3 min 12 s", 5400 becomes "1 h 30 min". */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Formats a number of things: 950 becomes "950", 31234 becomes "31.2k", 1234567 becomes "1.2M". */
export function formatCount(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(1)}k`;
  return value >= 100 || Number.isInteger(value) ? Math.round(value).toString() : value.toFixed(1);
}

/** A number that is smaller in size is the rounding of a difference, such as the advantage of an average rollout. */
const ROUNDING = 1e-12;

/** Formats a number of any size in few characters. A number that is nothing but rounding is 0. */
export function formatCompact(value: number): string {
  const size = Math.abs(value);
  if (size < ROUNDING) return "0";
  if (size >= 1e4) return formatCount(value);
  if (size < 1e-3) return value.toExponential(1).replace(".0e", "e");
  return String(Number(value.toPrecision(3)));
}

/** Returns a number with its noun, such as "1 task" or "3 tasks". */
export function pluralize(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
