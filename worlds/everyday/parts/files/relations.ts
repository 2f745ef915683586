/** Relations from files to people (readers, payers, guests, owners) and back. */
import { everyoneWhoDoesToEach, jsLiteral, relationBetween, relations } from "bowline/goals";
import type { Reader } from "bowline/world";
import { fileShares, files } from "../../apps/files/tables.ts";
import { people } from "../../apps/tables.ts";
import { distinctForEach, distinctOverPages } from "../files-notes-todos.ts";
import { idsOfReaders, isOwnLiveFile, readColumn } from "./read-and-insert-files.ts";

/** Makes the same relation for several kinds of files, under the names of the kinds. */
const relationForKinds = <T>(kinds: readonly string[], name: string, make: (from: string) => T) =>
  Object.fromEntries(kinds.map((kind) => [`${kind}.${name}`, make(kind)]));

const readersRelation = (from: string) =>
  relationBetween(from, "people", {
    wordsForEach: everyoneWhoDoesToEach("has been given access by me to"),
    relatedIds: (id, db) => idsOfReaders(db, id),
    cells: distinctOverPages("apis.files.shares({id:f,size:20,page:p++})", "person"),
  })`everyone with whom I share # | the people with whom I share # | all those with whom I share #
    | each person with whom I share # | all people with whom I am sharing #`;

const ownersRelation = (from: string) =>
  relationBetween(from, "people", {
    relatedIds: (id, db) => db.get(files, id)?.owner,
    cells: distinctForEach("apis.files.stat({id:f}).owner"),
  })`the owners of # | everyone who is the owner of at least one of # | all those who are owners of
    # | the people who own # | each person who owns at least one of #`;

/**
 * Writes cells that read a column of names from every table and look the names up in contacts. The owner, who is no
 * contact, is left out.
 */
const contactsInColumnCode =
  (column: string, filterArguments = "") =>
  (from: string, to: string) => {
    const rows = `apis.files.readRows({id:f,${filterArguments}size:20,page:p++})`;
    return [
      ...distinctOverPages(rows, `cells[${jsLiteral(column)}]`)(from, `${to}n`),
      `var ${to}=[];for(const n of ${to}n){const c=apis.contacts.find({name:n}).items.filter(x=>x.name===n);${to}.push(...c.map(x=>x.handle))}print(${to})`,
    ];
  };

/** Returns the ids of the people with these names. Names that are no contact are left out. */
const idsOfContacts = (db: Reader, names: readonly string[]) =>
  names.flatMap((name) => db.where(people, { name }).map(({ id }) => id));

const guestsWithAnswer = (wantedAnswer: "yes" | "maybe") => ({
  from: "guest-lists",
  to: "people",
  relatedIds: (id: number, db: Reader) => {
    const file = db.get(files, id)!;
    const answers = readColumn(file, "coming");
    return idsOfContacts(
      db,
      readColumn(file, "name").filter((_, i) => answers[i] === wantedAnswer),
    );
  },
  cells: contactsInColumnCode("name", `column:"coming",value:"${wantedAnswer}",`),
});

export const fileRelations = relations("files", {
  ...relationForKinds(
    ["files", "cost-tables", "receipts", "guest-lists"],
    "shared-with",
    readersRelation,
  ),
  "cost-tables.payers": relationBetween("cost-tables", "people", {
    relatedIds: (id, db) => idsOfContacts(db, readColumn(db.get(files, id)!, "paid by")),
    cells: contactsInColumnCode("paid by"),
  })`everyone but me who paid something according to # | the others who are named as payers in #
    | all contacts in the column "paid by" of # | each contact of mine who paid for something in #
    | all people other than me who can be found among the payers in #`,
  "guest-lists.coming": relationBetween(
    guestsWithAnswer("yes"),
  )`everyone who is coming according to # | all those
    with "yes" in the column "coming" of # | the people who said yes according to # | each
    person that has a "yes" for coming in # | all guests whose column "coming" says "yes" in #`,
  "guest-lists.undecided": relationBetween(
    guestsWithAnswer("maybe"),
  )`everyone who is still undecided ("maybe")
    according to # | all those with "maybe" in the column "coming" of #
    | the people who only said maybe according to # | each person that has a "maybe" for coming in #
    | all guests whose column "coming" says "maybe" in #`,
  ...relationForKinds(
    ["borrowed-files", "viewed-files", "editable-files"],
    "owners",
    ownersRelation,
  ),
  "people.shared-files": relationBetween("people", "files", {
    relatedIds: (person, db) =>
      db
        .where(fileShares, { person, status: "active" })
        .map(({ file }) => file)
        .filter((id) => isOwnLiveFile(db.get(files, id)!)),
    cells: distinctOverPages("apis.files.shares({person:f,size:20,page:p++})", "id"),
  })`all files of mine that I share with # | every file of mine that is shared with #
    | all my own files that I am sharing with #
    | each of my files that I share with # | all those of my files that are shared with #`,
  "people.files": relationBetween("people", "borrowed-files", {
    relatedIds: (owner, db) => db.where(files, { owner, state: "live" }).map(({ id }) => id),
    cells: distinctOverPages("apis.files.sharedWithMe({from:f,size:20,page:p++})", "id"),
  })`all files shared with me by # | every file that is shared with me by #
    | all files that I see because they are shared with me by #
    | each file that has been shared with me by # | all those files which are shared with me by #`,
});
