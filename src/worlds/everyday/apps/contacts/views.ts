/** How people with their facts appear in answers. */
import { z } from "zod";
import type { Reader } from "../../../../world/index.ts";
import type { Person } from "../tables.ts";
import { factsOf, partnerHandle } from "./facts.ts";
import { RELATIONSHIPS } from "./tables.ts";

const relationship = z.enum(RELATIONSHIPS).nullable();

export const knownItem = z.strictObject({
  name: z.string(),
  handle: z.string(),
  city: z.string(),
  relationship,
  birthday: z.string().nullable(),
  workplace: z.string().nullable(),
});

export const knownView =
  (db: Reader) =>
  ({ id, name, handle, city }: Person) => {
    const { relationship, birthday, workplace } = factsOf(db, id);
    return { name, handle, city, relationship, birthday, workplace };
  };

export const profileReturn = knownItem.extend({
  phone: z.string(),
  street: z.string().nullable(),
  job: z.string().nullable(),
  favourite: z.boolean(),
  partner: z.string().nullable(),
});

export const profileView = (db: Reader) => (person: Person) => {
  const { street, job, favourite } = factsOf(db, person.id);
  return {
    ...knownView(db)(person),
    phone: person.phone,
    street,
    job,
    favourite,
    partner: partnerHandle(db, person.id),
  };
};
