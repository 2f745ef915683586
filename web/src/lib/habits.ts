/** Numbers of the behaviour table in words. Habits are counts a task or shares, from thousandths to thousands. */

/** `docs_calls` -> "docs calls" */
export function formatHabitName(name: string): string {
  return name.replaceAll("_", " ");
}

/** Three digits that matter; "–" where nothing was measured. */
export function formatHabitValue(value: number | null): string {
  if (value === null) return "–";
  if (Math.abs(value) >= 1000) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

/** "+0.5", "−12"; "±0" where both are the same, "–" where one is missing. */
export function formatHabitChange(before: number | null, after: number | null): string {
  if (before === null || after === null) return "–";
  const difference = Number((after - before).toPrecision(2));
  if (difference === 0) return "±0";
  return `${difference > 0 ? "+" : "−"}${formatHabitValue(Math.abs(difference))}`;
}
