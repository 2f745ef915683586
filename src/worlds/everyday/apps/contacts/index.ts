/** Contacts: the people whom the owner knows. All other apps name people by the handle that is found here. */
import { z } from "zod";
import {
  by,
  defineApi,
  defineApp,
  either,
  itemOf,
  type Look,
  must,
  resource,
  where,
} from "../../../../world/index.ts";
import { freeName, handle, line, named, newHandle, personBy, same } from "../shared.ts";
import { groups, members, type Person, people } from "../tables.ts";
import { someone } from "./examples.ts";
import { groupApis } from "./groups.ts";

const personItem = itemOf(people, { name: z.string(), handle: z.string(), city: z.string() });

export const contact = resource({
  table: people,
  noun: "contact",
  item: personItem.with({ phone: z.string(), blocked: z.boolean() }),
  keys: { person: handle("the contact") },
  find: ({ person }, { db }) => personBy(db, person, "person"),
  example: (db, fits) => ({ person: someone(db, fits).handle }),
});

const phone = line("phone number, such as 555-0142");

/** A filter of people. */
export const inGroup = [
  line("only members of this group"),
  (name: string, { db }: Look) => {
    const group = named(db, groups, name, "group").id;
    const inside = new Set(db.where(members, { group }).map(({ person }) => person));
    return ({ id }: Person) => inside.has(id);
  },
] as const;

/** Whose names are the same stand in the order in which they were added. */
export const byName = by(({ name }: Person) => name);

/** An exact full name alone; otherwise everyone with name parts that begin with the words given, by name. */
function matching(look: Look, name: string): readonly Person[] {
  const everyone = look.db.all(people);
  const exact = everyone.find((row) => same(row.name, name));
  if (exact) return [exact];
  const words = name.toLowerCase().split(/\s+/);
  const begins = (row: Person) => {
    const parts = row.name.toLowerCase().split(" ");
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  };
  return byName(everyone.filter(begins), look);
}

export const contacts = defineApp({
  name: "contacts",
  summary: "People the owner knows, and groups of them.",
  tables: [people, groups, members],
  apis: {
    list: contact.list("List contacts by name.", {
      filters: {
        group: inGroup,
        city: [line("only this city"), where((row, city) => same(row.city, city))],
        blocked: either("only blocked ones, or only others"),
      },
      order: byName,
      item: personItem,
      example: (db) => ({ city: someone(db).city }),
    }),
    find: defineApi({
      summary:
        "Find contacts by name: the one with exactly this name, else at most 10 whose names begin so.",
      params: z.strictObject({
        name: line("a full name, or the beginning of a first or last name"),
      }),
      returns: z.array(personItem.schema),
      example: (db) => ({ name: someone(db).name }),
      handler: (context, { name }) => {
        const rows = matching(context, name).slice(0, 10);
        return rows.map((row) => personItem.view(row, context));
      },
    }),
    show: contact.show("Show a contact with phone."),
    add: contact.add("Add a contact; the handle is made from the name.", {
      params: { name: line("first and last name"), city: line("where they live"), phone },
      row: ({ name, ...args }, { db }) => {
        freeName(db, people, name);
        return { name, handle: newHandle(db, name), ...args, blocked: false };
      },
      example: { name: "Wilma Thorn", city: "Lisbon", phone: "555-0142" },
    }),
    update: contact.change("Change a contact's city or phone.", {
      params: { city: line("the new city").optional(), phone: phone.optional() },
      unless: (_, { city, phone }) =>
        must(city ?? phone, 422, "city, phone: expected at least one of them, got none"),
      example: { phone: "555-0142" },
    }),
    remove: contact.act("Remove a contact, also from all groups.", {
      run: (row, _, { db }) => {
        for (const member of db.where(members, { person: row.id })) db.remove(members, member.id);
        db.remove(people, row.id);
        return row;
      },
    }),
    block: contact.change("Block a contact: nothing can be sent to them.", {
      set: { blocked: true },
    }),
    unblock: contact.change("Unblock a contact.", {
      set: { blocked: false },
      example: (db) => ({
        person: db.where(people, { blocked: true })[0]?.handle ?? someone(db).handle,
      }),
    }),
    ...groupApis,
  },
});
