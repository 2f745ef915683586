/**
 * Defines the contacts app of the starter: the people whom the owner knows. All other apps refer to people by their
 * handle.
 */

import {
  booleanParam,
  equalIgnoringCase,
  filterWhere,
  orderBy,
  requireFreeName,
  requireSomeArgument,
  shortTextParam,
} from "bowline/resources";
import { defineApi, defineApp, z } from "bowline/world";
import { makeHandle } from "../shared.ts";
import { groups, members, type Person, people } from "../tables.ts";
import { exampleContact } from "./examples.ts";
import { groupApis, groupMemberFilter } from "./groups.ts";
import { personItem, persons } from "./person-items.ts";

const phone = shortTextParam("phone number, such as 555-0142");

export const sortByName = orderBy(({ name }: Person) => name);

const find = defineApi({
  summary:
    "Find contacts by name: the one with exactly this name, else at most 10 whose names begin so.",
  params: z.strictObject({
    name: shortTextParam("a full name, or the beginning of a first or last name"),
  }),
  returns: z.array(personItem.schema),
  example: (db) => ({ name: exampleContact(db).name }),
  handler: (context, { name }) => {
    const found = matchByName(context.db.all(people), name);
    const sorted = sortByName(found, context).slice(0, 10);
    return sorted.map((row) => personItem.view(row, context));
  },
});

/**
 * Returns only the person with exactly this name. When there is none, returns everyone who has a part of the name
 * beginning with each of the words.
 */
export function matchByName(everyone: readonly Person[], name: string): readonly Person[] {
  const exact = everyone.find((row) => equalIgnoringCase(row.name, name));
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
        group: [shortTextParam("only members of this group"), groupMemberFilter],
        city: [
          shortTextParam("only this city"),
          filterWhere((row, city) => equalIgnoringCase(row.city, city)),
        ],
        blocked: booleanParam("only blocked ones, or only others"),
      },
      order: sortByName,
      example: (db) => ({ city: exampleContact(db).city }),
    }),
    find,
    show: persons.show("Show a contact with phone."),
    add: persons.add("Add a contact; the handle is made from the name.", {
      params: {
        name: shortTextParam("first and last name"),
        city: shortTextParam("where they live"),
        phone,
      },
      checkArguments: ({ name }, { db }) => requireFreeName(db, people, name),
      row: ({ name, city, phone }, { db }) => {
        return { name, handle: makeHandle(db, name), city, phone, blocked: false };
      },
      example: { name: "Wilma Thorn", city: "Lisbon", phone: "555-0142" },
    }),
    update: persons.change("Change a contact's city or phone.", {
      params: { city: shortTextParam("the new city").optional(), phone: phone.optional() },
      checkRow: (_, { city, phone }) => requireSomeArgument({ city, phone }),
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
        return { person: (blocked ?? exampleContact(db)).handle };
      },
    }),
    ...groupApis,
  },
});
