/** What the calendar parts share: which events are which, and clauses that several collections have. */

import { type Clause, dayWords } from "../../../../goals/index.ts";
import type { Reader, TableRow } from "../../../../world/index.ts";
import { answers, eventLengths, eventPlaces, nudges } from "../../apps/calendar/tables.ts";
import { type CalendarEvent, events, guests, people } from "../../apps/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { atLeast, atMost } from "../bounds.ts";

export const TODAY = dayAfter(0);
export const YESTERDAY = dayAfter(-1);

export const js = (value: string) => JSON.stringify(value);

export function reachable(db: Reader, person: number): boolean {
  return db.get(people, person)?.blocked === false;
}

export const standing = (row: CalendarEvent) => row.response === "accepted" && !row.cancelled;
export const own = (row: CalendarEvent) => standing(row) && row.host === null && row.day >= TODAY;
export const others = (row: CalendarEvent) =>
  standing(row) && row.host !== null && row.day >= TODAY;

export function guestsOf(db: Reader, event: number): number[] {
  return db.where(guests, { event, uninvited: false }).map(({ person }) => person);
}

/** Host and guests. */
export function attendees(db: Reader, row: CalendarEvent): number[] {
  const invited = guestsOf(db, row.id);
  return row.host === null ? invited : [row.host, ...invited];
}

export function placeOf(db: Reader, event: number): string {
  return db.where(eventPlaces, { event })[0]?.place ?? "";
}

/** Guests who have not answered. */
export function silentOf(db: Reader, event: number): number[] {
  return guestsOf(db, event).filter((person) => db.where(answers, { event, person }).length === 0);
}

export function nudged(db: Reader, event: number, person: number): boolean {
  return db.where(nudges, { event, person }).length > 0;
}

/** What a copy of an event takes over, or a todo for it; as text, to see that nothing of it was changed meanwhile. */
export function shapeOf(db: Reader, id: number): string {
  const { title, day, time } = db.get(events, id)!;
  const lengths = db.where(eventLengths, { event: id });
  const all = [title, day, time, placeOf(db, id), lengths, guestsOf(db, id), silentOf(db, id)];
  return JSON.stringify(all);
}

/** By this day, or from this day on. */
export function dayClauses<R extends TableRow & { readonly day: string }>(
  code: (end: "since" | "until", day: string) => { readonly args?: string; readonly test?: string },
): readonly Clause<R>[] {
  return [
    {
      name: "until",
      excludes: ["since"],
      draw: ({ rng }, rows) => {
        const bound = atMost(
          rng,
          rows.map(({ day }) => day),
        );
        if (bound === undefined) return undefined;
        const day = dayWords(bound);
        return {
          words: [
            `on ${day} or earlier`,
            `up to and including ${day}`,
            `that are on or before ${day}`,
            `until ${day}, that day included`,
            `no later than ${day}`,
          ],
          holds: (row) => row.day <= bound,
          code: code("until", js(bound)),
        };
      },
    },
    {
      name: "since",
      draw: ({ rng }, rows) => {
        const bound = atLeast(
          rng,
          rows.map(({ day }) => day),
        );
        if (bound === undefined) return undefined;
        const day = dayWords(bound);
        return {
          words: [
            `on ${day} or later`,
            `from ${day} on, that day included`,
            `that are on or after ${day}`,
            `starting with ${day} or a later day`,
            `no earlier than ${day}`,
          ],
          holds: (row) => row.day >= bound,
          code: code("since", js(bound)),
        };
      },
    },
  ];
}

/** `x.time` is part of every item. */
export function noonClauses<
  R extends TableRow & { readonly time: string },
>(): readonly Clause<R>[] {
  return [
    {
      name: "before-noon",
      excludes: ["evening"],
      draw: () => ({
        words: [
          "that start before noon",
          "that begin before 12:00",
          "with a start before 12:00",
          "which start earlier than 12:00",
          "whose start is before noon",
        ],
        holds: (row) => row.time < "12:00",
        code: { test: 'x.time<"12:00"' },
      }),
    },
    {
      name: "evening",
      draw: () => ({
        words: [
          "that start at 18:00 or later",
          "that begin no earlier than 18:00",
          "with a start at 18:00 or after",
          "which start at six in the evening or later",
          "whose start is 18:00 or later",
        ],
        holds: (row) => row.time >= "18:00",
        code: { test: 'x.time>="18:00"' },
      }),
    },
  ];
}
