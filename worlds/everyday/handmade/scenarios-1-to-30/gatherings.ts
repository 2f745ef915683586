/** Scenarios about events with guests: polls, cancellations and birthdays. */
import type { Reader, Writer } from "bowline/world";
import { answers } from "../../apps/calendar/tables.ts";
import { details as personDetails } from "../../apps/contacts/tables.ts";
import { chatMembers, chats, polls, scheduledTexts, votes } from "../../apps/messages/tables.ts";
import { events, guests, members, type Person, people, texts } from "../../apps/tables.ts";
import { addDays, dayAndMonth, firstName, insertOwnEvent, insertSentText } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask } from "../scenario.ts";
import { FINISH_CODE, quote, readAllPagesCode } from "../solution-code.ts";
import { Changes, haveSameMembers, haveSameWords, isDone } from "../verdicts.ts";

const PARTIES = [
  { chat: "Chestnut lane party", title: "Street party", time: "15:00" },
  { chat: "Old school reunion", title: "Reunion", time: "18:30" },
  { chat: "Apple picking", title: "Apple picking", time: "09:30" },
];

const eventFromPoll = defineScenario("event-from-poll", 3, (draw) => {
  const [personA, personB, personC, personD, personE, personF] = draw.people;
  const { chat, title, time } = pickForTask(draw, PARTIES);
  const days = draw.rng.sample(["2026-04-03", "2026-04-11", "2026-04-18", "2026-04-25"], 3);
  const [first, second, third] = days;
  const votersForWinner: readonly Person[] = [personB!, personD!, personF!];
  return {
    instruction: `In the chat "${chat}" we vote on a day. Put "${title}" into my calendar on the day that leads, at ${time}, and invite everyone who voted for it.`,
    setup(db) {
      const room = db.insert(chats, {
        name: chat,
        role: "owner",
        announcements: false,
        muted: false,
      });
      for (const { id } of [personA!, personB!, personC!, personD!, personE!, personF!])
        db.insert(chatMembers, { chat: room.id, person: id, role: "member" });
      const poll = { chat: room.id, person: null, choices: days, closed: false };
      const old = db.insert(polls, {
        ...poll,
        question: "Who cooks?",
        choices: ["We do", "They do"],
        closed: true,
      });
      db.insert(votes, { poll: old.id, person: personA!.id, choice: "We do" });
      const { id } = db.insert(polls, { ...poll, question: "Which day is best?" });
      const insertVote = (person: Person | null, choice: string) =>
        db.insert(votes, { poll: id, person: person?.id ?? null, choice });
      insertVote(personA!, first!);
      insertVote(personB!, second!);
      insertVote(personC!, first!);
      insertVote(personD!, second!);
      insertVote(null, second!);
      insertVote(personE!, third!);
      insertVote(personF!, second!);
    },
    goal(db) {
      const event = insertOwnEvent(db, title, second!, time);
      for (const { id } of votersForWinner)
        db.insert(guests, { event: event.id, person: id, uninvited: false });
    },
    *solution() {
      yield `const [open] = apis.messages.polls({ chat: ${quote(chat)}, closed: false }).items;
const { results } = apis.messages.poll({ id: open.id });
const day = results.toSorted((x, y) => y.votes - x.votes)[0].choice;
${readAllPagesCode("said", (page) => `apis.messages.votes({ id: open.id, ${page} })`)}
const guests = said.filter((one) => one.choice === day && one.by !== "owner").map((one) => one.by);
print(day, guests);`;
      yield `apis.calendar.add({ title: ${quote(title)}, day, time: "${time}", guests });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [event, ...more] = changes.addedRows(events);
      if (!isDone(finish) || !event || more.length > 0 || event.host !== null) return false;
      const right =
        haveSameWords(event.title, title) && event.day === second && event.time === time;
      const invited = end
        .where(guests, { event: event.id, uninvited: false })
        .map(({ person }) => person);
      return (
        right &&
        !event.cancelled &&
        haveSameMembers(
          invited,
          votersForWinner.map(({ id }) => id),
        ) &&
        changes.rowCount === 4
      );
    },
  };
});

const OUTDOORS = ["Boat day", "Sunset ride", "Bread baking"];

const cancelEventAndTellGuests = defineScenario("call-off", 3, (draw) => {
  const [personA, personB, personC, personD, personE] = draw.people;
  const title = pickForTask(draw, OUTDOORS);
  const day = addDays("2026-03-19", draw.rng.integer(0, 20));
  const text = `Sorry, ${title} is off.`;
  return {
    instruction: `Cancel my event "${title}" on ${dayAndMonth(day)}, and text "${text}" to everyone I invited, except those who had said no anyway.`,
    setup(db) {
      const { id } = insertOwnEvent(db, title, day, "14:00");
      for (const guest of [personA!, personB!, personC!, personD!, personE!])
        db.insert(guests, { event: id, person: guest.id, uninvited: guest === personE! });
      db.insert(answers, { event: id, person: personA!.id, answer: "yes" });
      db.insert(answers, { event: id, person: personB!.id, answer: "no" });
      db.insert(answers, { event: id, person: personC!.id, answer: "maybe" });
      insertOwnEvent(db, title, addDays(day, 7), "14:00");
    },
    goal(db) {
      db.update(events, db.where(events, { title, day })[0]!.id, { cancelled: true });
      for (const guest of [personA!, personC!, personD!]) insertSentText(db, guest, text);
    },
    *solution() {
      yield `const event = apis.calendar.list({ day: "${day}", size: 20 }).items.find((one) => one.title === ${quote(title)});
${readAllPagesCode("said", (page) => `apis.calendar.answers({ id: event.id, ${page} })`)}
print(said);`;
      yield `for (const { handle, answer } of said) {
  if (answer !== "no") apis.messages.send({ to: handle, text: ${quote(text)} });
}
apis.calendar.cancel({ id: event.id });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const off = changes
        .changedRows(events)
        .map(({ after, columns }) => [after.title, after.day, after.cancelled, columns]);
      const sentTexts = changes
        .addedRows(texts)
        .filter((row) => row.outgoing && haveSameWords(row.text, text));
      const whom = [personA!, personC!, personD!].map(({ id }) => id);
      const cancelled = haveSameMembers(off, [[title, day, true, ["cancelled"]]]);
      return (
        isDone(finish) &&
        cancelled &&
        haveSameMembers(
          sentTexts.map(({ person }) => person),
          whom,
        ) &&
        changes.rowCount === 4
      );
    },
  };
});

const scheduleBirthdayTexts = defineScenario("birthday-round", 3, (draw) => {
  const until = pickForTask(draw, ["2026-07-01", "2026-09-01", "2026-11-01"]);
  const group = pickForTask(draw, draw.groups);
  const setup = (db: Writer) => {
    const births = ["1988-06-14", "1990-02-11"];
    for (const [i, { person }] of db.where(members, { group: group.id }).slice(0, 2).entries()) {
      const [known] = db.where(personDetails, { person });
      db.update(personDetails, known!.id, { birthday: births[i]! });
    }
  };
  const birthdaysSoon = (db: Reader) =>
    db
      .where(members, { group: group.id })
      .map(({ person }) => db.get(people, person)!)
      .flatMap((person) => {
        const born = db.where(personDetails, { person: person.id })[0]?.birthday;
        const day = born ? `2026-${born.slice(5)}` : "";
        return day > "2026-03-12" && day < until ? [{ person, day }] : [];
      });
  const wishText = (person: Person) => `Happy birthday, ${firstName(person)}!`;
  return {
    instruction: `Schedule a text "Happy birthday, <first name>!" for everyone in my ${group.name} whose birthday comes after today and before ${dayAndMonth(until)}: on the day itself, at 9:00.`,
    setup,
    goal(db) {
      for (const { person, day } of birthdaysSoon(db)) {
        const later = { day, time: "09:00", cancelled: false };
        db.insert(scheduledTexts, { person: person.id, text: wishText(person), ...later });
      }
    },
    *solution() {
      yield `${readAllPagesCode("inside", (page) => `apis.contacts.groupMembers({ group: ${quote(group.name)}, ${page} })`)}
const soon = inside
  .flatMap(({ handle }) => apis.contacts.birthdays({ person: handle }).items)
  .filter(({ day }) => day > "2026-03-12" && day < "${until}");
print(soon);`;
      yield `for (const { name, handle, day } of soon) {
  apis.messages.schedule({ to: handle, text: "Happy birthday, " + name.split(" ")[0] + "!", day, time: "09:00" });
}\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const waiting = changes
        .addedRows(scheduledTexts)
        .filter((row) => !row.cancelled && row.time === "09:00");
      const congratulated = birthdaysSoon(start).every(({ person, day }) =>
        waiting.some(
          (row) =>
            row.person === person.id &&
            row.day === day &&
            haveSameWords(row.text, wishText(person)),
        ),
      );
      const exact =
        waiting.length === birthdaysSoon(start).length && changes.rowCount === waiting.length;
      return isDone(finish) && congratulated && exact;
    },
  };
});

export const gatheringScenarios: readonly HandmadeScenario[] = [
  eventFromPoll,
  cancelEventAndTellGuests,
  scheduleBirthdayTexts,
];
