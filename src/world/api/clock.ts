/** Instants in the style of the world's `now`: with milliseconds only if that has them, so that they sort as text. */
export function instantText(ms: number, milliseconds: boolean): string {
  const iso = new Date(ms).toISOString();
  return milliseconds ? iso : `${iso.slice(0, -5)}Z`;
}

export function later(instant: string, ms: number): string {
  return instantText(Date.parse(instant) + ms, instant.includes("."));
}
