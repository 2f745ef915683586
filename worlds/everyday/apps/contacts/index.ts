/** Contacts: the people whom the owner knows. All other apps name people by the handle that is found here. */

import { by, either, freeName, line, same, someOf, where } from "bowline/resources";
import { defineApi, defineApp, z } from "bowline/world";
import { newHandle } from "../shared.ts";
import { groups, members, type Person, people } from "../tables.ts";
import { someone } from "./examples.ts";
import { groupApis, memberOf } from "./groups.ts";
import { personItem, persons } from "./views.ts";

const phone = line("phone number, such as 555-0142");

const byName = by(({ name }: Person) => name);

const find = defineApi({
  summary:
    "Find contacts by name: the one with exactly this name, else at most 10 whose names begin so.",
  params: z.strictObject({ name: line("a full name, or the beginning of a first or last name") }),
  returns: z.array(personItem.schema),
  example: (db) => ({ name: someone(db).name }),
  handler: (context, { name }) => {
    const found = matching(context.db.all(people), name);
    const sorted = byName(found, context).slice(0, 10);
    return sorted.map((row) => personItem.view(row, context));
  },
});

/** An exact full name alone; otherwise everyone with name parts that begin with the words given. */
function matching(everyone: readonly Person[], name: string): readonly Person[] {
  const exact = everyone.find((row) => same(row.name, name));
  if (exact) return [exact];
  const words = name.toLowerCase().split(/\s+/);
  return everyone.filter((row) => {
    const parts = row.name.toLowerCase().split(" ");
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  });
}

export const contacts = defineApp({
  name: "contacts",
  summary: "People the owner knows, and groups of them.",
  tables: [people, groups, members],
  apis: {
    list: persons.list("List contacts by name.", {
      item: personItem,
      filters: {
        group: [line("only members of this group"), memberOf],
        city: [line("only this city"), where((row, city) => same(row.city, city))],
        blocked: either("only blocked ones, or only others"),
      },
      order: byName,
      example: (db) => ({ city: someone(db).city }),
    }),
    find,
    show: persons.show("Show a contact with phone."),
    add: persons.add("Add a contact; the handle is made from the name.", {
      params: { name: line("first and last name"), city: line("where they live"), phone },
      check: ({ name }, { db }) => freeName(db, people, name),
      row: ({ name, city, phone }, { db }) => {
        return { name, handle: newHandle(db, name), city, phone, blocked: false };
      },
      example: { name: "Wilma Thorn", city: "Lisbon", phone: "555-0142" },
    }),
    update: persons.change("Change a contact's city or phone.", {
      params: { city: line("the new city").optional(), phone: phone.optional() },
      unless: (_, { city, phone }) => someOf({ city, phone }),
      example: { phone: "555-0142" },
    }),
    remove: persons.act("Remove a contact, also from all groups.", {
      run: (row, _, { db }) => {
        for (const { id } of db.where(members, { person: row.id })) db.remove(members, id);
        db.remove(people, row.id);
        return row;
      },
    }),
    block: persons.set("Block a contact: nothing can be sent to them.", { blocked: true }),
    unblock: persons.change("Unblock a contact.", {
      set: { blocked: false },
      example: (db) => {
        const blocked = db.where(people, { blocked: true })[0];
        return { person: (blocked ?? someone(db)).handle };
      },
    }),
    ...groupApis,
  },
});
