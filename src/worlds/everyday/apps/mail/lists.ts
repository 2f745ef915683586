/** Mailing lists: people who get the same mail. A list is the owner's own and lives in mail alone. */
import { z } from "zod";
import { ApiError, defineApi, type Reader, type Writer } from "../../../../world/index.ts";
import {
  freeName,
  handle,
  handleOf,
  line,
  named,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
} from "../shared.ts";
import { people } from "../tables.ts";
import { nameIn, someone } from "./examples.ts";
import { listMembers, type MailingList, mailingLists } from "./tables.ts";

const listItem = z.strictObject({ name: z.string(), size: z.int() });
const listView =
  (db: Reader) =>
  ({ id, name }: MailingList) => ({ name, size: db.where(listMembers, { list: id }).length });
const list = line("name of the mailing list");
const person = handle("the person");

const listLists = defineApi({
  summary: "List mailing lists with their number of members, oldest first.",
  params: z.strictObject({ person: handle("only with this member").optional(), ...paging }),
  returns: pageOf(listItem),
  example: () => ({}),
  handler: ({ db }, { person, ...page }) => {
    const id = personId(db, person, "person");
    const on = (row: MailingList) =>
      id === undefined || db.where(listMembers, { list: row.id, person: id }).length > 0;
    return paged(db.all(mailingLists).filter(on), page, listView(db));
  },
});

const members = defineApi({
  summary: "List the members of a mailing list in the order in which they were added.",
  params: z.strictObject({ list, ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), handle: z.string() })),
  example: (db) => ({ list: nameIn(db, mailingLists) }),
  handler: ({ db }, { list, ...page }) => {
    const { id } = named(db, mailingLists, list, "list");
    return paged(db.where(listMembers, { list: id }), page, (row) => ({
      name: db.get(people, row.person)?.name ?? "removed",
      handle: handleOf(db, row.person),
    }));
  },
});

const addList = defineApi({
  summary: "Add a mailing list, with its first members.",
  params: z.strictObject({
    name: line("a new name"),
    people: z.array(person).max(50).default([]).describe("handles of its members"),
  }),
  returns: listItem,
  example: (db) => ({ name: "noon swimmers", people: [someone(db), someone(db, 1)] }),
  handler: ({ db }, { name, people }) => {
    freeName(db, mailingLists, name);
    const row = db.insert(mailingLists, { name });
    for (const came of people) join(db, row, came, "people");
    return listView(db)(row);
  },
});

function join(db: Writer, list: MailingList, came: string, param: string): void {
  const { id, handle } = personBy(db, came, param);
  if (db.where(listMembers, { list: list.id, person: id }).length > 0) {
    throw new ApiError(409, `${param}: "${handle}" is already on the list "${list.name}"`);
  }
  db.insert(listMembers, { list: list.id, person: id });
}

const addToList = defineApi({
  summary: "Add a person to a mailing list.",
  params: z.strictObject({ list, person }),
  returns: listItem,
  example: (db) => {
    const row = db.all(mailingLists)[0];
    const on = new Set(db.where(listMembers, { list: row?.id ?? 0 }).map((m) => m.person));
    const other = db.all(people).find(({ id }) => !on.has(id));
    return { list: row?.name ?? "none", person: other?.handle ?? "amara.o" };
  },
  handler: ({ db }, args) => {
    const row = named(db, mailingLists, args.list, "list");
    join(db, row, args.person, "person");
    return listView(db)(row);
  },
});

const removeFromList = defineApi({
  summary: "Take a person off a mailing list.",
  params: z.strictObject({ list, person }),
  returns: listItem,
  example: (db) => {
    const [member] = db.all(listMembers);
    const name = member && db.get(mailingLists, member.list)?.name;
    return { list: name ?? "none", person: member ? handleOf(db, member.person) : "amara.o" };
  },
  handler: ({ db }, args) => {
    const row = named(db, mailingLists, args.list, "list");
    const { id, handle } = personBy(db, args.person, "person");
    const [member] = db.where(listMembers, { list: row.id, person: id });
    if (!member) throw new ApiError(404, `person: "${handle}" is not on the list "${row.name}"`);
    db.remove(listMembers, member.id);
    return listView(db)(row);
  },
});

const removeList = defineApi({
  summary: "Remove a mailing list; its members stay contacts.",
  params: z.strictObject({ list }),
  returns: listItem,
  example: (db) => ({ list: nameIn(db, mailingLists) }),
  handler: ({ db }, args) => {
    const row = named(db, mailingLists, args.list, "list");
    const removed = listView(db)(row);
    for (const member of db.where(listMembers, { list: row.id })) db.remove(listMembers, member.id);
    db.remove(mailingLists, row.id);
    return removed;
  },
});

export const listApis = {
  lists: listLists,
  listMembers: members,
  addList,
  addToList,
  removeFromList,
  removeList,
};
