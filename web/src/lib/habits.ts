/** Formats the table of behaviour. Habits are counts per task or shares, with values from thousandths to thousands. */

/** Formats the name of a habit: `docs_calls` becomes "docs calls". */
export function formatHabitName(name: string): string {
  return name.replaceAll("_", " ").replace(/^api\b/, "API");
}

/** Formats a value with three significant digits; "–" stands for a value that was not measured. */
export function formatHabitValue(value: number | null): string {
  if (value === null) return "–";
  if (Math.abs(value) >= 1000) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

/** Formats a change such as "+0.5" or "−12". It is "±0" for equal values and "–" if one value is missing. */
export function formatHabitChange(before: number | null, after: number | null): string {
  if (before === null || after === null) return "–";
  const difference = Number((after - before).toPrecision(2));
  if (difference === 0) return "±0";
  return `${difference > 0 ? "+" : "−"}${formatHabitValue(Math.abs(difference))}`;
}
