/**
 * Defines how people are shown in answers, with and without their facts, and the resources that find people by handle.
 */

import { defineItem, resource, type ViewContext } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handleParam, requirePerson } from "../shared.ts";
import { type Person, people } from "../tables.ts";
import { exampleContact } from "./examples.ts";
import { type Facts, partnerHandle, readFacts, writeFacts } from "./facts.ts";
import { RELATIONSHIPS } from "./tables.ts";

export const personItem = defineItem(people, people.fields("name", "handle", "city"));

const factField =
  <N extends keyof Facts>(name: N) =>
  ({ id }: Person, { db }: ViewContext): Facts[N] =>
    readFacts(db, id)[name];

export const knownItem = personItem.with({
  relationship: [z.enum(RELATIONSHIPS).nullable(), factField("relationship")],
  birthday: [z.string().nullable(), factField("birthday")],
  workplace: [z.string().nullable(), factField("workplace")],
});

export const profileItem = knownItem.with({
  phone: z.string(),
  street: [z.string().nullable(), factField("street")],
  job: [z.string().nullable(), factField("job")],
  favourite: [z.boolean(), factField("favourite")],
  partner: [z.string().nullable(), ({ id }, { db }) => partnerHandle(db, id)],
});

const handleOptions = {
  table: people,
  noun: "contact",
  keys: { person: handleParam("the contact") },
  find: ({ person }: { person: string }, { db }: ViewContext) =>
    requirePerson(db, person, "person"),
  example: (db: Reader, fits: (row: Person) => boolean) => ({
    person: exampleContact(db, fits).handle,
  }),
};

export const persons = resource({
  ...handleOptions,
  item: personItem.with({ phone: z.string(), blocked: z.boolean() }),
});

/** A resource of people whose changes write the facts about them. */
export const profiles = resource({
  ...handleOptions,
  item: profileItem,
  state: ({ id }, db) => readFacts(db, id),
  save: (row, facts: Partial<Facts>, db) => {
    writeFacts(db, row.id, facts);
    return row;
  },
});
