/** How people appear in answers, alone and with their facts; and people as their handle names them. */

import { itemOf, type Look, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handle, personBy } from "../shared.ts";
import { type Person, people } from "../tables.ts";
import { someone } from "./examples.ts";
import { type Facts, factsOf, partnerHandle, writeFacts } from "./facts.ts";
import { RELATIONSHIPS } from "./tables.ts";

export const personItem = itemOf(people, people.fields("name", "handle", "city"));

const fact =
  <N extends keyof Facts>(name: N) =>
  ({ id }: Person, { db }: Look): Facts[N] =>
    factsOf(db, id)[name];

export const knownItem = personItem.with({
  relationship: [z.enum(RELATIONSHIPS).nullable(), fact("relationship")],
  birthday: [z.string().nullable(), fact("birthday")],
  workplace: [z.string().nullable(), fact("workplace")],
});

export const profileItem = knownItem.with({
  phone: z.string(),
  street: [z.string().nullable(), fact("street")],
  job: [z.string().nullable(), fact("job")],
  favourite: [z.boolean(), fact("favourite")],
  partner: [z.string().nullable(), ({ id }, { db }) => partnerHandle(db, id)],
});

const byHandle = {
  table: people,
  noun: "contact",
  keys: { person: handle("the contact") },
  find: ({ person }: { person: string }, { db }: Look) => personBy(db, person, "person"),
  example: (db: Reader, fits: (row: Person) => boolean) => ({ person: someone(db, fits).handle }),
};

export const persons = resource({
  ...byHandle,
  item: personItem.with({ phone: z.string(), blocked: z.boolean() }),
});

/** The same people, where changes are of what is known about them. */
export const profiles = resource({
  ...byHandle,
  item: profileItem,
  state: ({ id }, db) => factsOf(db, id),
  save: (row, facts: Partial<Facts>, db) => {
    writeFacts(db, row.id, facts);
    return row;
  },
});
