/** Formats numbers and times in a few characters, in the same way as the command line. */

/** Formats a share as a percentage with one decimal and no percent sign: 0.734 becomes "73.4". */
export function formatPercent(share: number): string {
  return (share * 100).toFixed(1);
}

/** Formats a share as a percentage with its sign: 0.734 becomes "73.4%". */
export function formatShare(share: number): string {
  return `${formatPercent(share)}%`;
}

/** Formats the change from one share to another in percentage points, such as "+31.7" or "−2.0". */
export function formatChange(before: number, after: number): string {
  return formatPoints(after - before);
}

/** Formats a difference of shares in percentage points, such as "+31.7", "−2.0" or "±0.0". */
export function formatPoints(difference: number): string {
  const change = difference * 100;
  const sign = change < -0.05 ? "−" : change > 0.05 ? "+" : "±";
  return `${sign}${Math.abs(change).toFixed(1)}`;
}

/** Formats an interval of shares, such as "[46.3, 68.1]". */
export function formatInterval([low, high]: readonly [number, number]): string {
  return `[${withMinus(formatPercent(low))}, ${withMinus(formatPercent(high))}]`;
}

/** Replaces a hyphen before a number by a minus sign. */
const withMinus = (number: string) => number.replace(/^-/, "−");

/** Formats a number with a fixed number of decimals, such as "−0.86". A negative zero has no sign. */
export function formatDecimals(value: number, decimals: number): string {
  return withMinus((Number(value.toFixed(decimals)) || 0).toFixed(decimals));
}

/** Formats a duration: 45 becomes "45 s", 192 becomes "3 min 12 s", 5400 becomes "1 h 30 min". */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`;
}

/**
 * Formats how long ago a time was, such as "just now", "12 min ago" or "4 days ago". A time more than two weeks ago is
 * shown as a date.
 */
export function formatAge(thenMs: number, nowMs: number): string {
  const seconds = (nowMs - thenMs) / 1000;
  if (seconds < 10) return "just now";
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  if (seconds < 14 * 86_400) return `${pluralize(Math.floor(seconds / 86_400), "day")} ago`;
  return new Date(thenMs).toISOString().slice(0, 10);
}

/** Formats a number of things: 950 becomes "950", 31234 becomes "31.2k", 1234567 becomes "1.2M". */
export function formatCount(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)}G`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(1)}k`;
  return value >= 100 || Number.isInteger(value) ? Math.round(value).toString() : value.toFixed(1);
}

/** A number that is smaller in size is the rounding of a difference, such as the advantage of an average rollout. */
const ROUNDING = 1e-12;

/** Returns 0 for a number that is nothing but rounding. */
export function dropRounding(value: number): number {
  return Math.abs(value) < ROUNDING ? 0 : value;
}

/** Formats a number of any size and sign in few characters. */
export function formatCompact(number: number): string {
  const value = dropRounding(number);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e4) return `${value < 0 ? "−" : ""}${formatCount(size)}`;
  const text = size < 1e-3 ? size.toExponential(1).replace(".0e", "e") : formatThreeDigits(size);
  return `${value < 0 ? "−" : ""}${text}`.replace("e-", "e−");
}

function formatThreeDigits(size: number): string {
  return String(Number(size.toPrecision(3)));
}

/** Formats an amount of money without a currency, because a budget has none. */
export function formatMoney(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

/** Returns a number with its noun, such as "1 task" or "3 tasks". */
export function pluralize(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
