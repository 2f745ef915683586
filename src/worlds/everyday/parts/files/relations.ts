/** From files to people (with whom they are shared, who paid, who comes, whose they are) and back. */

import { eachOf, type Relation } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { fileShares, files } from "../../apps/files/tables.ts";
import { people } from "../../apps/tables.ts";
import { distinct, js, throughPages } from "../old-papers.ts";
import { columnOf, isOwn, sharedWith } from "./words.ts";

const OWN_KINDS = ["files", "cost-tables", "receipts", "guest-lists"] as const;

const sharedWithOf = (kind: string): Relation => ({
  name: `${kind}.shared-with`,
  from: kind,
  to: "people",
  app: "files",
  words: [
    (noun) => `everyone with whom I share ${noun}`,
    (noun) => `the people with whom I share ${noun}`,
    (noun) => `all those with whom I share ${noun}`,
    (noun) => `each person with whom I share ${noun}`,
    (noun) => `all people with whom I am sharing ${noun}`,
  ],
  each: eachOf("has been given access by me to"),
  map: (db, ids) => distinct(ids.flatMap((id) => sharedWith(db, id))),
  cells: (from, to) => [
    throughPages(from, to, "apis.files.shares({id:f,size:20,page:p++})", "with"),
  ],
});

/** The people whose names stand in a column; only contacts count. */
function named(db: Reader, ids: readonly number[], pick: (cells: Rows) => string[]): number[] {
  const names = ids.flatMap((id) => pick(rowsOf(db, id)));
  return distinct(names.flatMap((name) => db.where(people, { name }).map((person) => person.id)));
}

type Rows = (column: string) => string[];
const rowsOf =
  (db: Reader, id: number): Rows =>
  (column) =>
    columnOf(db.get(files, id)!, column);

/** Reads a column of every table and looks the names up; the owner is no contact. */
function namesToHandles(from: string, to: string, column: string, where = ""): string[] {
  const names = `${to}n`;
  return [
    throughPages(
      from,
      names,
      `apis.files.readRows({id:f,${where}size:20,page:p++})`,
      `cells[${js(column)}]`,
    ),
    `var ${to}=[];for(const n of ${names}){const c=apis.contacts.find({name:n}).filter(x=>x.name===n);${to}.push(...c.map(x=>x.handle))}print(${to})`,
  ];
}

const payers: Relation = {
  name: "cost-tables.payers",
  from: "cost-tables",
  to: "people",
  app: "files",
  words: [
    (noun) => `everyone but me who paid something according to ${noun}`,
    (noun) => `the others who are named as payers in ${noun}`,
    (noun) => `all contacts in the column "paid by" of ${noun}`,
    (noun) => `each contact of mine who paid for something in ${noun}`,
    (noun) => `all people other than me who can be found among the payers in ${noun}`,
  ],
  map: (db, ids) => named(db, ids, (cells) => cells("paid by")),
  cells: (from, to) => namesToHandles(from, to, "paid by"),
};

const coming: Relation = {
  name: "guest-lists.coming",
  from: "guest-lists",
  to: "people",
  app: "files",
  words: [
    (noun) => `everyone who is coming according to ${noun}`,
    (noun) => `all those with "yes" in the column "coming" of ${noun}`,
    (noun) => `the people who said yes according to ${noun}`,
    (noun) => `each person that has a "yes" for coming in ${noun}`,
    (noun) => `all guests whose column "coming" says "yes" in ${noun}`,
  ],
  map: (db, ids) =>
    named(db, ids, (cells) => cells("name").filter((_, i) => cells("coming")[i] === "yes")),
  cells: (from, to) => namesToHandles(from, to, "name", 'column:"coming",value:"yes",'),
};

const undecided: Relation = {
  name: "guest-lists.undecided",
  from: "guest-lists",
  to: "people",
  app: "files",
  words: [
    (noun) => `everyone who is still undecided ("maybe") according to ${noun}`,
    (noun) => `all those with "maybe" in the column "coming" of ${noun}`,
    (noun) => `the people who only said maybe according to ${noun}`,
    (noun) => `each person that has a "maybe" for coming in ${noun}`,
    (noun) => `all guests whose column "coming" says "maybe" in ${noun}`,
  ],
  map: (db, ids) =>
    named(db, ids, (cells) => cells("name").filter((_, i) => cells("coming")[i] === "maybe")),
  cells: (from, to) => namesToHandles(from, to, "name", 'column:"coming",value:"maybe",'),
};

const ownersOf = (kind: string): Relation => ({
  name: `${kind}.owners`,
  from: kind,
  to: "people",
  app: "files",
  words: [
    (noun) => `the owners of ${noun}`,
    (noun) => `everyone who is the owner of at least one of ${noun}`,
    (noun) => `all those who are owners of ${noun}`,
    (noun) => `the people who own ${noun}`,
    (noun) => `each person who owns at least one of ${noun}`,
  ],
  map: (db, ids) => distinct(ids.flatMap((id) => db.get(files, id)?.owner ?? [])),
  cells: (from, to) => [
    `var ${to}=[];for(const f of ${from})${to}.push(apis.files.stat({id:f}).owner);${to}=[...new Set(${to})];print(${to})`,
  ],
});

const sharedTo: Relation = {
  name: "people.shared-files",
  from: "people",
  to: "files",
  app: "files",
  words: [
    (noun) => `all files of mine that I share with ${noun}`,
    (noun) => `every file of mine that is shared with ${noun}`,
    (noun) => `all my own files that I am sharing with ${noun}`,
    (noun) => `each of my files that I share with ${noun}`,
    (noun) => `all those of my files that are shared with ${noun}`,
  ],
  map: (db, ids) => {
    const shares = ids.flatMap((person) => db.where(fileShares, { person, status: "active" }));
    return distinct(shares.map(({ file }) => file).filter((id) => isOwn(db.get(files, id)!)));
  },
  cells: (from, to) => [
    throughPages(from, to, "apis.files.shares({with:f,size:20,page:p++})", "id"),
  ],
};

const theirFiles: Relation = {
  name: "people.files",
  from: "people",
  to: "borrowed-files",
  app: "files",
  words: [
    (noun) => `all files shared with me by ${noun}`,
    (noun) => `every file that is shared with me by ${noun}`,
    (noun) => `all files that I see because they are shared with me by ${noun}`,
    (noun) => `each file that has been shared with me by ${noun}`,
    (noun) => `all those files which are shared with me by ${noun}`,
  ],
  map: (db, ids) =>
    distinct(ids.flatMap((owner) => db.where(files, { owner, state: "live" }).map(({ id }) => id))),
  cells: (from, to) => [
    throughPages(from, to, "apis.files.sharedWithMe({from:f,size:20,page:p++})", "id"),
  ],
};

export const fileRelations: readonly Relation[] = [
  ...OWN_KINDS.map(sharedWithOf),
  payers,
  coming,
  undecided,
  ...["borrowed-files", "viewed-files", "editable-files"].map(ownersOf),
  sharedTo,
  theirFiles,
];
