/** What was sent may be changed for a quarter of an hour. */
import { must } from "bowline/resources";

const MINUTES = 15;

/** A 422 when the row was sent longer ago than that. */
export function expectFresh({ id, at }: { id: number; at: string }, now: string): void {
  const minutes = (Date.parse(now) - Date.parse(at)) / 60_000;
  const sent = `${at.slice(0, 10)} ${at.slice(11, 16)}`;
  const expected = `expected one sent within ${MINUTES} minutes`;
  must(minutes <= MINUTES, 422, `id: ${expected}, ${id} is of ${sent}`);
}
