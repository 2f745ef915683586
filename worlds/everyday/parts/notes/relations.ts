/** Relations from notes to people, to other notes and to checklist items, and from people to notes. */
import { everyoneWhoDoesToEach, relationBetween, relations } from "bowline/goals";
import type { Reader } from "bowline/world";
import { items, notesOfOthers } from "../../apps/notes/tables.ts";
import { activeShares, readTraits, roleOfShare } from "../../apps/notes/traits.ts";
import { notes } from "../../apps/tables.ts";
import { distinctForEach, distinctOverPages } from "../files-notes-todos.ts";

const checklistItemsRelation = (done: boolean) => ({
  from: "checklist-notes",
  to: done ? "ticked-items" : "check-items",
  relatedIds: (note: number, db: Reader) => db.where(items, { note, done }).map(({ id }) => id),
  cells: distinctOverPages(`apis.notes.checklist({id:f,done:${done},size:20,page:p++})`, "id"),
});

export const noteRelations = relations("notes", {
  "notes.readers": relationBetween("notes", "people", {
    wordsForEach: everyoneWhoDoesToEach("has been given access by me to"),
    relatedIds: (note, db) => activeShares(db, { note }).map(({ person }) => person),
    cells: distinctOverPages("apis.notes.sharedWith({id:f,size:20,page:p++})", "handle"),
  })`everyone with whom I share # | the people with whom I share #
    | all those to whom I have given access to #
    | each person with whom I share # | all people with whom I am sharing #`,
  "notes.editors": relationBetween("notes", "people", {
    relatedIds: (note, db) =>
      activeShares(db, { note })
        .filter(({ id }) => roleOfShare(db, id) === "editor")
        .map(({ person }) => person),
    cells: distinctOverPages(
      'apis.notes.sharedWith({id:f,role:"editor",size:20,page:p++})',
      "handle",
    ),
  })`everyone whom I allow to edit # | the people with the role "editor" for #
    | all those who are editors of #
    | each person who has the role "editor" for # | all people that have been made editors of #`,
  "notes.links": relationBetween("notes", "notes", {
    relatedIds: (id, db) => readTraits(db, id).links.filter((to) => db.get(notes, to)),
    cells: distinctOverPages("apis.notes.links({id:f,size:20,page:p++})", "id"),
  })`all notes to which there is a link from # | every note that can be reached by a link from #
    | all notes that are linked from # | each note to which a link leads from #
    | all those notes that are the target of a link from #`,
  "notes.open-items": relationBetween(
    checklistItemsRelation(false),
  )`all open items on the checklist of #
    | every item that is not ticked yet on the checklist of #
    | all items which are still open on the checklist of # | each item that is
    still to be ticked on the checklist of # | everything that is still open on the checklist of #`,
  "notes.ticked-items": relationBetween(
    checklistItemsRelation(true),
  )`all ticked items on the checklist of #
    | every item that is ticked on the checklist of #
    | all items which have been ticked on the checklist of # | each item that is
    already ticked on the checklist of # | everything that is already ticked on the checklist of #`,
  "borrowed-notes.owners": relationBetween("borrowed-notes", "people", {
    relatedIds: (id, db) => db.get(notesOfOthers, id)?.person,
    cells: distinctForEach("apis.notes.readShared({id:f}).from"),
  })`the owners of # | everyone who is the owner of at least one of # | all those who are owners of
    # | the people who own # | each person who owns at least one of #`,
  "people.shared-notes": relationBetween("people", "notes", {
    relatedIds: (person, db) => activeShares(db, { person }).map(({ note }) => note),
    cells: distinctOverPages("apis.notes.sharedWith({person:f,size:20,page:p++})", "id"),
  })`all notes of mine that I share with # | every note of mine that is shared with # | all my own
    notes that I am sharing with # | each of my notes, archived ones too, that I share with #
    | all those of my notes, archived or not, that are shared with #`,
  "people.notes": relationBetween("people", "borrowed-notes", {
    relatedIds: (person, db) =>
      db.where(notesOfOthers, { person, left: false }).map(({ id }) => id),
    cells: distinctOverPages("apis.notes.fromOthers({from:f,size:20,page:p++})", "id"),
  })`all notes shared with me by # | every note that is shared with me by #
    | all notes that I see because they are shared with me by #
    | each note that has been shared with me by # | all those notes which are shared with me by #`,
});
