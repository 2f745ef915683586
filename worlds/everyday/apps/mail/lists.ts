/** Mailing lists: people who get the same mail. Newsletters: received mail that comes by itself, and how it stops. */

import { by, countOf, itemOf, line, listing, must, newestFirst, resource } from "bowline/resources";
import type { Writer } from "bowline/world";
import { z } from "bowline/world";
import {
  handle,
  handleOf,
  ofPerson,
  personBy,
  someone,
  theirHandle,
  theirName,
  withPerson,
} from "../shared.ts";
import { mails, people } from "../tables.ts";
import {
  issues,
  listMembers,
  type MailingList,
  mailingLists,
  type Newsletter,
  newsletters,
} from "./tables.ts";
import { mailItem } from "./views.ts";

const person = handle("the person");

const list = resource({
  noun: "mailing list",
  item: itemOf(mailingLists, { name: z.string(), size: countOf(listMembers, "list") }),
  keys: { list: line("name of the mailing list") },
  named: true,
});

function join(db: Writer, { id: list, name }: MailingList, came: string, param: string): void {
  const { id, handle } = personBy(db, came, param);
  const on = db.where(listMembers, { list, person: id }).length > 0;
  must(!on, 409, `${param}: "${handle}" is already on the list "${name}"`);
  db.insert(listMembers, { list, person: id });
}

export const listApis = {
  lists: list.list("List mailing lists with their number of members, oldest first.", {
    filters: {
      person: withPerson(
        "only with this member",
        "person",
        ({ id }: MailingList, person, db) => db.where(listMembers, { list: id, person }).length > 0,
      ),
    },
  }),
  listMembers: listing(
    "List the members of a mailing list in the order in which they were added.",
    {
      item: itemOf(listMembers, { name: theirName, handle: theirHandle }),
      of: [list, "list"],
      example: list.example,
    },
  ),
  addList: list.add("Add a mailing list, with its first members.", {
    params: {
      name: line("a new name"),
      people: z.array(person).max(50).default([]).describe("handles of its members"),
    },
    row: ({ name, people }, { db }) => {
      const row = db.insert(mailingLists, { name });
      for (const came of people) join(db, row, came, "people");
      return row;
    },
    example: (db) => ({ name: "noon swimmers", people: [someone(db), someone(db, 1)] }),
  }),
  addToList: list.act("Add a person to a mailing list.", {
    params: { person },
    run: (row, args, { db }) => {
      join(db, row, args.person, "person");
      return row;
    },
    example: (db) => {
      const [row] = db.all(mailingLists);
      const on = new Set(db.where(listMembers, { list: row?.id ?? 0 }).map((m) => m.person));
      const other = db.all(people).find(({ id }) => !on.has(id));
      return { list: row?.name ?? "none", person: other?.handle ?? "amara.o" };
    },
  }),
  removeFromList: list.act("Take a person off a mailing list.", {
    params: { person },
    run: (row, args, { db }) => {
      const { id, handle } = personBy(db, args.person, "person");
      const [member] = db.where(listMembers, { list: row.id, person: id });
      must(member, 404, `person: "${handle}" is not on the list "${row.name}"`);
      db.remove(listMembers, member.id);
      return row;
    },
    example: (db) => {
      const [member] = db.all(listMembers);
      const name = member && db.get(mailingLists, member.list)?.name;
      return { list: name ?? "none", person: member ? handleOf(db, member.person) : "amara.o" };
    },
  }),
  removeList: list.remove("Remove a mailing list; its members stay contacts.", {
    parts: [[listMembers, "list"]],
  }),
};

const newsletter = resource({
  noun: "newsletter",
  item: itemOf(newsletters, {
    ...newsletters.fields("name", "id"),
    editor: theirHandle,
    rhythm: z.string(),
    issues: [z.int(), ({ id }, { db }) => db.where(issues, { newsletter: id }).length],
    subscribed: z.boolean(),
  }),
});

const already =
  (state: string) =>
  ({ id, name }: Newsletter) =>
    `id: the newsletter ${id}, "${name}", is already ${state}`;

export const newsletterApis = {
  newsletters: newsletter.list(
    "List newsletters by name, with their editor and how many issues came.",
    {
      filters: {
        subscribed: z.boolean().describe("only those the owner gets, or only others"),
        editor: ofPerson("only edited by this person", "editor"),
      },
      order: by(({ name }) => name),
      example: { subscribed: true },
    },
  ),
  issues: listing(
    "List the mails that are issues of a newsletter, newest first, outside the trash.",
    {
      item: mailItem,
      params: newsletter.keys,
      rows: (args, look) => {
        const { id } = newsletter.find(args, look);
        const all = look.db.where(issues, { newsletter: id });
        const rows = all.map(({ mail }) => look.db.get(mails, mail)!);
        return rows.filter(({ folder }) => folder !== "trash");
      },
      order: newestFirst,
      example: newsletter.example,
    },
  ),
  unsubscribe: newsletter.change("Unsubscribe from a newsletter.", {
    set: { subscribed: false },
    already: already("unsubscribed"),
  }),
  resubscribe: newsletter.change("Subscribe to a newsletter again.", {
    set: { subscribed: true },
    already: already("subscribed"),
  }),
};
