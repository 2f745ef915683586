/** The calendar: days away, rooms, clashes and free hours. */
import { eventLengths, eventPlaces } from "../../apps/calendar/tables.ts";
import { type CalendarEvent, events, guests } from "../../apps/tables.ts";
import { DONE, logIn, pages, quoted } from "../cells.ts";
import { Changes, sameMembers, sameWords, silent } from "../changes.ts";
import { daysAfter, dayWords, LAST_WEEK, ownEvent, receivedMail } from "../rows.ts";
import { type Draw, errand, type HandmadeScenario, turn } from "../scenario.ts";

/** Days of the coming weeks on which nothing is planned, not even invitations; another one for each task. */
function emptyDay(draw: Draw): string {
  const taken = new Set(draw.base.all(events).map(({ day }) => day));
  const days = Array.from({ length: 60 }, (_, i) => daysAfter("2026-03-16", i));
  return turn(
    draw,
    days.filter((day) => !taken.has(day)),
  );
}

const declineWhileAway = errand("decline-while-away", 2, (draw) => {
  const [a, b, c] = draw.people;
  const from = turn(draw, ["2026-03-20", "2026-03-27", "2026-04-09"]);
  const until = daysAfter(from, 2);
  const invitation = { response: "open" } as const;
  const away = ({ day, host, cancelled }: CalendarEvent) =>
    host !== null && !cancelled && day >= from && day <= until;
  return {
    instruction: `I am away from ${dayWords(from)} to ${dayWords(until)}. Decline all invitations for these days that I have not answered yet, and leave everything else as it is.`,
    setup(db) {
      ownEvent(db, "Lantern walk", from, "18:00", { host: a!.id, ...invitation });
      ownEvent(db, "Soup and songs", until, "12:30", { host: b!.id, ...invitation });
      ownEvent(db, "Slide evening", daysAfter(from, -1), "19:00", { host: b!.id, ...invitation });
      ownEvent(db, "Lantern walk", daysAfter(until, 1), "18:00", { host: a!.id, ...invitation });
      ownEvent(db, "Choir rehearsal", daysAfter(from, 1), "17:00", { host: c!.id });
    },
    goal(db) {
      for (const event of db.where(events, invitation).filter(away))
        db.update(events, event.id, { response: "declined" });
    },
    *solution() {
      yield `${pages("invites", (page) => `apis.calendar.invites({ ${page} })`)}
const missed = invites.filter(({ day }) => day >= "${from}" && day <= "${until}");
print(missed);`;
      yield `for (const { id } of missed) apis.calendar.decline({ id });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const answered = seen.changed(events);
      const onlyAnswers = answered.every(
        ({ before, after, columns }) =>
          columns.join() === "response" &&
          before.response === "open" &&
          after.response === "declined",
      );
      const stillOpen = end.where(events, invitation).filter(away);
      const inside = answered.every(({ after }) => away(after));
      const alone = seen.count === answered.length && answered.length > 0;
      return silent(finish) && alone && onlyAnswers && inside && stillOpen.length === 0;
    },
  };
});

const ROOMS = [
  { title: "Budget round", old: "Room 2", room: "the library" },
  { title: "Reading of the play", old: "Town hall", room: "the old mill" },
  { title: "Talk about bees", old: "Back garden", room: "the school kitchen" },
];

const placeFromMail = errand("place-from-mail", 2, (draw) => {
  const [a, b] = draw.people;
  const { title, old, room } = turn(draw, ROOMS);
  const day = emptyDay(draw);
  return {
    instruction: `${a!.name} mailed me that "${title}" has to move to another place. Enter the new place in my calendar.`,
    setup(db) {
      const event = ownEvent(db, title, day, "15:00");
      db.insert(eventPlaces, { event: event.id, place: old });
      ownEvent(db, `${title}, second part`, daysAfter(day, 1), "15:00");
      const news = (where: string) =>
        `${old} is taken on ${dayWords(day)}. "${title}" will be in ${where} instead.`;
      receivedMail(db, b!, { subject: "About the room", body: news("the cellar"), at: LAST_WEEK });
      receivedMail(db, a!, { subject: "About the room", body: news(room) });
    },
    goal(db) {
      const [event] = db.where(events, { title, day });
      const [place] = db.where(eventPlaces, { event: event!.id });
      db.update(eventPlaces, place!.id, { place: room });
    },
    *solution() {
      yield logIn("mail");
      yield `const from = apis.contacts.find({ name: ${quoted(a!.name)} })[0].handle;
const [mail] = apis.mail.find({ from, subject: "About the room" }).items;
const place = apis.mail.show({ id: mail.id }).body.match(/will be in (.+) instead/)[1];
print(place);`;
      yield `const event = apis.calendar.search({ query: ${quoted(title)} }).items.find((one) => one.title === ${quoted(title)});
apis.calendar.setPlace({ id: event.id, place });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const places = end
        .all(eventPlaces)
        .map(({ event, place }) => ({ at: end.get(events, event), place }));
      const here = places.filter(({ at }) => at?.title === title && at.day === day);
      const right = here.length === 1 && sameWords(here[0]!.place, room);
      return silent(finish) && right && new Changes(start, end).count === 1;
    },
  };
});

const BIG = ["Roof repair with the neighbours", "First aid course", "Stocktaking at the club"];

const clearClashes = errand("clear-clashes", 3, (draw) => {
  const [a] = draw.people;
  const title = turn(draw, BIG);
  const day = emptyDay(draw);
  const next = daysAfter(day, 1);
  const hour = draw.rng.integer(10, 13);
  const at = (hours: number, minutes = "00") =>
    `${String(hour + hours).padStart(2, "0")}:${minutes}`;
  return {
    instruction: `"${title}" on ${dayWords(day)} takes longer than I thought. Move those of my own events that overlap with it to the day after, at the same time, and decline the overlapping ones to which others invited me.`,
    setup(db) {
      const long = ownEvent(db, title, day, at(0));
      db.insert(eventLengths, { event: long.id, minutes: 180, allDay: false });
      ownEvent(db, "Phone call with the bank", day, at(-1));
      ownEvent(db, "Haircut", day, at(2, "30"));
      const early = ownEvent(db, "Walk with the dog", day, at(-1, "15"));
      db.insert(eventLengths, { event: early.id, minutes: 50, allDay: false });
      ownEvent(db, "Coffee on the square", day, at(1), { host: a!.id });
      ownEvent(db, "Open evening", day, at(3), { host: a!.id });
      const whole = ownEvent(db, "Market week", day, "08:00");
      db.insert(eventLengths, { event: whole.id, minutes: 60, allDay: true });
    },
    goal(db) {
      const on = (name: string) => db.where(events, { title: name, day })[0]!.id;
      for (const name of ["Haircut", "Walk with the dog"])
        db.update(events, on(name), { day: next });
      db.update(events, on("Coffee on the square"), { response: "declined" });
    },
    *solution() {
      yield `const long = apis.calendar.list({ day: "${day}", size: 20 }).items.find((one) => one.title === ${quoted(title)});
const clashes = apis.calendar.conflicts({ id: long.id, size: 20 }).items.map(({ id }) => apis.calendar.show({ id }));
print(clashes);`;
      yield `for (const { id, host } of clashes) {
  if (host === null) apis.calendar.move({ id, day: "${next}" });
  else apis.calendar.decline({ id });
}\n${DONE}`;
    },
    verdict(end, start, finish) {
      const minute = (time: string) => 60 * Number(time.slice(0, 2)) + Number(time.slice(3));
      const span = (row: CalendarEvent) => {
        const [length] = start.where(eventLengths, { event: row.id });
        return [
          minute(row.time),
          minute(row.time) + (length?.minutes ?? 60),
          length?.allDay ?? false,
        ] as const;
      };
      const today = start.where(events, { day, response: "accepted", cancelled: false });
      const [from, until] = span(today.find((row) => row.title === title)!);
      const expected = today.flatMap((row) => {
        const [begins, ends, allDay] = span(row);
        if (row.title === title || allDay || ends <= from || begins >= until) return [];
        return [row.host === null ? { ...row, day: next } : { ...row, response: "declined" }];
      });
      const seen = new Changes(start, end);
      const now = seen.changed(events).map(({ after }) => after);
      return silent(finish) && sameMembers(now, expected) && seen.count === expected.length;
    },
  };
});

const firstFreeHour = errand("first-free-hour", 3, (draw) => {
  const [a, b] = draw.people;
  const day = emptyDay(draw);
  const busy = turn(draw, [
    { "09:00": 90, "10:30": 60, "12:15": 45, "15:00": 30 },
    { "08:30": 60, "10:15": 30, "11:00": 120, "13:45": 60, "16:30": 30 },
    { "09:30": 60, "10:30": 45, "11:45": 30, "13:00": 60 },
  ] as const);
  const title = `Call with ${a!.name}`;
  return {
    instruction: `Find the first free hour on ${dayWords(day)} between 9:00 and 17:00, and put "${title}" there, with ${a!.name} as a guest.`,
    setup(db) {
      for (const [i, [time, minutes]] of Object.entries(busy).entries()) {
        const host = i % 2 === 1 ? b!.id : null;
        const { id } = ownEvent(db, `Meeting ${i + 1}`, day, time, { host });
        if (minutes !== 60) db.insert(eventLengths, { event: id, minutes, allDay: false });
      }
      ownEvent(db, "Called off", day, "12:00", { cancelled: true });
      ownEvent(db, "Not for me", day, "11:30", { host: b!.id, response: "declined" });
    },
    goal(db) {
      let from = 9 * 60;
      for (const [time, minutes] of Object.entries(busy)) {
        const begins = 60 * Number(time.slice(0, 2)) + Number(time.slice(3));
        if (begins - from >= 60) break;
        from = Math.max(from, begins + minutes);
      }
      const time = `${String(Math.floor(from / 60)).padStart(2, "0")}:${String(from % 60).padStart(2, "0")}`;
      const event = ownEvent(db, title, day, time);
      db.insert(guests, { event: event.id, person: a!.id, uninvited: false });
    },
    *solution() {
      yield `const [gap] = apis.calendar.free({ day: "${day}", from: "09:00", until: "17:00", minutes: 60 }).items;
print(gap);`;
      yield `const { handle } = apis.contacts.find({ name: ${quoted(a!.name)} })[0];
apis.calendar.add({ title: ${quoted(title)}, day: "${day}", time: gap.from, guests: [handle] });\n${DONE}`;
    },
    verdict(end, start, finish) {
      // A day of minutes; what is crossed out is taken.
      const taken = new Array<boolean>(24 * 60).fill(false);
      const minute = (time: string) => 60 * Number(time.slice(0, 2)) + Number(time.slice(3));
      for (const { id, time, response, cancelled } of start.where(events, { day })) {
        const minutes = start.where(eventLengths, { event: id })[0]?.minutes ?? 60;
        if (response === "accepted" && !cancelled)
          taken.fill(true, minute(time), minute(time) + minutes);
      }
      let first = 9 * 60;
      while (taken.slice(first, first + 60).includes(true)) first++;
      const seen = new Changes(start, end);
      const [event] = seen.added(events);
      const [guest] = seen.added(guests);
      if (!silent(finish) || seen.count !== 2 || !event || !guest) return false;
      const invited = guest.event === event.id && guest.person === a!.id && !guest.uninvited;
      const mine = event.host === null && !event.cancelled && sameWords(event.title, title);
      return invited && mine && event.day === day && minute(event.time) === first;
    },
  };
});

export const calendarScenarios: readonly HandmadeScenario[] = [
  declineWhileAway,
  placeFromMail,
  clearClashes,
  firstFreeHour,
];
