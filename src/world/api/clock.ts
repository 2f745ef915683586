/**
 * Formats an instant like the world's `now`: milliseconds appear only if `now` has them, so that instants sort as text.
 */
export function formatInstant(ms: number, withMilliseconds: boolean): string {
  const iso = new Date(ms).toISOString();
  return withMilliseconds ? iso : `${iso.slice(0, -5)}Z`;
}

/** Returns the instant a number of minutes later, to the millisecond. */
export function addMinutes(instant: string, minutes: number): string {
  return addMilliseconds(instant, Math.round(minutes * 60_000));
}

export function addMilliseconds(instant: string, ms: number): string {
  return formatInstant(Date.parse(instant) + ms, instant.includes("."));
}
