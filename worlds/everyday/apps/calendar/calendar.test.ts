import { describe, expect, test } from "vitest";
import { appFixture, makeLifeBase } from "../../tests/app-fixture.ts";
import { events, guests, people } from "../tables.ts";
import { fullCalendar } from "./full.ts";
import {
  answers,
  calendarShares,
  nudges,
  otherCalendars,
  otherEvents,
  proposals,
  series,
} from "./tables.ts";
import { repeatDay } from "./times.ts";

/**
 * Event 1 is an own event with guests 1 and 2, event 2 starts an hour later, event 3 is an unanswered invitation by
 * person 3, and event 4 is an own event in the past.
 */
const { base } = makeLifeBase([fullCalendar], (db) => {
  const ownColumns = { host: null, response: "accepted", cancelled: false } as const;
  db.insert(events, { ...ownColumns, title: "Film", day: "2026-03-14", time: "18:00" });
  db.insert(events, { ...ownColumns, title: "Tea", day: "2026-03-14", time: "19:00" });
  const invitationColumns = { host: 3, response: "open", cancelled: false } as const;
  db.insert(events, { ...invitationColumns, title: "Party", day: "2026-03-15", time: "20:00" });
  db.insert(events, { ...ownColumns, title: "Old", day: "2026-03-01", time: "10:00" });
  for (const person of [1, 2]) db.insert(guests, { event: 1, person, uninvited: false });
  db.insert(answers, { event: 1, person: 1, answer: "yes" });
  const other = { event: 1, day: "2026-03-16", time: "17:00", status: "open" } as const;
  db.insert(proposals, { ...other, person: 1 });
  for (const [i, role] of (["busy", "view", "edit"] as const).entries()) {
    db.insert(otherCalendars, { person: i + 1, role });
    db.insert(otherEvents, { person: i + 1, title: "Gym", day: "2026-03-20", time: "07:00" });
  }
});
const fixture = () => appFixture([fullCalendar], base);
const handleById = (id: number) => fixture().db.get(people, id)!.handle;

describe("hours", () => {
  test("events that only touch do not conflict, and they conflict when the first one is longer", () => {
    const open = fixture();
    expect(open.all("calendar.conflicts", { id: 1 })).toEqual([]);
    open.call("calendar.setLength", { id: 1, minutes: 61 });
    expect(open.all("calendar.conflicts", { id: 1 })).toMatchObject([{ id: 2 }]);
    expect(open.all("calendar.busy", { day: "2026-03-14" })).toMatchObject([
      { from: "18:00", until: "19:01" },
      { from: "19:00", until: "20:00" },
    ]);
    open.call("calendar.setAllDay", { id: 1 });
    expect(open.all("calendar.conflicts", { id: 2 })).toEqual([]);
  });

  test("calendar.free lists the gaps between events that are at least as long as asked for", () => {
    const open = fixture();
    const listFree = (args: object) => open.all("calendar.free", { day: "2026-03-14", ...args });
    const morning = { from: "08:00", until: "18:00", minutes: 600 };
    expect(listFree({})).toEqual([morning]);
    expect(listFree({ until: "22:00" })).toEqual([
      morning,
      { from: "20:00", until: "22:00", minutes: 120 },
    ]);
    expect(listFree({ from: "18:30", until: "20:15" })).toEqual([]);
    const wrong = { day: "2026-03-14", from: "12:00", until: "12:00" };
    expect(open.refusal("calendar.free", wrong).message).toMatch(/^until: /);
  });

  test("calendar.week lists the events from Monday to Sunday", () => {
    const ids = (day: string) =>
      fixture()
        .all("calendar.week", { day })
        .map((item) => item["id"]);
    expect(ids("2026-03-09")).toEqual([1, 2]);
    expect(ids("2026-03-15")).toEqual([1, 2]);
    expect(ids("2026-03-16")).toEqual([]);
  });
});

describe("changing events", () => {
  test("only the owner's events of today or later can be changed, and cancelling an event can be undone", () => {
    const open = fixture();
    expect(open.refusal("calendar.setPlace", { id: 3, place: "x" })).toMatchObject({
      status: 422,
      message: expect.stringMatching(/^id: expected an own event/),
    });
    expect(open.refusal("calendar.setPlace", { id: 4, place: "x" }).message).toMatch(/^id: /);
    open.call("calendar.setNote", { id: 3, note: "bring wine" });
    expect(open.refusal("calendar.restore", { id: 1 }).status).toBe(409);
    open.call("calendar.cancel", { id: 1 });
    expect(open.all("calendar.cancelled")).toMatchObject([{ id: 1 }]);
    open.call("calendar.restore", { id: 1 });
    expect(open.db.get(events, 1)!.cancelled).toBe(false);
  });

  test("the same reminder cannot be set twice, and only an empty category can be removed", () => {
    const open = fixture();
    open.call("calendar.remind", { id: 3, minutes: 30 });
    expect(open.refusal("calendar.remind", { id: 3, minutes: 30 }).message).toMatch(/^minutes: /);
    open.call("calendar.addCategory", { name: "fun", colour: "red" });
    open.call("calendar.file", { id: 1, category: "FUN" });
    expect(open.all("calendar.list", { category: "fun" })).toMatchObject([{ id: 1 }]);
    expect(open.refusal("calendar.removeCategory", { category: "fun" }).status).toBe(409);
    open.call("calendar.unfile", { id: 1 });
    open.call("calendar.removeCategory", { category: "fun" });
    expect(open.refusal("calendar.list", { category: "fun" }).status).toBe(404);
  });

  test("a series copies the guests and place of its first event, and ending it cancels all events from today on", () => {
    const open = fixture();
    open.call("calendar.setPlace", { id: 1, place: "Hall" });
    open.call("calendar.repeat", { id: 1, every: "week", times: 2 });
    expect(open.refusal("calendar.repeat", { id: 5, every: "day", times: 1 }).status).toBe(409);
    expect(open.all("calendar.seriesEvents", { id: 1 })).toMatchObject([
      { id: 1, day: "2026-03-14" },
      { id: 5, day: "2026-03-21" },
      { id: 6, day: "2026-03-28" },
    ]);
    expect(open.all("calendar.guests", { id: 6 })).toHaveLength(2);
    expect(open.item("calendar.details", { id: 6 })["place"]).toBe("Hall");
    open.call("calendar.endSeries", { id: 1 });
    expect(open.db.get(series, 1)!.ended).toBe(true);
    expect(open.all("calendar.seriesEvents", { id: 1 })).toEqual([]);
  });

  test("a monthly repetition takes the last day of a month that lacks the date", () => {
    const months = [1, 2, 3].map((count) => repeatDay("2026-01-31", "month", count));
    expect(months).toEqual(["2026-02-28", "2026-03-31", "2026-04-30"]);
  });

  test("copying guests invites nobody twice", () => {
    const open = fixture();
    open.call("calendar.invite", { id: 2, person: handleById(1) });
    expect(open.call("calendar.copyGuests", { from: 1, to: 2 })).toEqual({ invited: 1 });
    expect(open.call("calendar.copyGuests", { from: 1, to: 2 })).toEqual({ invited: 0 });
  });
});

describe("guests", () => {
  test("only a guest who has not answered can be asked once more, and only once", () => {
    const open = fixture();
    const nudge = (id: number) => ({ id: 1, person: handleById(id) });
    expect(open.all("calendar.answers", { id: 1, answer: "open" })).toMatchObject([
      { handle: handleById(2) },
    ]);
    expect(open.refusal("calendar.nudge", nudge(1)).message).toMatch(/^person: .*answered yes/);
    expect(open.refusal("calendar.nudge", nudge(3)).status).toBe(404);
    open.call("calendar.nudge", nudge(2));
    expect(open.refusal("calendar.nudge", nudge(2)).status).toBe(409);
    expect(open.db.all(nudges)).toHaveLength(1);
  });

  test("accepting a guest's proposal moves the event, and the owner's proposal can be withdrawn", () => {
    const open = fixture();
    expect(open.refusal("calendar.withdraw", { id: 1 }).status).toBe(403);
    open.call("calendar.acceptProposal", { id: 1 });
    expect(open.db.get(events, 1)).toMatchObject({ day: "2026-03-16", time: "17:00" });
    expect(open.refusal("calendar.declineProposal", { id: 1 }).message).toMatch(/already accepted/);
    const when = { day: "2026-03-18", time: "20:00" };
    expect(open.refusal("calendar.propose", { id: 1, ...when }).status).toBe(422);
    open.call("calendar.propose", { id: 3, ...when });
    expect(open.refusal("calendar.propose", { id: 3, ...when }).status).toBe(409);
    open.call("calendar.withdraw", { id: 2 });
    expect(open.all("calendar.proposals", { by: "me", status: "withdrawn" })).toHaveLength(1);
  });
});

describe("sharing", () => {
  test("a share that was ended is kept as a row and can be given again", () => {
    const open = fixture();
    const person = handleById(4);
    open.call("calendar.share", { person, role: "busy" });
    expect(open.refusal("calendar.share", { person }).status).toBe(409);
    open.call("calendar.unshare", { person });
    expect(open.refusal("calendar.setRole", { person, role: "edit" }).status).toBe(404);
    open.call("calendar.share", { person, role: "edit" });
    expect(open.db.all(calendarShares)).toMatchObject([{ person: 4, role: "edit", ended: false }]);
  });

  test("the role decides what the owner sees and may add in another person's calendar", () => {
    const open = fixture();
    const title = (id: number) =>
      open.all("calendar.look", { person: handleById(id) })[0]!["title"];
    expect([title(1), title(2), title(3)]).toEqual(["busy", "Gym", "Gym"]);
    const add = (id: number) => ({
      person: handleById(id),
      title: "x",
      day: "2026-03-21",
      time: "09:00",
    });
    expect(open.refusal("calendar.addFor", add(2))).toMatchObject({
      status: 403,
      message: expect.stringMatching(/^person: .*"view", expected "edit"/),
    });
    expect(open.refusal("calendar.look", { person: handleById(9) }).status).toBe(403);
    open.call("calendar.addFor", add(3));
    expect(open.all("calendar.look", { person: handleById(3) })).toHaveLength(2);
  });
});
