/** The hours of a day: what is taken, what is free, and what collides. An event is an hour unless it says otherwise. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { day, idOf, paged, pageOf, paging } from "../shared.ts";
import type { CalendarEvent } from "../tables.ts";
import { standing } from "./agenda.ts";
import { eventItem, eventView, openEvent } from "./events.ts";
import { ownId } from "./examples.ts";
import { eventLengths, USUAL_MINUTES } from "./tables.ts";
import { byDay, minutesOf, timeOf, timeOfDay } from "./times.ts";

const MINUTES_A_DAY = 24 * 60;

interface Span {
  readonly row: CalendarEvent;
  /** Minutes since midnight. */
  readonly from: number;
  readonly until: number;
}

/** What takes hours of a day, earliest first. What would go on after midnight ends at 24:00. */
function spansOf(db: Reader, rows: readonly CalendarEvent[]): Span[] {
  return byDay(rows).flatMap((row) => {
    const [length] = db.where(eventLengths, { event: row.id });
    if (length?.allDay) return [];
    const from = minutesOf(row.time);
    return [
      { row, from, until: Math.min(MINUTES_A_DAY, from + (length?.minutes ?? USUAL_MINUTES)) },
    ];
  });
}

const busy = defineApi({
  summary: "List what takes hours of a day, earliest first; all-day events take none.",
  params: z.strictObject({ day: day("the day"), ...paging }),
  returns: pageOf(
    z.strictObject({ title: z.string(), id: z.int(), from: z.string(), until: z.string() }),
  ),
  example: () => ({ day: "2026-03-14" }),
  handler: ({ db }, { day, ...page }) =>
    paged(spansOf(db, standing(db, { day })), page, ({ row, from, until }) => ({
      title: row.title,
      id: row.id,
      from: timeOf(from),
      until: timeOf(until),
    })),
});

const free = defineApi({
  summary: "List the free stretches of a day, earliest first.",
  params: z.strictObject({
    day: day("the day"),
    from: timeOfDay("nothing before this time").default("08:00"),
    until: timeOfDay("nothing after this time").default("20:00"),
    minutes: z.int().min(15).max(720).default(60).describe("only stretches of this length or more"),
    ...paging,
  }),
  returns: pageOf(z.strictObject({ from: z.string(), until: z.string(), minutes: z.int() })),
  example: () => ({ day: "2026-03-14", minutes: 90 }),
  handler: ({ db }, { day, from, until, minutes, ...page }) => {
    if (until <= from) throw new ApiError(422, `until: expected later than ${from}, got ${until}`);
    const gaps = gapsIn(spansOf(db, standing(db, { day })), minutesOf(from), minutesOf(until));
    const long = gaps.filter(([start, end]) => end - start >= minutes);
    return paged(long, page, ([start, end]) => ({
      from: timeOf(start),
      until: timeOf(end),
      minutes: end - start,
    }));
  },
});

function gapsIn(spans: readonly Span[], from: number, until: number): [number, number][] {
  const gaps: [number, number][] = [];
  let open = from;
  for (const span of spans) {
    if (span.from > open) gaps.push([open, Math.min(span.from, until)]);
    open = Math.max(open, span.until);
  }
  if (open < until) gaps.push([open, until]);
  return gaps.filter(([start, end]) => end > start);
}

const conflicts = defineApi({
  summary: "List the other events of the same day whose hours overlap with those of an event.",
  params: z.strictObject({ id: idOf("event"), ...paging }),
  returns: pageOf(eventItem),
  example: (db) => ({ id: ownId(db) }),
  handler: ({ db }, { id, ...page }) => {
    const [mine] = spansOf(db, [openEvent(db, id)]);
    const others = standing(db, { day: openEvent(db, id).day }).filter((row) => row.id !== id);
    const hit = (span: Span) => mine && span.from < mine.until && mine.from < span.until;
    return paged(spansOf(db, others).filter(hit), page, ({ row }) => eventView(row));
  },
});

export const hourApis = { busy, free, conflicts };
