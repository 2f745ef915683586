/** Notes as sets: the active ones, about costs, with a checklist or a reminder; archived ones; those of others. */
import { defineCollection, nouns } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type NoteOfOther, notesOfOthers } from "../../apps/notes/tables.ts";
import { isActive, readTraits } from "../../apps/notes/traits.ts";
import { handleOf } from "../../apps/shared.ts";
import { type Note, notes } from "../../apps/tables.ts";
import { inRole, saying } from "../papers.ts";
import { asked, textSays, told } from "./columns.ts";
import { notesByTitle } from "./words.ts";

const active = ({ id }: Note, db: Reader) => isActive(db, id);
const NOTES = {
  kind: "notes",
  app: "notes",
  table: notes,
  includes: active,
  columns: told,
} as const;

const own = nouns`note(s) of mine | own note(s) | note that is not archived / notes that are not
  archived | note(s) in my notes app | note(s) of my own`;

const tagged = (tag: string) => ({
  includes: (row: Note, db: Reader) => active(row, db) && row.tag === tag,
  nouns: nouns`note(s) tagged "${tag}" | note(s) with the tag "${tag}"
    | note that is tagged "${tag}" / notes that are tagged "${tag}" | note that has
    the tag "${tag}" / notes that have the tag "${tag}" | note(s) of mine with the tag "${tag}"`,
  list: { api: "list", args: `tag:"${tag}"` },
  allowsWhole: true,
});

const title = notesByTitle.title(
  "note",
  "Brass Dragon | Moon diary | Plan for the Velvet Pagoda | Yacht list",
);

/** What everyone gives, in cents, as the text says. */
const shareIn = ({ text }: NoteOfOther) =>
  Math.round(100 * Number(/gives \$(\d+\.\d\d)/.exec(text)?.[1] ?? 0));

export const noteCollections = [
  defineCollection<Note>({
    ...NOTES,
    nouns: own,
    list: "list",
    clauses: "tag pinned says linked shared",
    fields: "title people",
    title,
  }),
  defineCollection<Note>({
    ...NOTES,
    name: "sized-notes",
    nouns: own,
    list: "overview",
    allowsWhole: true,
    columns: asked,
    clauses: "notebook colour long untagged shared",
    fields: "title size",
  }),
  defineCollection<Note>({
    ...NOTES,
    ...tagged("costs"),
    name: "cost-notes",
    clauses: "payer says pinned shared",
    fields: "title total",
  }),
  defineCollection<Note>({
    ...NOTES,
    ...tagged("checklist"),
    kind: "checklist-notes",
    clauses: "says shared open-items linked",
    fields: "title things",
    title,
  }),
  defineCollection<Note>({
    ...NOTES,
    kind: "reminders",
    includes: (row, db) => active(row, db) && readTraits(db, row.id).day !== null,
    nouns: nouns`note(s) with a reminder | note that has a reminder / notes that have a reminder
      | note(s) of mine with a reminder
      | note(s) for which a reminder is set | note(s) that I have set a reminder for`,
    list: "reminders",
    allowsWhole: true,
    clauses: "until from time says",
    fields: "title day",
  }),
  defineCollection<Note>({
    ...NOTES,
    kind: "archived-notes",
    includes: ({ id }, db) => readTraits(db, id).state === "archived",
    nouns: nouns`archived note(s) | note(s) in the archive | note(s) in my archive | note that lies
      in the archive / notes that lie in the archive | note(s) that I have archived`,
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
      | note(s) that somebody shares with me | note(s) which others have shared with me`,
    list: "fromOthers",
    allowsWhole: true,
    columns: ({ drawnClause, money, person, superlatives, text }) => ({
      from: person(
        (row) => row.person,
        (handle) => ({ args: `from:${handle}` }),
      )`from $ | of $ | that belong to $ | whose owner is $ | which $ wrote`,
      role: drawnClause(inRole(({ role }) => role)),
      says: drawnClause(
        saying(({ text }) => text, "apis.notes.readShared({id:x.id}).text", textSays),
      ),
      title: text((row) => row.title, { item: "title", noun: "title" }),
      owner: text((row, db) => handleOf(db, row.person), { item: "from", noun: "owner's handle" }),
      share: money(
        shareIn,
        {
          code: "Number((apis.notes.readShared({id:x.id}).text.match(/gives \\$(\\d+\\.\\d\\d)/)||[0,0])[1])",
          noun: "amount that everyone gives",
        },
        superlatives`dearest / cheapest | most expensive / least expensive | costliest / least costly
          | priciest (for each of us) / least pricey (for each of us)
          | most costly / lowest-priced`,
      ),
    }),
  }),
];
