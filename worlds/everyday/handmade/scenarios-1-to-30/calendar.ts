/** Scenarios about the calendar: days away, rooms, clashing events and free hours. */
import { eventLengths, eventPlaces } from "../../apps/calendar/tables.ts";
import { type CalendarEvent, events, guests } from "../../apps/tables.ts";
import {
  addDays,
  dayAndMonth,
  insertOwnEvent,
  insertReceivedMail,
  LAST_WEEK,
} from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask, type TaskDraw } from "../scenario.ts";
import { FINISH_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { Changes, haveSameMembers, haveSameWords, isDone } from "../verdicts.ts";

/**
 * Picks a day of the coming weeks on which nothing is planned, not even an invitation. Each task gets a different day.
 */
function pickEmptyDay(draw: TaskDraw): string {
  const taken = new Set(draw.base.all(events).map(({ day }) => day));
  const days = Array.from({ length: 60 }, (_, i) => addDays("2026-03-16", i));
  return pickForTask(
    draw,
    days.filter((day) => !taken.has(day)),
  );
}

const declineWhileAway = defineScenario("decline-while-away", 2, (draw) => {
  const [personA, personB, personC] = draw.people;
  const from = pickForTask(draw, ["2026-03-20", "2026-03-27", "2026-04-09"]);
  const until = addDays(from, 2);
  const invitation = { response: "open" } as const;
  const isDuringAbsence = ({ day, host, cancelled }: CalendarEvent) =>
    host !== null && !cancelled && day >= from && day <= until;
  return {
    instruction: `I am away from ${dayAndMonth(from)} to ${dayAndMonth(until)}. Decline all invitations for these days that I have not answered yet, and leave everything else as it is.`,
    setup(db) {
      insertOwnEvent(db, "Lantern walk", from, "18:00", { host: personA!.id, ...invitation });
      insertOwnEvent(db, "Soup and songs", until, "12:30", { host: personB!.id, ...invitation });
      insertOwnEvent(db, "Slide evening", addDays(from, -1), "19:00", {
        host: personB!.id,
        ...invitation,
      });
      insertOwnEvent(db, "Lantern walk", addDays(until, 1), "18:00", {
        host: personA!.id,
        ...invitation,
      });
      insertOwnEvent(db, "Choir rehearsal", addDays(from, 1), "17:00", { host: personC!.id });
    },
    goal(db) {
      for (const event of db.where(events, invitation).filter(isDuringAbsence))
        db.update(events, event.id, { response: "declined" });
    },
    *solution() {
      yield `${readAllPagesCode("invites", (page) => `apis.calendar.invites({ ${page} })`)}
const missed = invites.filter(({ day }) => day >= "${from}" && day <= "${until}");
print(missed);`;
      yield `for (const { id } of missed) apis.calendar.decline({ id });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const answered = changes.changedRows(events);
      const onlyAnswers = answered.every(
        ({ before, after, columns }) =>
          columns.join() === "response" &&
          before.response === "open" &&
          after.response === "declined",
      );
      const stillOpen = end.where(events, invitation).filter(isDuringAbsence);
      const inside = answered.every(({ after }) => isDuringAbsence(after));
      const alone = changes.rowCount === answered.length && answered.length > 0;
      return isDone(finish) && alone && onlyAnswers && inside && stillOpen.length === 0;
    },
  };
});

const ROOMS = [
  { title: "Budget round", old: "Room 2", room: "the library" },
  { title: "Reading of the play", old: "Town hall", room: "the old mill" },
  { title: "Talk about bees", old: "Back garden", room: "the school kitchen" },
];

const placeFromMail = defineScenario("place-from-mail", 2, (draw) => {
  const [personA, personB] = draw.people;
  const { title, old, room } = pickForTask(draw, ROOMS);
  const day = pickEmptyDay(draw);
  return {
    instruction: `${personA!.name} mailed me that "${title}" has to move to another place. Enter the new place in my calendar.`,
    setup(db) {
      const event = insertOwnEvent(db, title, day, "15:00");
      db.insert(eventPlaces, { event: event.id, place: old });
      insertOwnEvent(db, `${title}, second part`, addDays(day, 1), "15:00");
      const newsText = (where: string) =>
        `${old} is taken on ${dayAndMonth(day)}. "${title}" will be in ${where} instead.`;
      insertReceivedMail(db, personB!, {
        subject: "About the room",
        body: newsText("the cellar"),
        at: LAST_WEEK,
      });
      insertReceivedMail(db, personA!, { subject: "About the room", body: newsText(room) });
    },
    goal(db) {
      const [event] = db.where(events, { title, day });
      const [place] = db.where(eventPlaces, { event: event!.id });
      db.update(eventPlaces, place!.id, { place: room });
    },
    *solution() {
      yield logInCell("mail");
      yield `const from = apis.contacts.find({ name: ${quote(personA!.name)} }).items[0].handle;
const [mail] = apis.mail.list({ from, subject: "About the room" }).items;
const place = apis.mail.show({ id: mail.id }).body.match(/will be in (.+) instead/)[1];
print(place);`;
      yield `const event = apis.calendar.search({ query: ${quote(title)} }).items.find((one) => one.title === ${quote(title)});
apis.calendar.setPlace({ id: event.id, place });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const places = end
        .all(eventPlaces)
        .map(({ event, place }) => ({ at: end.get(events, event), place }));
      const here = places.filter(({ at }) => at?.title === title && at.day === day);
      const right = here.length === 1 && haveSameWords(here[0]!.place, room);
      return isDone(finish) && right && new Changes(start, end).rowCount === 1;
    },
  };
});

const LONG_EVENTS = [
  "Roof repair with the neighbours",
  "First aid course",
  "Stocktaking at the club",
];

const clearClashes = defineScenario("clear-clashes", 3, (draw) => {
  const [personA] = draw.people;
  const title = pickForTask(draw, LONG_EVENTS);
  const day = pickEmptyDay(draw);
  const next = addDays(day, 1);
  const hour = draw.rng.integer(10, 13);
  const clockTime = (hours: number, minutes = "00") =>
    `${String(hour + hours).padStart(2, "0")}:${minutes}`;
  return {
    instruction: `"${title}" on ${dayAndMonth(day)} takes longer than I thought. Move those of my own events that overlap with it to the day after, at the same time, and decline the overlapping ones to which others invited me.`,
    setup(db) {
      const long = insertOwnEvent(db, title, day, clockTime(0));
      db.insert(eventLengths, { event: long.id, minutes: 180, allDay: false });
      insertOwnEvent(db, "Phone call with the bank", day, clockTime(-1));
      insertOwnEvent(db, "Haircut", day, clockTime(2, "30"));
      const early = insertOwnEvent(db, "Walk with the dog", day, clockTime(-1, "15"));
      db.insert(eventLengths, { event: early.id, minutes: 50, allDay: false });
      insertOwnEvent(db, "Coffee on the square", day, clockTime(1), { host: personA!.id });
      insertOwnEvent(db, "Open evening", day, clockTime(3), { host: personA!.id });
      const whole = insertOwnEvent(db, "Market week", day, "08:00");
      db.insert(eventLengths, { event: whole.id, minutes: 60, allDay: true });
    },
    goal(db) {
      const eventIdByTitle = (name: string) => db.where(events, { title: name, day })[0]!.id;
      for (const name of ["Haircut", "Walk with the dog"])
        db.update(events, eventIdByTitle(name), { day: next });
      db.update(events, eventIdByTitle("Coffee on the square"), { response: "declined" });
    },
    *solution() {
      yield `const long = apis.calendar.list({ day: "${day}", size: 20 }).items.find((one) => one.title === ${quote(title)});
const clashes = apis.calendar.conflicts({ id: long.id, size: 20 }).items.map(({ id }) => apis.calendar.show({ id }));
print(clashes);`;
      yield `for (const { id, host } of clashes) {
  if (host === null) apis.calendar.move({ id, day: "${next}" });
  else apis.calendar.decline({ id });
}\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const minuteOfDay = (time: string) => 60 * Number(time.slice(0, 2)) + Number(time.slice(3));
      const timeSpan = (row: CalendarEvent) => {
        const [length] = start.where(eventLengths, { event: row.id });
        return [
          minuteOfDay(row.time),
          minuteOfDay(row.time) + (length?.minutes ?? 60),
          length?.allDay ?? false,
        ] as const;
      };
      const today = start.where(events, { day, response: "accepted", cancelled: false });
      const [from, until] = timeSpan(today.find((row) => row.title === title)!);
      const expected = today.flatMap((row) => {
        const [begins, ends, allDay] = timeSpan(row);
        if (row.title === title || allDay || ends <= from || begins >= until) return [];
        return [row.host === null ? { ...row, day: next } : { ...row, response: "declined" }];
      });
      const changes = new Changes(start, end);
      const changedEvents = changes.changedRows(events).map(({ after }) => after);
      return (
        isDone(finish) &&
        haveSameMembers(changedEvents, expected) &&
        changes.rowCount === expected.length
      );
    },
  };
});

const firstFreeHour = defineScenario("first-free-hour", 3, (draw) => {
  const [personA, personB] = draw.people;
  const day = pickEmptyDay(draw);
  const busy = pickForTask(draw, [
    { "09:00": 90, "10:30": 60, "12:15": 45, "15:00": 30 },
    { "08:30": 60, "10:15": 30, "11:00": 120, "13:45": 60, "16:30": 30 },
    { "09:30": 60, "10:30": 45, "11:45": 30, "13:00": 60 },
  ] as const);
  const title = `Call with ${personA!.name}`;
  return {
    instruction: `Find the first free hour on ${dayAndMonth(day)} between 9:00 and 17:00, and put "${title}" there, with ${personA!.name} as a guest.`,
    setup(db) {
      for (const [i, [time, minutes]] of Object.entries(busy).entries()) {
        const host = i % 2 === 1 ? personB!.id : null;
        const { id } = insertOwnEvent(db, `Meeting ${i + 1}`, day, time, { host });
        if (minutes !== 60) db.insert(eventLengths, { event: id, minutes, allDay: false });
      }
      insertOwnEvent(db, "Called off", day, "12:00", { cancelled: true });
      insertOwnEvent(db, "Not for me", day, "11:30", { host: personB!.id, response: "declined" });
    },
    goal(db) {
      let from = 9 * 60;
      for (const [time, minutes] of Object.entries(busy)) {
        const begins = 60 * Number(time.slice(0, 2)) + Number(time.slice(3));
        if (begins - from >= 60) break;
        from = Math.max(from, begins + minutes);
      }
      const time = `${String(Math.floor(from / 60)).padStart(2, "0")}:${String(from % 60).padStart(2, "0")}`;
      const event = insertOwnEvent(db, title, day, time);
      db.insert(guests, { event: event.id, person: personA!.id, uninvited: false });
    },
    *solution() {
      yield `const [gap] = apis.calendar.free({ day: "${day}", from: "09:00", until: "17:00", minutes: 60 }).items;
print(gap);`;
      yield `const { handle } = apis.contacts.find({ name: ${quote(personA!.name)} }).items[0];
apis.calendar.add({ title: ${quote(title)}, day: "${day}", time: gap.from, guests: [handle] });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      // For each minute of the day, `taken` says whether an event takes place then.
      const taken = new Array<boolean>(24 * 60).fill(false);
      const minuteOfDay = (time: string) => 60 * Number(time.slice(0, 2)) + Number(time.slice(3));
      for (const { id, time, response, cancelled } of start.where(events, { day })) {
        const minutes = start.where(eventLengths, { event: id })[0]?.minutes ?? 60;
        if (response === "accepted" && !cancelled)
          taken.fill(true, minuteOfDay(time), minuteOfDay(time) + minutes);
      }
      let firstFreeMinute = 9 * 60;
      while (taken.slice(firstFreeMinute, firstFreeMinute + 60).includes(true)) firstFreeMinute++;
      const changes = new Changes(start, end);
      const [event] = changes.addedRows(events);
      const [guest] = changes.addedRows(guests);
      if (!isDone(finish) || changes.rowCount !== 2 || !event || !guest) return false;
      const invited = guest.event === event.id && guest.person === personA!.id && !guest.uninvited;
      const mine = event.host === null && !event.cancelled && haveSameWords(event.title, title);
      return invited && mine && event.day === day && minuteOfDay(event.time) === firstFreeMinute;
    },
  };
});

export const calendarScenarios: readonly HandmadeScenario[] = [
  declineWhileAway,
  placeFromMail,
  clearClashes,
  firstFreeHour,
];
