/**
 * Removing and merging contacts so that it can be undone: a removed contact leaves a card, from which `restore` brings
 * back name, handle, phone and groups. Facts about them and the tie to their old correspondence are lost.
 */

import { freeName, itemOf, listing, must } from "bowline/resources";
import { defineApi, type Table, type TableRow, type Writer, z } from "bowline/world";
import { handle, personBy } from "../shared.ts";
import { groups, members, type Person, people } from "../tables.ts";
import { someone } from "./examples.ts";
import { coupleOf, type Facts, factsOf, writeFacts } from "./facts.ts";
import { couples, details, gifts, meetings, remarks, removedPeople } from "./tables.ts";
import { persons, profileItem } from "./views.ts";

const cardItem = itemOf(removedPeople, {
  ...removedPeople.fields("name", "handle", "city"),
  groups: [z.array(z.string()), ({ groups }) => [...groups]],
});

function groupNames(db: Writer, person: number): string[] {
  const rows = db.where(members, { person }).map(({ group }) => db.get(groups, group)!);
  return rows.map(({ name }) => name).toSorted();
}

function removeAll<R extends TableRow & { readonly person: number }>(
  db: Writer,
  table: Table<R>,
  person: number,
): void {
  for (const row of db.all(table)) if (row.person === person) db.remove(table, row.id);
}

/** Keeps a card and takes the person out of everything that contacts know. */
function takeOut(db: Writer, { id, name, handle, city, phone, blocked }: Person): void {
  const card = { name, handle, city, phone, blocked };
  db.insert(removedPeople, { ...card, groups: groupNames(db, id) });
  removeAll(db, members, id);
  removeAll(db, details, id);
  removeAll(db, remarks, id);
  removeAll(db, meetings, id);
  removeAll(db, gifts, id);
  const couple = coupleOf(db, id);
  if (couple) db.remove(couples, couple.id);
  db.remove(people, id);
}

const restore = defineApi({
  summary: "Bring back a removed contact, also into the groups that still exist.",
  params: z.strictObject({ person: handle("the removed contact, by contacts.removed") }),
  returns: profileItem.schema,
  example: (db) => ({ person: db.all(removedPeople)[0]?.handle ?? "nobody" }),
  handler: (context, args) => {
    const { db } = context;
    const card = db.where(removedPeople, { handle: args.person.trim().toLowerCase() }).at(-1);
    must(card, 404, `person: nobody with handle "${args.person}" was removed`);
    const { id, groups: names, ...row } = card;
    freeName(db, people, row.name);
    const isFree = db.where(people, { handle: row.handle }).length === 0;
    must(isFree, 409, `person: "${row.handle}" is now the handle of someone else`);
    const person = db.insert(people, row);
    for (const name of names) {
      const [group] = db.where(groups, { name });
      if (group) db.insert(members, { group: group.id, person: person.id });
    }
    db.remove(removedPeople, id);
    return profileItem.view(person, context);
  },
});

// --- merging ---

const merge = defineApi({
  summary:
    "Merge a duplicate into another contact, who gets its groups, remarks, meetings, gifts and missing facts; the duplicate is removed.",
  params: z.strictObject({
    keep: handle("who stays, with name, city and phone"),
    duplicate: handle("who is the same person and goes"),
  }),
  returns: profileItem.schema,
  example: (db) => {
    const keep = someone(db);
    return { keep: keep.handle, duplicate: someone(db, ({ id }) => id !== keep.id).handle };
  },
  handler: (context, args) => {
    const { db } = context;
    const keep = personBy(db, args.keep, "keep");
    const duplicate = personBy(db, args.duplicate, "duplicate");
    const other = keep.id !== duplicate.id;
    must(other, 422, `duplicate: expected someone else than keep, got "${keep.handle}"`);
    const facts = missingFacts(factsOf(db, keep.id), factsOf(db, duplicate.id));
    const joins = db.where(members, { person: duplicate.id });
    const [person, moved] = [duplicate.id, { person: keep.id }];
    for (const { id } of db.where(remarks, { person })) db.update(remarks, id, moved);
    for (const { id } of db.where(meetings, { person })) db.update(meetings, id, moved);
    for (const { id } of db.where(gifts, { person })) db.update(gifts, id, moved);
    takeOut(db, duplicate);
    for (const { group } of joins) {
      if (db.where(members, { group, person: keep.id }).length === 0) {
        db.insert(members, { group, person: keep.id });
      }
    }
    if (Object.keys(facts).length > 0) writeFacts(db, keep.id, facts);
    return profileItem.view(keep, context);
  },
});

/** What is known of the duplicate only. */
function missingFacts(keep: Facts, duplicate: Facts): Partial<Facts> {
  const names = ["relationship", "birthday", "street", "workplace", "job", "favourite"] as const;
  const taken = names.filter((name) => !keep[name] && duplicate[name]);
  return Object.fromEntries(taken.map((name) => [name, duplicate[name]]));
}

export const removalApis = {
  remove: persons.act(
    "Remove a contact, also from all groups; contacts.restore brings them back.",
    {
      run: (row, _, { db }) => {
        takeOut(db, row);
        return row;
      },
    },
  ),
  removed: listing("List removed contacts, the last removed first.", {
    item: cardItem,
    order: (rows) => rows.toReversed(),
  }),
  restore,
  merge,
};
