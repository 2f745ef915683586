/** Checks that a message or post was sent at most 15 minutes ago, so that it may still be changed. */
import { refuseUnless } from "bowline/resources";

const CHANGEABLE_MINUTES = 15;

/** Throws a 422 when the row was sent more than 15 minutes before `now`. */
export function requireRecentlySent({ id, at }: { id: number; at: string }, now: string): void {
  const minutes = (Date.parse(now) - Date.parse(at)) / 60_000;
  const sent = `${at.slice(0, 10)} ${at.slice(11, 16)}`;
  const expected = `expected one sent within ${CHANGEABLE_MINUTES} minutes`;
  refuseUnless(minutes <= CHANGEABLE_MINUTES, 422, `id: ${expected}, ${id} is of ${sent}`);
}
