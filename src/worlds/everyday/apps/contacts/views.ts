/** How people with their facts appear in answers, and how the facts are changed. */
import { z } from "zod";
import { itemOf, type Look, resource } from "../../../../world/index.ts";
import { type Person, people } from "../tables.ts";
import { someone } from "./examples.ts";
import { type Facts, factsOf, partnerHandle, writeFacts } from "./facts.ts";
import { contact } from "./index.ts";
import { RELATIONSHIPS } from "./tables.ts";

const fact =
  <K extends keyof Facts>(name: K) =>
  ({ id }: Person, { db }: Look) =>
    factsOf(db, id)[name];

const text = z.string().nullable();

export const knownItem = itemOf(people, {
  name: z.string(),
  handle: z.string(),
  city: z.string(),
  relationship: [z.enum(RELATIONSHIPS).nullable(), fact("relationship")],
  birthday: [text, fact("birthday")],
  workplace: [text, fact("workplace")],
});

export const profileItem = knownItem.with({
  phone: z.string(),
  street: [text, fact("street")],
  job: [text, fact("job")],
  favourite: [z.boolean(), fact("favourite")],
  partner: [text, ({ id }, { db }) => partnerHandle(db, id)],
});

/** People by what is known of them; changes go to the facts. */
export const profiles = resource({
  table: people,
  noun: "contact",
  item: profileItem,
  keys: contact.keys,
  find: contact.find,
  example: (db, fits) => ({ person: someone(db, fits).handle }),
  state: (row, db) => factsOf(db, row.id),
  save: (row, facts: Partial<Facts>, db) => {
    writeFacts(db, row.id, facts);
    return row;
  },
});
