/** What was sent may be changed for a quarter of an hour. */
import { ApiError } from "../../../../world/index.ts";

const MINUTES = 15;

/** A 422 when the row was sent longer ago than that. */
export function expectFresh({ id, at }: { id: number; at: string }, now: string): void {
  const minutes = (Date.parse(now) - Date.parse(at)) / 60_000;
  if (minutes <= MINUTES) return;
  const sent = `${at.slice(0, 10)} ${at.slice(11, 16)}`;
  throw new ApiError(422, `id: expected one sent within ${MINUTES} minutes, ${id} is of ${sent}`);
}
