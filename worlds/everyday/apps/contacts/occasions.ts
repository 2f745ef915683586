/** When to think of whom: birthdays to come, couples, and when the owner met somebody. */

import {
  asIs,
  by,
  contains,
  day,
  falling,
  itemOf,
  line,
  listing,
  must,
  query,
  resource,
  where,
} from "bowline/resources";
import { z } from "bowline/world";
import { dayOf, handle, handleOf, ofPerson, personBy, theirHandle } from "../shared.ts";
import { people } from "../tables.ts";
import { paired, single, someone } from "./examples.ts";
import { coupleOf, factsOf, nextBirthday, partnerOf } from "./facts.ts";
import { couples, meetings } from "./tables.ts";

const person = handle("the contact");
const DAY = 86_400_000;

const birthdayItem = asIs({
  name: z.string(),
  handle: z.string(),
  day: z.string(),
  turns: z.int(),
});

const couple = resource({
  noun: "couple",
  item: itemOf(couples, {
    first: [z.string(), ({ first }, { db }) => handleOf(db, first)],
    second: [z.string(), ({ second }, { db }) => handleOf(db, second)],
  }),
  keys: { person },
  find: (args, { db }) => {
    const { id, handle } = personBy(db, args.person, "person");
    const found = coupleOf(db, id);
    must(found, 404, `person: "${handle}" is in no couple`);
    return found;
  },
  example: (db) => ({ person: paired(db) }),
});

const meeting = resource({
  noun: "meeting",
  item: itemOf(meetings, {
    ...meetings.fields("occasion", "id"),
    with: theirHandle,
    day: z.string(),
  }),
});

export const occasionApis = {
  birthdays: listing("List the birthdays to come from today, the next first, then by name.", {
    item: birthdayItem,
    params: { days: z.int().min(0).max(366).default(366).describe("only within so many days") },
    filters: {
      person: [
        handle("only of this person"),
        (came, { db }) => ({ handle: personBy(db, came, "person").handle }),
      ],
    },
    rows: ({ days }, { db, now }) => {
      const last = new Date(Date.parse(dayOf(now)) + days * DAY).toISOString().slice(0, 10);
      return db.all(people).flatMap(({ id, name, handle }) => {
        const { birthday } = factsOf(db, id);
        const day = birthday === null ? undefined : nextBirthday(birthday, now);
        if (birthday === null || day === undefined || day > last) return [];
        const turns = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4));
        return [{ name, handle, day, turns }];
      });
    },
    order: by(
      ({ day }) => day,
      ({ name }) => name,
    ),
    example: { days: 30 },
  }),
  couples: couple.list(
    "List the couples among the contacts, in the order in which they were made known.",
  ),
  pair: couple.add("Note that two contacts are a couple.", {
    params: { person, with: handle("the other one") },
    row: (args, { db }) => {
      const one = personBy(db, args.person, "person");
      const other = personBy(db, args.with, "with");
      must(one.id !== other.id, 422, "with: expected someone else than person");
      for (const [param, { id, handle }] of Object.entries({ person: one, with: other })) {
        const partner = partnerOf(db, id);
        must(partner === undefined, 409, () => {
          const taken = `"${handle}" is in a couple with "${handleOf(db, partner!)}"`;
          return `${param}: ${taken}; contacts.unpair first`;
        });
      }
      return { first: Math.min(one.id, other.id), second: Math.max(one.id, other.id) };
    },
    example: (db) => ({ person: single(db), with: single(db, 1) }),
  }),
  unpair: couple.remove("Note that a contact and the partner are no couple any more."),
  meetings: meeting.list("List when the owner met whom, the last first.", {
    filters: {
      with: ofPerson("only with this person", "with"),
      after: [day("only after this day"), where((row, first) => row.day > first)],
      before: [day("only before this day"), where((row, last) => row.day < last)],
      query: [query, where(({ occasion }, words) => contains(occasion, words))],
    },
    order: by(
      falling(({ day }) => day),
      falling(({ id }) => id),
    ),
    example: { size: 10 },
  }),
  logMeeting: meeting.add("Note that the owner met a contact.", {
    params: {
      with: handle("whom the owner met"),
      day: day("when"),
      occasion: line("what it was, such as a dinner"),
    },
    row: ({ day, occasion, ...args }, { db, now }) => {
      const { id: person, handle } = personBy(db, args.with, "with");
      const today = dayOf(now);
      must(day <= today, 422, `day: expected a day until today (${today}), got ${day}`);
      const row = { person, day, occasion };
      const isNew = db.where(meetings, row).length === 0;
      must(isNew, 409, `occasion: that meeting with "${handle}" is noted already`);
      return row;
    },
    example: (db) => ({ with: someone(db).handle, day: "2026-03-11", occasion: "Tea in town" }),
  }),
  dropMeeting: meeting.remove("Remove the note of a meeting."),
};
