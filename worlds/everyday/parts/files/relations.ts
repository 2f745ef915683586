/** From files to people (with whom they are shared, who paid, who comes, whose they are) and back. */
import { everyoneWhoDoesToEach, jsLiteral, relationBetween, relations } from "bowline/goals";
import type { Reader } from "bowline/world";
import { fileShares, files } from "../../apps/files/tables.ts";
import { people } from "../../apps/tables.ts";
import { oneByOne, throughPages } from "../papers.ts";
import { columnOf, isOwn, sharedWith } from "./words.ts";

/** One shape for several kinds of files, under the names of the kinds. */
const forKinds = <T>(kinds: readonly string[], name: string, make: (from: string) => T) =>
  Object.fromEntries(kinds.map((kind) => [`${kind}.${name}`, make(kind)]));

const readersOf = (from: string) =>
  relationBetween(from, "people", {
    wordsForEach: everyoneWhoDoesToEach("has been given access by me to"),
    relatedIds: (id, db) => sharedWith(db, id),
    cells: throughPages("apis.files.shares({id:f,size:20,page:p++})", "with"),
  })`everyone with whom I share # | the people with whom I share # | all those with whom I share #
    | each person with whom I share # | all people with whom I am sharing #`;

const ownersOf = (from: string) =>
  relationBetween(from, "people", {
    relatedIds: (id, db) => db.get(files, id)?.owner,
    cells: oneByOne("apis.files.stat({id:f}).owner"),
  })`the owners of # | everyone who is the owner of at least one of # | all those who are owners of
    # | the people who own # | each person who owns at least one of #`;

/** Reads a column of every table and looks the names up; the owner is no contact. */
const lookedUp =
  (column: string, where = "") =>
  (from: string, to: string) => {
    const rows = `apis.files.readRows({id:f,${where}size:20,page:p++})`;
    return [
      ...throughPages(rows, `cells[${jsLiteral(column)}]`)(from, `${to}n`),
      `var ${to}=[];for(const n of ${to}n){const c=apis.contacts.find({name:n}).filter(x=>x.name===n);${to}.push(...c.map(x=>x.handle))}print(${to})`,
    ];
  };

/** Only contacts count. */
const idsOf = (db: Reader, names: readonly string[]) =>
  names.flatMap((name) => db.where(people, { name }).map(({ id }) => id));

const guestsWho = (coming: "yes" | "maybe") => ({
  from: "guest-lists",
  to: "people",
  relatedIds: (id: number, db: Reader) => {
    const file = db.get(files, id)!;
    const answers = columnOf(file, "coming");
    return idsOf(
      db,
      columnOf(file, "name").filter((_, i) => answers[i] === coming),
    );
  },
  cells: lookedUp("name", `column:"coming",value:"${coming}",`),
});

export const fileRelations = relations("files", {
  ...forKinds(["files", "cost-tables", "receipts", "guest-lists"], "shared-with", readersOf),
  "cost-tables.payers": relationBetween("cost-tables", "people", {
    relatedIds: (id, db) => idsOf(db, columnOf(db.get(files, id)!, "paid by")),
    cells: lookedUp("paid by"),
  })`everyone but me who paid something according to # | the others who are named as payers in #
    | all contacts in the column "paid by" of # | each contact of mine who paid for something in #
    | all people other than me who can be found among the payers in #`,
  "guest-lists.coming": relationBetween(
    guestsWho("yes"),
  )`everyone who is coming according to # | all those
    with "yes" in the column "coming" of # | the people who said yes according to # | each
    person that has a "yes" for coming in # | all guests whose column "coming" says "yes" in #`,
  "guest-lists.undecided": relationBetween(
    guestsWho("maybe"),
  )`everyone who is still undecided ("maybe")
    according to # | all those with "maybe" in the column "coming" of #
    | the people who only said maybe according to # | each person that has a "maybe" for coming in #
    | all guests whose column "coming" says "maybe" in #`,
  ...forKinds(["borrowed-files", "viewed-files", "editable-files"], "owners", ownersOf),
  "people.shared-files": relationBetween("people", "files", {
    relatedIds: (person, db) =>
      db
        .where(fileShares, { person, status: "active" })
        .map(({ file }) => file)
        .filter((id) => isOwn(db.get(files, id)!)),
    cells: throughPages("apis.files.shares({with:f,size:20,page:p++})", "id"),
  })`all files of mine that I share with # | every file of mine that is shared with #
    | all my own files that I am sharing with #
    | each of my files that I share with # | all those of my files that are shared with #`,
  "people.files": relationBetween("people", "borrowed-files", {
    relatedIds: (owner, db) => db.where(files, { owner, state: "live" }).map(({ id }) => id),
    cells: throughPages("apis.files.sharedWithMe({from:f,size:20,page:p++})", "id"),
  })`all files shared with me by # | every file that is shared with me by #
    | all files that I see because they are shared with me by #
    | each file that has been shared with me by # | all those files which are shared with me by #`,
});
