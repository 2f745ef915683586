/** Events with guests: polls, cancellations, birthdays. */
import type { Reader, Writer } from "bowline/world";
import { answers } from "../../apps/calendar/tables.ts";
import { details as personDetails } from "../../apps/contacts/tables.ts";
import { chatMembers, chats, polls, scheduledTexts, votes } from "../../apps/messages/tables.ts";
import { events, guests, members, type Person, people, texts } from "../../apps/tables.ts";
import { DONE, pages, quoted } from "../cells.ts";
import { Changes, sameMembers, sameWords, silent } from "../changes.ts";
import { daysAfter, dayWords, firstName, ownEvent, sentText } from "../rows.ts";
import { errand, type HandmadeScenario, turn } from "../scenario.ts";

const PARTIES = [
  { chat: "Chestnut lane party", title: "Street party", time: "15:00" },
  { chat: "Old school reunion", title: "Reunion", time: "18:30" },
  { chat: "Apple picking", title: "Apple picking", time: "09:30" },
];

const eventFromPoll = errand("event-from-poll", 3, (draw) => {
  const [a, b, c, d, e, f] = draw.people;
  const { chat, title, time } = turn(draw, PARTIES);
  const days = draw.rng.sample(["2026-04-03", "2026-04-11", "2026-04-18", "2026-04-25"], 3);
  const [first, second, third] = days;
  const won: readonly Person[] = [b!, d!, f!];
  return {
    instruction: `In the chat "${chat}" we vote on a day. Put "${title}" into my calendar on the day that leads, at ${time}, and invite everyone who voted for it.`,
    setup(db) {
      const room = db.insert(chats, {
        name: chat,
        role: "owner",
        announcements: false,
        muted: false,
      });
      for (const { id } of [a!, b!, c!, d!, e!, f!])
        db.insert(chatMembers, { chat: room.id, person: id, role: "member" });
      const poll = { chat: room.id, person: null, choices: days, closed: false };
      const old = db.insert(polls, {
        ...poll,
        question: "Who cooks?",
        choices: ["We do", "They do"],
        closed: true,
      });
      db.insert(votes, { poll: old.id, person: a!.id, choice: "We do" });
      const { id } = db.insert(polls, { ...poll, question: "Which day is best?" });
      const say = (person: Person | null, choice: string) =>
        db.insert(votes, { poll: id, person: person?.id ?? null, choice });
      say(a!, first!);
      say(b!, second!);
      say(c!, first!);
      say(d!, second!);
      say(null, second!);
      say(e!, third!);
      say(f!, second!);
    },
    goal(db) {
      const event = ownEvent(db, title, second!, time);
      for (const { id } of won)
        db.insert(guests, { event: event.id, person: id, uninvited: false });
    },
    *solution() {
      yield `const [open] = apis.messages.polls({ chat: ${quoted(chat)}, closed: false }).items;
const { results } = apis.messages.poll({ id: open.id });
const day = results.toSorted((x, y) => y.votes - x.votes)[0].choice;
${pages("said", (page) => `apis.messages.votes({ id: open.id, ${page} })`)}
const guests = said.filter((one) => one.choice === day && one.by !== "owner").map((one) => one.by);
print(day, guests);`;
      yield `apis.calendar.add({ title: ${quoted(title)}, day, time: "${time}", guests });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const [event, ...more] = seen.added(events);
      if (!silent(finish) || !event || more.length > 0 || event.host !== null) return false;
      const right = sameWords(event.title, title) && event.day === second && event.time === time;
      const invited = end
        .where(guests, { event: event.id, uninvited: false })
        .map(({ person }) => person);
      return (
        right &&
        !event.cancelled &&
        sameMembers(
          invited,
          won.map(({ id }) => id),
        ) &&
        seen.count === 4
      );
    },
  };
});

const OUTDOORS = ["Boat day", "Sunset ride", "Bread baking"];

const callOff = errand("call-off", 3, (draw) => {
  const [a, b, c, d, e] = draw.people;
  const title = turn(draw, OUTDOORS);
  const day = daysAfter("2026-03-19", draw.rng.integer(0, 20));
  const text = `Sorry, ${title} is off.`;
  return {
    instruction: `Cancel my event "${title}" on ${dayWords(day)}, and text "${text}" to everyone I invited, except those who had said no anyway.`,
    setup(db) {
      const { id } = ownEvent(db, title, day, "14:00");
      for (const guest of [a!, b!, c!, d!, e!])
        db.insert(guests, { event: id, person: guest.id, uninvited: guest === e! });
      db.insert(answers, { event: id, person: a!.id, answer: "yes" });
      db.insert(answers, { event: id, person: b!.id, answer: "no" });
      db.insert(answers, { event: id, person: c!.id, answer: "maybe" });
      ownEvent(db, title, daysAfter(day, 7), "14:00");
    },
    goal(db) {
      db.update(events, db.where(events, { title, day })[0]!.id, { cancelled: true });
      for (const guest of [a!, c!, d!]) sentText(db, guest, text);
    },
    *solution() {
      yield `const event = apis.calendar.list({ day: "${day}", size: 20 }).items.find((one) => one.title === ${quoted(title)});
${pages("said", (page) => `apis.calendar.answers({ id: event.id, ${page} })`)}
print(said);`;
      yield `for (const { handle, answer } of said) {
  if (answer !== "no") apis.messages.send({ to: handle, text: ${quoted(text)} });
}
apis.calendar.cancel({ id: event.id });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const off = seen
        .changed(events)
        .map(({ after, columns }) => [after.title, after.day, after.cancelled, columns]);
      const told = seen.added(texts).filter((row) => row.outgoing && sameWords(row.text, text));
      const whom = [a!, c!, d!].map(({ id }) => id);
      const cancelled = sameMembers(off, [[title, day, true, ["cancelled"]]]);
      return (
        silent(finish) &&
        cancelled &&
        sameMembers(
          told.map(({ person }) => person),
          whom,
        ) &&
        seen.count === 4
      );
    },
  };
});

const birthdayRound = errand("birthday-round", 3, (draw) => {
  const until = turn(draw, ["2026-07-01", "2026-09-01", "2026-11-01"]);
  const group = turn(draw, draw.groups);
  const setup = (db: Writer) => {
    const births = ["1988-06-14", "1990-02-11"];
    for (const [i, { person }] of db.where(members, { group: group.id }).slice(0, 2).entries()) {
      const [known] = db.where(personDetails, { person });
      db.update(personDetails, known!.id, { birthday: births[i]! });
    }
  };
  const soon = (db: Reader) =>
    db
      .where(members, { group: group.id })
      .map(({ person }) => db.get(people, person)!)
      .flatMap((person) => {
        const born = db.where(personDetails, { person: person.id })[0]?.birthday;
        const day = born ? `2026-${born.slice(5)}` : "";
        return day > "2026-03-12" && day < until ? [{ person, day }] : [];
      });
  const wish = (person: Person) => `Happy birthday, ${firstName(person)}!`;
  return {
    instruction: `Schedule a text "Happy birthday, <first name>!" for everyone in my ${group.name} whose birthday comes after today and before ${dayWords(until)}: on the day itself, at 9:00.`,
    setup,
    goal(db) {
      for (const { person, day } of soon(db)) {
        const later = { day, time: "09:00", cancelled: false };
        db.insert(scheduledTexts, { person: person.id, text: wish(person), ...later });
      }
    },
    *solution() {
      yield `${pages("inside", (page) => `apis.contacts.groupMembers({ group: ${quoted(group.name)}, ${page} })`)}
const soon = inside
  .flatMap(({ handle }) => apis.contacts.birthdays({ person: handle }).items)
  .filter(({ day }) => day > "2026-03-12" && day < "${until}");
print(soon);`;
      yield `for (const { name, handle, day } of soon) {
  apis.messages.schedule({ to: handle, text: "Happy birthday, " + name.split(" ")[0] + "!", day, time: "09:00" });
}\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const waiting = seen
        .added(scheduledTexts)
        .filter((row) => !row.cancelled && row.time === "09:00");
      const congratulated = soon(start).every(({ person, day }) =>
        waiting.some(
          (row) => row.person === person.id && row.day === day && sameWords(row.text, wish(person)),
        ),
      );
      const exact = waiting.length === soon(start).length && seen.count === waiting.length;
      return silent(finish) && congratulated && exact;
    },
  };
});

export const gatheringScenarios: readonly HandmadeScenario[] = [
  eventFromPoll,
  callOff,
  birthdayRound,
];
