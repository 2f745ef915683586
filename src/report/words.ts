/** Numbers and texts in a few characters, for people: in pages and in the terminal alike. */

/** One line of at most `width` characters, with an ellipsis where something was left out. */
export function cut(text: string, width: number): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  return characters.length <= width
    ? characters.join("")
    : `${characters.slice(0, width - 1).join("")}…`;
}

/** 0.734 -> "73.4". Shares are shown in percent with one digit, without the sign. */
export function percent(share: number): string {
  return (share * 100).toFixed(1);
}

/** "+31.7", "−2.0": the change between two shares, in points. */
export function points(before: number, after: number): string {
  return signedPoints(after - before);
}

/** 0.317 -> "+31.7": a difference of shares, in points. */
export function signedPoints(difference: number): string {
  const change = difference * 100;
  return `${change < -0.05 ? "−" : change > 0.05 ? "+" : "±"}${Math.abs(change).toFixed(1)}`;
}

/** 45 -> "45 s", 192 -> "3 min 12 s", 5400 -> "1 h 30 min". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** 950 -> "950", 31234 -> "31.2k", 1234567 -> "1.2M". */
export function count(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(1)}k`;
  return value >= 100 || Number.isInteger(value) ? Math.round(value).toString() : value.toFixed(1);
}

/** A number of any size in few characters. */
export function compact(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e4) return count(value);
  if (size < 1e-3) return value.toExponential(1).replace(".0e", "e");
  return String(Number(value.toPrecision(3)));
}

/** `1 task`, `3 tasks`. */
export function plural(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
