/**
 * Collections of notes: active notes, notes about costs, with a checklist or with a reminder, archived notes, and notes
 * of other people.
 */
import { defineCollection, nouns } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type NoteOfOther, notesOfOthers } from "../../apps/notes/tables.ts";
import { isActive, readTraits } from "../../apps/notes/traits.ts";
import { handleOf } from "../../apps/shared.ts";
import { type Note, notes } from "../../apps/tables.ts";
import { drawRoleClause, drawWordClause } from "../files-notes-todos.ts";
import { columnsByArgument, columnsByItem, textContainsPhrase } from "./columns.ts";
import { notesByTitle } from "./notes-by-title.ts";

const isActiveNote = ({ id }: Note, db: Reader) => isActive(db, id);
const NOTES_COLLECTION = {
  kind: "notes",
  app: "notes",
  table: notes,
  includes: isActiveNote,
  columns: columnsByItem,
} as const;

const ownNoteNouns = nouns`note(s) of mine | note(s) owned by me
  | note that is not archived / notes that are not archived | note(s) in my notes app
  | note(s) of my own`;

const collectionOfTag = (tag: string) => ({
  includes: (row: Note, db: Reader) => isActiveNote(row, db) && row.tag === tag,
  nouns: nouns`note(s) tagged "${tag}" | note(s) with the tag "${tag}"
    | note that is tagged "${tag}" / notes that are tagged "${tag}" | note that has
    the tag "${tag}" / notes that have the tag "${tag}" | note(s) of mine with the tag "${tag}"`,
  list: { api: "list", args: `tag:"${tag}"` },
  allowsWhole: true,
});

const noteTitle = notesByTitle.makeTitle(
  "note",
  "Brass Dragon | Moon diary | Plan for the Velvet Pagoda | Yacht list",
);

/** Returns, in cents, the amount that everyone gives according to the text of a note. */
const shareCentsInText = ({ text }: NoteOfOther) =>
  Math.round(100 * Number(/gives \$(\d+\.\d\d)/.exec(text)?.[1] ?? 0));

export const noteCollections = [
  defineCollection<Note>({
    ...NOTES_COLLECTION,
    nouns: ownNoteNouns,
    list: "list",
    clauses: "tag pinned says linked shared",
    fields: "title people",
    title: noteTitle,
  }),
  defineCollection<Note>({
    ...NOTES_COLLECTION,
    name: "sized-notes",
    nouns: ownNoteNouns,
    list: "list",
    allowsWhole: true,
    columns: columnsByArgument,
    clauses: "notebook colour long untagged shared",
    fields: "title size",
  }),
  defineCollection<Note>({
    ...NOTES_COLLECTION,
    ...collectionOfTag("costs"),
    name: "cost-notes",
    clauses: "payer says pinned shared",
    fields: "title total",
  }),
  defineCollection<Note>({
    ...NOTES_COLLECTION,
    ...collectionOfTag("checklist"),
    kind: "checklist-notes",
    clauses: "says shared open-items linked",
    fields: "title things",
    title: noteTitle,
  }),
  defineCollection<Note>({
    ...NOTES_COLLECTION,
    kind: "reminders",
    includes: (row, db) => isActiveNote(row, db) && readTraits(db, row.id).day !== null,
    nouns: nouns`note(s) with a reminder | note that has a reminder / notes that have a reminder
      | note(s) of mine with a reminder
      | note(s) of my own with a reminder | note(s) for which I have set a reminder`,
    list: "reminders",
    allowsWhole: true,
    clauses: "until from time says",
    fields: "title day",
  }),
  defineCollection<Note>({
    ...NOTES_COLLECTION,
    kind: "archived-notes",
    includes: ({ id }, db) => readTraits(db, id).state === "archived",
    nouns: nouns`archived note(s) | note(s) in the archive | note(s) in my archive | note(s) lying
      in the archive | note(s) that I have archived`,
    list: "archived",
    allowsWhole: true,
    clauses: "long colour notebook says",
    fields: "title size",
  }),
  defineCollection<NoteOfOther>({
    kind: "borrowed-notes",
    app: "notes",
    table: notesOfOthers,
    includes: ({ left }) => !left,
    nouns: nouns`note(s) shared with me | note(s) that others share with me
      | note of others that is shared with me / notes of others that are shared with me
      | note(s) shared with me by others | note(s) which others have shared with me`,
    list: "fromOthers",
    allowsWhole: true,
    columns: ({ drawnClause, money, person, superlatives, text }) => ({
      from: person(
        (row) => row.person,
        (handle) => ({ args: `from:${handle}` }),
      )`from $ | of $ | that belong to $ | whose owner is $ | which $ wrote`,
      role: drawnClause(drawRoleClause(({ role }) => role)),
      says: drawnClause(
        drawWordClause(
          ({ text }) => text,
          "apis.notes.readShared({id:x.id}).text",
          textContainsPhrase,
        ),
      ),
      title: text((row) => row.title, { item: "title", noun: "title" }),
      owner: text((row, db) => handleOf(db, row.person), { item: "from", noun: "owner's handle" }),
      share: money(
        shareCentsInText,
        {
          code: "Number((apis.notes.readShared({id:x.id}).text.match(/gives \\$(\\d+\\.\\d\\d)/)||[0,0])[1])",
          noun: "amount that everyone gives",
        },
        superlatives`most expensive / cheapest | costliest / cheapest
          | most expensive / least expensive | most expensive / cheapest
          | priciest / cheapest`,
      ),
    }),
  }),
];
