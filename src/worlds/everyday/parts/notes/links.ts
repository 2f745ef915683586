/** From notes to people, to other notes and to checklists, and from people to notes. */
import { eachOf, type Relation } from "../../../../goals/index.ts";
import { borrowed, items } from "../../apps/notes/tables.ts";
import { activeShares, roleOf, traitsOf } from "../../apps/notes/traits.ts";
import { notes } from "../../apps/tables.ts";
import { distinct, throughPages } from "../old-papers.ts";

const readers: Relation = {
  name: "notes.readers",
  from: "notes",
  to: "people",
  app: "notes",
  words: [
    (noun) => `everyone with whom I share ${noun}`,
    (noun) => `the people with whom I share ${noun}`,
    (noun) => `all those who can see, because I share it with them, ${noun}`,
    (noun) => `each person with whom I share ${noun}`,
    (noun) => `all people with whom I am sharing ${noun}`,
  ],
  each: eachOf("has been given access by me to"),
  map: (db, ids) =>
    distinct(ids.flatMap((note) => activeShares(db, { note }).map(({ person }) => person))),
  cells: (from, to) => [
    throughPages(from, to, "apis.notes.sharedWith({id:f,size:20,page:p++})", "handle"),
  ],
};

const editors: Relation = {
  name: "notes.editors",
  from: "notes",
  to: "people",
  app: "notes",
  words: [
    (noun) => `everyone who may edit, as somebody I share with, ${noun}`,
    (noun) => `the people with the role "editor" for ${noun}`,
    (noun) => `all those who are editors of ${noun}`,
    (noun) => `each person who has the role "editor" for ${noun}`,
    (noun) => `all people that have been made editors of ${noun}`,
  ],
  map: (db, ids) => {
    const shares = ids.flatMap((note) => activeShares(db, { note }));
    return distinct(
      shares.filter(({ id }) => roleOf(db, id) === "editor").map(({ person }) => person),
    );
  },
  cells: (from, to) => [
    throughPages(
      from,
      to,
      'apis.notes.sharedWith({id:f,role:"editor",size:20,page:p++})',
      "handle",
    ),
  ],
};

const linkedTo: Relation = {
  name: "notes.links",
  from: "notes",
  to: "notes",
  app: "notes",
  words: [
    (noun) => `all notes to which there is a link from ${noun}`,
    (noun) => `every note that can be reached by a link from ${noun}`,
    (noun) => `all notes that are linked from ${noun}`,
    (noun) => `each note to which a link leads from ${noun}`,
    (noun) => `all those notes that are the target of a link from ${noun}`,
  ],
  map: (db, ids) =>
    distinct(ids.flatMap((id) => traitsOf(db, id).links.filter((to) => db.get(notes, to)))),
  cells: (from, to) => [throughPages(from, to, "apis.notes.links({id:f,size:20,page:p++})", "id")],
};

const openItems: Relation = {
  name: "notes.open-items",
  from: "checklist-notes",
  to: "check-items",
  app: "notes",
  words: [
    (noun) => `all open items on the checklist of ${noun}`,
    (noun) => `every item that is not ticked yet on the checklist of ${noun}`,
    (noun) => `all items which are still open on the checklist of ${noun}`,
    (noun) => `each item that is still to be ticked on the checklist of ${noun}`,
    (noun) => `everything that is still open on the checklist of ${noun}`,
  ],
  map: (db, ids) =>
    ids.flatMap((note) => db.where(items, { note, done: false }).map(({ id }) => id)),
  cells: (from, to) => [
    throughPages(from, to, "apis.notes.checklist({id:f,done:false,size:20,page:p++})", "id"),
  ],
};

const tickedItems: Relation = {
  name: "notes.ticked-items",
  from: "checklist-notes",
  to: "ticked-items",
  app: "notes",
  words: [
    (noun) => `all ticked items on the checklist of ${noun}`,
    (noun) => `every item that is ticked on the checklist of ${noun}`,
    (noun) => `all items which have been ticked on the checklist of ${noun}`,
    (noun) => `each item that is already ticked on the checklist of ${noun}`,
    (noun) => `everything that is already ticked on the checklist of ${noun}`,
  ],
  map: (db, ids) =>
    ids.flatMap((note) => db.where(items, { note, done: true }).map(({ id }) => id)),
  cells: (from, to) => [
    throughPages(from, to, "apis.notes.checklist({id:f,done:true,size:20,page:p++})", "id"),
  ],
};

const writers: Relation = {
  name: "borrowed-notes.owners",
  from: "borrowed-notes",
  to: "people",
  app: "notes",
  words: [
    (noun) => `the owners of ${noun}`,
    (noun) => `everyone who is the owner of at least one of ${noun}`,
    (noun) => `all those who are owners of ${noun}`,
    (noun) => `the people who own ${noun}`,
    (noun) => `each person who owns at least one of ${noun}`,
  ],
  map: (db, ids) => distinct(ids.flatMap((id) => db.get(borrowed, id)?.person ?? [])),
  cells: (from, to) => [
    `var ${to}=[];for(const f of ${from})${to}.push(apis.notes.readShared({id:f}).from);${to}=[...new Set(${to})];print(${to})`,
  ],
};

const sharedTo: Relation = {
  name: "people.shared-notes",
  from: "people",
  to: "notes",
  app: "notes",
  words: [
    (noun) => `all notes of mine that I share with ${noun}`,
    (noun) => `every note of mine that is shared with ${noun}`,
    (noun) => `all my own notes that I am sharing with ${noun}`,
    (noun) => `each of my notes, archived ones too, that I share with ${noun}`,
    (noun) => `all those of my notes, archived or not, that are shared with ${noun}`,
  ],
  map: (db, ids) =>
    distinct(ids.flatMap((person) => activeShares(db, { person }).map(({ note }) => note))),
  cells: (from, to) => [
    throughPages(from, to, "apis.notes.sharedWith({person:f,size:20,page:p++})", "id"),
  ],
};

const theirNotes: Relation = {
  name: "people.notes",
  from: "people",
  to: "borrowed-notes",
  app: "notes",
  words: [
    (noun) => `all notes shared with me by ${noun}`,
    (noun) => `every note that is shared with me by ${noun}`,
    (noun) => `all notes that I see because they are shared with me by ${noun}`,
    (noun) => `each note that has been shared with me by ${noun}`,
    (noun) => `all those notes which are shared with me by ${noun}`,
  ],
  map: (db, ids) =>
    distinct(
      ids.flatMap((person) => db.where(borrowed, { person, left: false }).map(({ id }) => id)),
    ),
  cells: (from, to) => [
    throughPages(from, to, "apis.notes.fromOthers({from:f,size:20,page:p++})", "id"),
  ],
};

export const noteRelations: readonly Relation[] = [
  readers,
  editors,
  linkedTo,
  openItems,
  tickedItems,
  writers,
  sharedTo,
  theirNotes,
];
