import { describe, expect, test } from "vitest";
import { fullCalendar } from "../apps/calendar/full.ts";
import {
  answers,
  eventPlaces,
  moreCalendarTables,
  nudges,
  proposals,
} from "../apps/calendar/tables.ts";
import { events, guests, people } from "../apps/tables.ts";
import { partOfName } from "../population/name-pools.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../tests/app-fixture.ts";
import { addCalendar } from "./calendar.ts";

const { base, life } = makeLifeBase([fullCalendar], addCalendar);
const { db } = appFixture([fullCalendar], base);

describe("the calendar of the owner's life", () => {
  test("the calendar's tables are large enough to page through", () => {
    expect(db.all(events).length).toBeGreaterThan(180);
    for (const table of moreCalendarTables) {
      expect(db.all(table as never).length, table.name).toBeGreaterThan(4);
    }
    const ahead = db.all(events).filter(({ day }) => day > "2026-03-12");
    for (const response of ["open", "declined"] as const) {
      expect(ahead.filter((row) => row.response === response).length).toBeGreaterThan(4);
    }
    expect(ahead.filter((row) => row.host === null && row.cancelled).length).toBeGreaterThan(8);
  });

  test("each happening is exactly one event with its host, guests and place", () => {
    for (const { title, day, time, host, people: participants, place } of life.happenings) {
      const [event, ...others] = db.where(events, { title });
      expect(others).toEqual([]);
      expect(event).toMatchObject({ day, time, host: host?.id ?? null, cancelled: false });
      const wanted = participants.filter(({ id }) => id !== host?.id).map(({ id }) => id);
      const invited = db.where(guests, { event: event!.id }).map(({ person }) => person);
      expect(invited).toEqual(wanted);
      expect(db.where(eventPlaces, { event: event!.id })[0]?.place).toContain(place);
    }
  });

  test("all people of an event belong to one part of the population, and only its guests answer or propose a time", () => {
    for (const { id, host } of db.all(events)) {
      const invited = db.where(guests, { event: id }).map(({ person }) => person);
      const all = host === null ? invited : [host, ...invited];
      expect(
        new Set(all.map((person) => partOfName(db.get(people, person)!.name))).size,
      ).toBeLessThan(2);
      const said = [...db.where(answers, { event: id }), ...db.where(nudges, { event: id })];
      for (const { person } of said) expect(invited).toContain(person);
      for (const { person } of db.where(proposals, { event: id })) {
        if (person === null) expect(host).not.toBe(null);
        else expect(invited).toContain(person);
      }
    }
  });

  test("every example in the calendar's documentation works as a first call", () => {
    expect(findFailingExamples(fullCalendar, [fullCalendar], base)).toEqual([]);
  });
});
