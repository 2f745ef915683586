/** Contacts: the people whom the owner knows. All other apps name people by the handle that is found here. */
import { z } from "zod";
import {
  ApiError,
  type CallContext,
  defineApi,
  defineApp,
  type Reader,
} from "../../../../world/index.ts";
import {
  freeName,
  given,
  handle,
  line,
  named,
  newHandle,
  paged,
  pageOf,
  paging,
  personBy,
  same,
} from "../shared.ts";
import { groups, members, type Person, people } from "../tables.ts";
import { someone } from "./examples.ts";
import { groupApis } from "./groups.ts";

const personItem = z.strictObject({ name: z.string(), handle: z.string(), city: z.string() });
const personReturn = personItem.extend({ phone: z.string(), blocked: z.boolean() });

const item = ({ name, handle, city }: Person) => ({ name, handle, city });
const view = (person: Person) => ({
  ...item(person),
  phone: person.phone,
  blocked: person.blocked,
});

const person = handle("the contact");
const phone = line("phone number, such as 555-0142");

const list = defineApi({
  summary: "List contacts by name.",
  params: z.strictObject({
    group: line("only members of this group").optional(),
    city: line("only this city").optional(),
    blocked: z.boolean().optional().describe("only blocked ones, or only others"),
    ...paging,
  }),
  returns: pageOf(personItem),
  example: (db) => ({ city: someone(db).city }),
  handler: ({ db }, args) => {
    let rows = db.where(people, given({ blocked: args.blocked }));
    if (args.city !== undefined) {
      const city = args.city;
      rows = rows.filter((row) => same(row.city, city));
    }
    if (args.group !== undefined) {
      const group = named(db, groups, args.group, "group").id;
      const inside = new Set(db.where(members, { group }).map((member) => member.person));
      rows = rows.filter((row) => inside.has(row.id));
    }
    return paged(byName(rows), args, item);
  },
});

const find = defineApi({
  summary:
    "Find contacts by name: the one with exactly this name, else at most 10 whose names begin so.",
  params: z.strictObject({ name: line("a full name, or the beginning of a first or last name") }),
  returns: z.array(personItem),
  example: (db) => ({ name: someone(db).name }),
  handler: ({ db }, { name }) => matching(db, name).slice(0, 10).map(item),
});

/** An exact full name alone; otherwise everyone with name parts that begin with the words given, by name. */
function matching(db: Reader, name: string): Person[] {
  const everyone = db.all(people);
  const exact = everyone.find((row) => same(row.name, name));
  if (exact) return [exact];
  const words = name.toLowerCase().split(/\s+/);
  const begins = (row: Person) => {
    const parts = row.name.toLowerCase().split(" ");
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  };
  return byName(everyone.filter(begins));
}

function byName(rows: readonly Person[]): Person[] {
  return rows.toSorted((a, b) => (a.name === b.name ? a.id - b.id : a.name < b.name ? -1 : 1));
}

const show = defineApi({
  summary: "Show a contact with phone.",
  params: z.strictObject({ person }),
  returns: personReturn,
  example: (db) => ({ person: someone(db).handle }),
  handler: ({ db }, args) => view(personBy(db, args.person, "person")),
});

const add = defineApi({
  summary: "Add a contact; the handle is made from the name.",
  params: z.strictObject({
    name: line("first and last name"),
    city: line("where they live"),
    phone,
  }),
  returns: personReturn,
  example: () => ({ name: "Wilma Thorn", city: "Lisbon", phone: "555-0142" }),
  handler: ({ db }, { name, city, phone }) => {
    freeName(db, people, name);
    const row = { name, handle: newHandle(db, name), city, phone, blocked: false };
    return view(db.insert(people, row));
  },
});

const update = defineApi({
  summary: "Change a contact's city or phone.",
  params: z.strictObject({
    person,
    city: line("the new city").optional(),
    phone: phone.optional(),
  }),
  returns: personReturn,
  example: (db) => ({ person: someone(db).handle, phone: "555-0142" }),
  handler: ({ db }, { person, ...changes }) => {
    const { id } = personBy(db, person, "person");
    const patch = given(changes);
    if (Object.keys(patch).length === 0) {
      throw new ApiError(422, "city, phone: expected at least one of them, got none");
    }
    return view(db.update(people, id, patch));
  },
});

const remove = defineApi({
  summary: "Remove a contact, also from all groups.",
  params: z.strictObject({ person }),
  returns: personReturn,
  example: (db) => ({ person: someone(db).handle }),
  handler: ({ db }, args) => {
    const row = personBy(db, args.person, "person");
    for (const member of db.where(members, { person: row.id })) db.remove(members, member.id);
    db.remove(people, row.id);
    return view(row);
  },
});

function setBlocked({ db }: CallContext, person: string, blocked: boolean) {
  const { id } = personBy(db, person, "person");
  return view(db.update(people, id, { blocked }));
}

const block = defineApi({
  summary: "Block a contact: nothing can be sent to them.",
  params: z.strictObject({ person }),
  returns: personReturn,
  example: (db) => ({ person: someone(db).handle }),
  handler: (context, args) => setBlocked(context, args.person, true),
});

const unblock = defineApi({
  summary: "Unblock a contact.",
  params: z.strictObject({ person }),
  returns: personReturn,
  example: (db) => ({
    person: db.where(people, { blocked: true })[0]?.handle ?? someone(db).handle,
  }),
  handler: (context, args) => setBlocked(context, args.person, false),
});

export const contacts = defineApp({
  name: "contacts",
  summary: "People the owner knows, and groups of them.",
  tables: [people, groups, members],
  apis: { list, find, show, add, update, remove, block, unblock, ...groupApis },
});
