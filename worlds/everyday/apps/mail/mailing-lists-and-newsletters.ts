/**
 * Defines the APIs of mailing lists (people who get the same mail) and of newsletters (mail that arrives regularly, and
 * how to unsubscribe).
 */

import {
  countReferencingRows,
  defineItem,
  listApi,
  newestFirst,
  orderBy,
  refuseUnless,
  resource,
  shortTextParam,
} from "bowline/resources";
import type { Writer } from "bowline/world";
import { z } from "bowline/world";
import {
  exampleHandle,
  handleField,
  handleOf,
  handleParam,
  nameField,
  personColumnFilter,
  personFilter,
  requirePerson,
} from "../shared.ts";
import { mails, people } from "../tables.ts";
import { mailItem } from "./mail-items.ts";
import {
  issues,
  listMembers,
  type MailingList,
  mailingLists,
  type Newsletter,
  newsletters,
} from "./tables.ts";

const person = handleParam("the person");

const list = resource({
  noun: "mailing list",
  item: defineItem(mailingLists, {
    name: z.string(),
    size: countReferencingRows(listMembers, "list"),
  }),
  keys: { list: shortTextParam("name of the mailing list") },
  keyIsName: true,
});

function addListMember(
  db: Writer,
  { id: list, name }: MailingList,
  personHandle: string,
  param: string,
): void {
  const { id, handle } = requirePerson(db, personHandle, param);
  const isMember = db.where(listMembers, { list, person: id }).length > 0;
  refuseUnless(!isMember, 409, `${param}: "${handle}" is already on the list "${name}"`);
  db.insert(listMembers, { list, person: id });
}

export const listApis = {
  lists: list.list("List mailing lists with their number of members, oldest first.", {
    filters: {
      person: personFilter(
        "only with this member",
        "person",
        ({ id }: MailingList, person, db) => db.where(listMembers, { list: id, person }).length > 0,
      ),
    },
  }),
  listMembers: listApi(
    "List the members of a mailing list in the order in which they were added.",
    {
      item: defineItem(listMembers, { name: nameField, handle: handleField }),
      parent: [list, "list"],
      example: list.example,
    },
  ),
  addList: list.add("Add a mailing list, with its first members.", {
    params: {
      name: shortTextParam("a new name"),
      people: z.array(person).max(50).default([]).describe("handles of its members"),
    },
    row: ({ name, people }, { db }) => {
      const row = db.insert(mailingLists, { name });
      for (const handle of people) addListMember(db, row, handle, "people");
      return row;
    },
    example: (db) => ({ name: "noon swimmers", people: [exampleHandle(db), exampleHandle(db, 1)] }),
  }),
  addToList: list.act("Add a person to a mailing list.", {
    params: { person },
    run: (row, args, { db }) => {
      addListMember(db, row, args.person, "person");
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
      const { id, handle } = requirePerson(db, args.person, "person");
      const [member] = db.where(listMembers, { list: row.id, person: id });
      refuseUnless(member, 404, `person: "${handle}" is not on the list "${row.name}"`);
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
  item: defineItem(newsletters, {
    ...newsletters.fields("name", "id"),
    editor: handleField,
    rhythm: z.string(),
    issues: [z.int(), ({ id }, { db }) => db.where(issues, { newsletter: id }).length],
    subscribed: z.boolean(),
  }),
});

const subscriptionStateMessage =
  (state: string) =>
  ({ id, name }: Newsletter) =>
    `id: the newsletter ${id}, "${name}", is already ${state}`;

export const newsletterApis = {
  newsletters: newsletter.list(
    "List newsletters by name, with their editor and how many issues came.",
    {
      filters: {
        subscribed: z.boolean().describe("only those the owner gets, or only others"),
        person: personColumnFilter("only edited by this person", "person"),
      },
      order: orderBy(({ name }) => name),
      example: { subscribed: true },
    },
  ),
  issues: listApi(
    "List the mails that are issues of a newsletter, newest first, outside the trash.",
    {
      item: mailItem,
      params: newsletter.keys,
      rows: (args, context) => {
        const { id } = newsletter.find(args, context);
        const all = context.db.where(issues, { newsletter: id });
        const rows = all.map(({ mail }) => context.db.get(mails, mail)!);
        return rows.filter(({ folder }) => folder !== "trash");
      },
      order: newestFirst,
      example: newsletter.example,
    },
  ),
  unsubscribe: newsletter.change("Unsubscribe from a newsletter.", {
    set: { subscribed: false },
    already: subscriptionStateMessage("unsubscribed"),
  }),
  resubscribe: newsletter.change("Subscribe to a newsletter again.", {
    set: { subscribed: true },
    already: subscriptionStateMessage("subscribed"),
  }),
};
