/** The APIs of time that the app `me` has in a world with actors: waiting, and what the owner's apps have shown. */
import { z } from "zod";
import { addMilliseconds, addMinutes } from "../api/clock.ts";
import { pageParam, pageSchema, takePage } from "../api/page.ts";
import { type Api, ApiError, type CallContext, defineApi, type Reader } from "../define.ts";
import type { Scene } from "./scene.ts";
import { addWaitedMs, noticesTable } from "./tables.ts";

const MAX_WAIT_MINUTES = 30 * 24 * 60;

const noticeSchema = z.object({ at: z.string(), app: z.string(), text: z.string() });

/** Returns the APIs. `findScene` gives the scene of the call that is running. */
export function makeTimeApis(findScene: () => Scene): Readonly<Record<string, Api>> {
  return {
    wait: defineApi({
      summary:
        "Let time pass. It returns at the first notice of an app, or else when the time is over.",
      params: z.strictObject({
        minutes: z
          .number()
          .positive()
          .max(MAX_WAIT_MINUTES)
          .optional()
          .describe("how many minutes to wait at most"),
        until: z.string().optional().describe("or until when, an ISO instant in UTC"),
      }),
      returns: z.object({ now: z.string(), notices: z.array(noticeSchema) }),
      handler: (context, args) => wait(context, findScene(), args),
    }),
    listNotices: defineApi({
      summary: "List what apps have shown the person you work for, the newest first.",
      params: z.strictObject({ page: pageParam }),
      returns: pageSchema(noticeSchema),
      handler: ({ db }, { page }) => takePage([...db.all(noticesTable)].reverse(), page, 20),
    }),
  };
}

interface WaitArguments {
  readonly minutes?: number | undefined;
  readonly until?: string | undefined;
}

function wait({ db, now }: CallContext, scene: Scene, args: WaitArguments) {
  const target = readTarget(now, args);
  const seen = db.all(noticesTable).length;
  const end = scene.runDue(target, true);
  addWaitedMs(db, Date.parse(end) - Date.parse(now));
  return { now: end, notices: listNewNotices(db, seen) };
}

const listNewNotices = (db: Reader, seen: number) =>
  db
    .all(noticesTable)
    .slice(seen)
    .map(({ at, app, text }) => ({ at, app, text }));

function readTarget(now: string, { minutes, until }: WaitArguments): string {
  if ((minutes === undefined) === (until === undefined))
    throw new ApiError(422, "expected either minutes or until");
  if (minutes !== undefined) return addMinutes(now, minutes);
  const instant = Date.parse(until!);
  const latest = Date.parse(now) + MAX_WAIT_MINUTES * 60_000;
  if (Number.isNaN(instant))
    throw new ApiError(422, `until: expected an ISO instant such as ${now}, got "${until}"`);
  if (instant <= Date.parse(now)) throw new ApiError(422, `until: ${until} is not after ${now}`);
  if (instant > latest) throw new ApiError(422, "until: expected an instant within 30 days");
  return addMilliseconds(now, instant - Date.parse(now));
}
