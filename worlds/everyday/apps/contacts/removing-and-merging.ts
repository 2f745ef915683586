/**
 * Defines the APIs that remove and merge contacts, and that restore removed contacts. A removed contact leaves a card,
 * from which `restore` brings back name, handle, phone and groups. Facts about the contact, and the connection to old
 * messages, are lost.
 */

import { defineItem, listApi, refuseUnless, requireFreeName } from "bowline/resources";
import { defineApi, type Table, type TableRow, type Writer, z } from "bowline/world";
import { handleParam, requirePerson } from "../shared.ts";
import { groups, members, type Person, people } from "../tables.ts";
import { exampleContact } from "./examples.ts";
import { type Facts, findCouple, readFacts, writeFacts } from "./facts.ts";
import { persons, profileItem } from "./person-items.ts";
import { couples, details, gifts, meetings, remarks, removedPeople } from "./tables.ts";

const cardItem = defineItem(removedPeople, {
  ...removedPeople.fields("name", "handle", "city"),
  groups: [z.array(z.string()), ({ groups }) => [...groups]],
});

function groupNames(db: Writer, person: number): string[] {
  const rows = db.where(members, { person }).map(({ group }) => db.get(groups, group)!);
  return rows.map(({ name }) => name).toSorted();
}

function removePersonRows<R extends TableRow & { readonly person: number }>(
  db: Writer,
  table: Table<R>,
  person: number,
): void {
  for (const row of db.all(table)) if (row.person === person) db.remove(table, row.id);
}

/** Stores a card of the person and removes the person and all rows about them from the contacts app. */
function removeAndKeepCard(db: Writer, { id, name, handle, city, phone, blocked }: Person): void {
  const card = { name, handle, city, phone, blocked };
  db.insert(removedPeople, { ...card, groups: groupNames(db, id) });
  removePersonRows(db, members, id);
  removePersonRows(db, details, id);
  removePersonRows(db, remarks, id);
  removePersonRows(db, meetings, id);
  removePersonRows(db, gifts, id);
  const couple = findCouple(db, id);
  if (couple) db.remove(couples, couple.id);
  db.remove(people, id);
}

const restore = defineApi({
  summary: "Bring back a removed contact, also into the groups that still exist.",
  params: z.strictObject({ person: handleParam("the removed contact, by contacts.removed") }),
  returns: profileItem.schema,
  example: (db) => ({ person: db.all(removedPeople)[0]?.handle ?? "nobody" }),
  handler: (context, args) => {
    const { db } = context;
    const card = db.where(removedPeople, { handle: args.person.trim().toLowerCase() }).at(-1);
    refuseUnless(card, 404, `person: nobody with handle "${args.person}" was removed`);
    const { id, groups: names, ...row } = card;
    requireFreeName(db, people, row.name);
    const isFree = db.where(people, { handle: row.handle }).length === 0;
    refuseUnless(isFree, 409, `person: "${row.handle}" is now the handle of someone else`);
    const person = db.insert(people, row);
    for (const name of names) {
      const [group] = db.where(groups, { name });
      if (group) db.insert(members, { group: group.id, person: person.id });
    }
    db.remove(removedPeople, id);
    return profileItem.view(person, context);
  },
});

const merge = defineApi({
  summary:
    "Merge a duplicate into another contact, who gets its groups, remarks, meetings, gifts and missing facts; the duplicate is removed.",
  params: z.strictObject({
    keep: handleParam("who stays, with name, city and phone"),
    duplicate: handleParam("who is the same person and goes"),
  }),
  returns: profileItem.schema,
  example: (db) => {
    const keep = exampleContact(db);
    return { keep: keep.handle, duplicate: exampleContact(db, ({ id }) => id !== keep.id).handle };
  },
  handler: (context, args) => {
    const { db } = context;
    const keep = requirePerson(db, args.keep, "keep");
    const duplicate = requirePerson(db, args.duplicate, "duplicate");
    const other = keep.id !== duplicate.id;
    refuseUnless(other, 422, `duplicate: expected someone else than keep, got "${keep.handle}"`);
    const facts = factsToAdopt(readFacts(db, keep.id), readFacts(db, duplicate.id));
    const joins = db.where(members, { person: duplicate.id });
    const [person, moved] = [duplicate.id, { person: keep.id }];
    for (const { id } of db.where(remarks, { person })) db.update(remarks, id, moved);
    for (const { id } of db.where(meetings, { person })) db.update(meetings, id, moved);
    for (const { id } of db.where(gifts, { person })) db.update(gifts, id, moved);
    removeAndKeepCard(db, duplicate);
    for (const { group } of joins) {
      if (db.where(members, { group, person: keep.id }).length === 0) {
        db.insert(members, { group, person: keep.id });
      }
    }
    if (Object.keys(facts).length > 0) writeFacts(db, keep.id, facts);
    return profileItem.view(keep, context);
  },
});

/** Returns the facts that are known of the duplicate and not of the contact that is kept. */
function factsToAdopt(keep: Facts, duplicate: Facts): Partial<Facts> {
  const names = ["relationship", "birthday", "street", "workplace", "job", "favourite"] as const;
  const adopted = names.filter((name) => !keep[name] && duplicate[name]);
  return Object.fromEntries(adopted.map((name) => [name, duplicate[name]]));
}

export const removalApis = {
  remove: persons.act(
    "Remove a contact, also from all groups; contacts.restore brings them back.",
    {
      run: (row, _, { db }) => {
        removeAndKeepCard(db, row);
        return row;
      },
    },
  ),
  removed: listApi("List removed contacts, the last removed first.", {
    item: cardItem,
    order: (rows) => rows.toReversed(),
  }),
  restore,
  merge,
};
