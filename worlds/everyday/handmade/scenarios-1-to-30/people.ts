/** Scenarios about contacts and what people write about them. */
import type { Reader, Writer } from "bowline/world";
import { details, meetings } from "../../apps/contacts/tables.ts";
import { members, type Person, people } from "../../apps/tables.ts";
import { POOLS } from "../../population/name-pools.ts";
import { addDays, insertReceivedText } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask } from "../scenario.ts";
import { FINISH_CODE, quote, readAllPagesCode } from "../solution-code.ts";
import { answerEqualsText, Changes, haveSameMembers, isDone } from "../verdicts.ts";

const phoneFromMessage = defineScenario(
  "phone-from-message",
  1,
  ({ people: [personA, personB], rng }) => {
    const [phone, other] = [rng.integer(100, 149), rng.integer(150, 199)].map((n) => `555-0${n}`);
    return {
      instruction: `${personA!.name} texted me a new phone number. Please put it into my contacts.`,
      setup(db) {
        insertReceivedText(db, personB!, `You can reach me at ${other} while I am at my sister's.`);
        insertReceivedText(
          db,
          personA!,
          `I have a new phone and a new number: ${phone}. The old one is dead.`,
        );
      },
      goal(db) {
        db.update(people, personA!.id, { phone: phone! });
      },
      *solution() {
        yield `const { handle } = apis.contacts.find({ name: ${quote(personA!.name)} }).items[0];`;
        yield `${readAllPagesCode("received", (page) => `apis.messages.list({ from: handle, ${page} })`)}
const text = received.map((item) => item.text).find((line) => line.includes("new number"));
print(text);`;
        yield `apis.contacts.update({ person: handle, phone: text.match(/555-\\d{4}/)[0] });\n${FINISH_CODE}`;
      },
      verdict(end, start, finish) {
        const changes = new Changes(start, end);
        const person = end.get(people, personA!.id);
        return isDone(finish) && changes.rowCount === 1 && person?.phone === phone;
      },
    };
  },
);

const newcomersToGroup = defineScenario("newcomers-to-group", 1, (draw) => {
  const { base } = draw;
  const group = pickForTask(draw, draw.groups);
  const membershipRows = (db: Reader, { id }: Person) =>
    db.where(members, { group: group.id, person: id });
  const [personA, personB] = draw.people.toSorted(
    (x, y) => membershipRows(base, x).length - membershipRows(base, y).length,
  );
  return {
    instruction: `${personA!.name} and ${personB!.name} have joined the ${group.name}. Add both to the group in my contacts.`,
    setup(db) {
      for (const { id } of [personA!, personB!].flatMap((one) => membershipRows(db, one)))
        db.remove(members, id);
    },
    goal(db) {
      for (const { id } of [personB!, personA!])
        db.insert(members, { group: group.id, person: id });
    },
    *solution() {
      for (const { name } of [personA!, personB!]) {
        yield `apis.contacts.addToGroup({ group: ${quote(group.name)}, person: apis.contacts.find({ name: ${quote(name)} }).items[0].handle });`;
      }
      yield FINISH_CODE;
    },
    verdict(end, start, finish) {
      const memberIds = (db: Reader) =>
        db.where(members, { group: group.id }).map(({ person }) => person);
      const untouched = new Changes(start, end).rowCount === 2;
      const wanted = [...memberIds(start), personA!.id, personB!.id];
      return isDone(finish) && untouched && haveSameMembers(memberIds(end), wanted);
    },
  };
});

const nextBirthday = defineScenario("next-birthday", 1, (draw) => {
  const { scratch } = draw;
  const [person] = draw.people;
  const born = { day: draw.rng.integer(1, 28), month: draw.rng.integer(4, 12) };
  const twoDigits = (part: number) => String(part).padStart(2, "0");
  const birthday = `${twoDigits(born.month)}-${twoDigits(born.day)}`;
  const [row] = scratch().where(details, { person: person!.id });
  return {
    instruction: `On which day is ${person!.name}'s next birthday? Answer with the date, as in 2026-05-01.`,
    setup: (db) => void db.update(details, row!.id, { birthday: `1979-${birthday}` }),
    goal: () => ({ answer: `2026-${birthday}`, guesses: [`1979-${birthday}`] }),
    *solution() {
      yield `const { handle } = apis.contacts.find({ name: ${quote(person!.name)} }).items[0];
const [next] = apis.contacts.birthdays({ person: handle }).items;
print(next);`;
      yield "apis.me.finishTask({ answer: next.day });";
    },
    verdict: (end, start, finish) =>
      new Changes(start, end).rowCount === 0 && answerEqualsText(finish, `2026-${birthday}`),
  };
});

const STRANGERS = ["Odette Marsh", "Ruben Quill", "Sunniva Thorne"];

const welcomeContact = defineScenario("welcome-contact", 2, (draw) => {
  const { rng } = draw;
  const [personA, personB] = draw.people;
  const name = pickForTask(draw, STRANGERS);
  const group = pickForTask(draw, draw.groups);
  const city = rng.pick(POOLS["test-normal"].cities);
  const phone = `555-0${rng.integer(100, 199)}`;
  return {
    instruction: `${personA!.name} texted me about somebody who should go into my contacts and into one of my groups. Please see to both.`,
    setup(db) {
      insertReceivedText(
        db,
        personA!,
        `My cousin ${name} lives in ${city} now, phone ${phone}. Could you note that down, and put them into the ${group.name}?`,
      );
      insertReceivedText(
        db,
        personB!,
        `Could you put my neighbour into the ${draw.groups[0]!.name}? No hurry.`,
      );
    },
    goal(db) {
      const handle = name.toLowerCase().replace(" ", "-");
      const added = db.insert(people, { name, handle, city, phone, blocked: false });
      db.insert(members, { group: group.id, person: added.id });
    },
    *solution() {
      yield `const from = apis.contacts.find({ name: ${quote(personA!.name)} }).items[0].handle;
${readAllPagesCode("received", (page) => `apis.messages.list({ from, ${page} })`)}
const text = received.map((item) => item.text).find((line) => line.startsWith("My cousin"));
print(text);`;
      yield `const [, name, city, phone, group] = text.match(/cousin (.+) lives in (\\w+) now, phone ([\\d-]+)\\..* into the (.+)\\?/);
const added = apis.contacts.add({ name, city, phone });
apis.contacts.addToGroup({ group, person: added.handle });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [person, ...more] = changes.addedRows(people);
      if (!person || more.length > 0 || changes.rowCount !== 2 || !isDone(finish)) return false;
      const card = [person.name, person.city, person.phone, person.blocked];
      const joined = end.where(members, { person: person.id }).map((member) => member.group);
      return (
        haveSameMembers(card, [name, city, phone, false]) && haveSameMembers(joined, [group.id])
      );
    },
  };
});

const longestUnmet = defineScenario("longest-unmet", 3, (draw) => {
  const lastMeetings = (db: Reader, group: number) =>
    db
      .where(members, { group })
      .flatMap(({ person }) => {
        const days = db.where(meetings, { person }).map(({ day }) => day);
        return days.length > 0 ? [{ person, day: days.toSorted().at(-1)! }] : [];
      })
      .toSorted((x, y) => (x.day < y.day ? -1 : 1));
  const { base, scratch } = draw;
  const group = pickForTask(
    draw,
    draw.groups.filter(({ id }) => lastMeetings(base, id).length >= 3),
  );
  const before = lastMeetings(base, group.id);
  const tied = before.filter(({ day }) => day === before[0]!.day).slice(1);
  const setup = (db: Writer) => {
    for (const [i, { person }] of tied.entries())
      db.insert(meetings, { person, day: addDays("2026-03-01", i), occasion: "Coffee in town" });
  };
  const db = scratch();
  setup(db);
  const names = lastMeetings(db, group.id).map(({ person }) => db.get(people, person)!.name);
  return {
    instruction: `Of those in my ${group.name} whom I have met at all, whom have I not met for the longest time? Answer with the full name.`,
    setup,
    goal: () => ({ answer: names[0]!, guesses: [names.at(-1)!, names[1]!] }),
    *solution() {
      yield `${readAllPagesCode("inside", (page) => `apis.contacts.groupMembers({ group: ${quote(group.name)}, ${page} })`)}
const met = [];
for (const { name, handle } of inside) {
  const [last] = apis.contacts.meetings({ person: handle, size: 1 }).items;
  if (last) met.push({ name, day: last.day });
}
print(met);`;
      yield `met.sort((a, b) => (a.day < b.day ? -1 : 1));
apis.me.finishTask({ answer: met[0].name });`;
    },
    verdict(end, start, finish) {
      // This list has the newest meeting first, so the last person in it is the answer.
      const groupMembers = new Set(
        start.where(members, { group: group.id }).map((row) => row.person),
      );
      const peopleByLastMeeting: number[] = [];
      for (const { person } of start.all(meetings).toSorted((x, y) => (x.day > y.day ? -1 : 1))) {
        if (groupMembers.has(person) && !peopleByLastMeeting.includes(person))
          peopleByLastMeeting.push(person);
      }
      const name = start.get(people, peopleByLastMeeting.at(-1)!)!.name;
      return new Changes(start, end).rowCount === 0 && answerEqualsText(finish, name);
    },
  };
});

export const peopleScenarios: readonly HandmadeScenario[] = [
  phoneFromMessage,
  newcomersToGroup,
  nextBirthday,
  welcomeContact,
  longestUnmet,
];
