/** Defines the APIs of future birthdays, of couples, and of when the owner met somebody. */

import {
  atLeast,
  atMost,
  containsIgnoringCase,
  dayParam,
  defineItem,
  defineObjectItem,
  descending,
  filterWhere,
  listApi,
  orderBy,
  queryParam,
  refuseUnless,
  resource,
  shortTextParam,
} from "bowline/resources";
import { z } from "bowline/world";
import {
  dayOf,
  handleField,
  handleOf,
  handleParam,
  personColumnFilter,
  requirePerson,
} from "../shared.ts";
import { people } from "../tables.ts";
import { exampleContact, examplePairedContact, exampleSingleContact } from "./examples.ts";
import { findCouple, nextBirthday, partnerId, readFacts } from "./facts.ts";
import { couples, meetings } from "./tables.ts";

const person = handleParam("the contact");
const DAY_MS = 86_400_000;

const birthdayItem = defineObjectItem({
  name: z.string(),
  handle: z.string(),
  day: z.string(),
  turns: z.int(),
});

const couple = resource({
  noun: "couple",
  item: defineItem(couples, {
    first: [z.string(), ({ first }, { db }) => handleOf(db, first)],
    second: [z.string(), ({ second }, { db }) => handleOf(db, second)],
  }),
  keys: { person },
  find: (args, { db }) => {
    const { id, handle } = requirePerson(db, args.person, "person");
    const found = findCouple(db, id);
    refuseUnless(found, 404, `person: "${handle}" is in no couple`);
    return found;
  },
  example: (db) => ({ person: examplePairedContact(db) }),
});

const meeting = resource({
  noun: "meeting",
  item: defineItem(meetings, {
    ...meetings.fields("occasion", "id"),
    person: handleField,
    day: z.string(),
  }),
});

export const occasionApis = {
  birthdays: listApi("List the birthdays to come from today, the next first, then by name.", {
    item: birthdayItem,
    params: { days: z.int().min(0).max(366).default(366).describe("only within so many days") },
    filters: {
      person: [
        handleParam("only of this person"),
        (handle, { db }) => ({ handle: requirePerson(db, handle, "person").handle }),
      ],
    },
    rows: ({ days }, { db, now }) => {
      const last = new Date(Date.parse(dayOf(now)) + days * DAY_MS).toISOString().slice(0, 10);
      return db.all(people).flatMap(({ id, name, handle }) => {
        const { birthday } = readFacts(db, id);
        const day = birthday === null ? undefined : nextBirthday(birthday, now);
        if (birthday === null || day === undefined || day > last) return [];
        const turns = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4));
        return [{ name, handle, day, turns }];
      });
    },
    order: orderBy(
      ({ day }) => day,
      ({ name }) => name,
    ),
    example: { days: 30 },
  }),
  couples: couple.list(
    "List the couples among the contacts, in the order in which they were made known.",
  ),
  pair: couple.add("Note that two contacts are a couple.", {
    params: { person, partner: handleParam("the other one") },
    row: (args, { db }) => {
      const one = requirePerson(db, args.person, "person");
      const other = requirePerson(db, args.partner, "partner");
      refuseUnless(one.id !== other.id, 422, "partner: expected someone else than person");
      for (const [param, { id, handle }] of Object.entries({ person: one, partner: other })) {
        const partner = partnerId(db, id);
        refuseUnless(partner === undefined, 409, () => {
          const alreadyPaired = `"${handle}" is in a couple with "${handleOf(db, partner!)}"`;
          return `${param}: ${alreadyPaired}; contacts.unpair first`;
        });
      }
      return { first: Math.min(one.id, other.id), second: Math.max(one.id, other.id) };
    },
    example: (db) => ({ person: exampleSingleContact(db), partner: exampleSingleContact(db, 1) }),
  }),
  unpair: couple.remove("Note that a contact and the partner are no couple any more."),
  meetings: meeting.list("List when the owner met whom, the last first.", {
    filters: {
      person: personColumnFilter("only with this person", "person"),
      since: [dayParam("only on this day or later"), atLeast("day")],
      until: [dayParam("only on this day or earlier"), atMost("day")],
      query: [
        queryParam,
        filterWhere(({ occasion }, words) => containsIgnoringCase(occasion, words)),
      ],
    },
    order: orderBy(
      descending(({ day }) => day),
      descending(({ id }) => id),
    ),
    example: { size: 10 },
  }),
  logMeeting: meeting.add("Note that the owner met a contact.", {
    params: {
      person: handleParam("whom the owner met"),
      day: dayParam("when"),
      occasion: shortTextParam("what it was, such as a dinner"),
    },
    row: ({ day, occasion, ...args }, { db, now }) => {
      const { id: person, handle } = requirePerson(db, args.person, "person");
      const today = dayOf(now);
      refuseUnless(day <= today, 422, `day: expected a day until today (${today}), got ${day}`);
      const row = { person, day, occasion };
      const isNew = db.where(meetings, row).length === 0;
      refuseUnless(isNew, 409, `occasion: that meeting with "${handle}" is noted already`);
      return row;
    },
    example: (db) => ({
      person: exampleContact(db).handle,
      day: "2026-03-11",
      occasion: "Tea in town",
    }),
  }),
  dropMeeting: meeting.remove("Remove the note of a meeting."),
};
