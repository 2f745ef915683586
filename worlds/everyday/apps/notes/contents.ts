/**
 * Defines the APIs of checklists, of replacing words in notes, of earlier texts, of links between notes, and of
 * reminders.
 */

import {
  booleanParam,
  dayParam,
  filterWhere,
  idParam,
  longTextParam,
  orderBy,
  refuseUnless,
  resource,
  rowById,
  shortTextParam,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { requireTodayOrLater } from "../shared.ts";
import { type Note, notes as rows } from "../tables.ts";
import { exampleNoteId } from "./examples.ts";
import { ownNotes } from "./index.ts";
import { noteWithTraits } from "./notebooks.ts";
import { items, noteVersions, traits } from "./tables.ts";
import { activeNotes, changeNote, isActive, readTraits, setTraits } from "./traits.ts";

const checklist = resource({
  noun: "item",
  item: items.item("text", "id", "done"),
  keys: { item: idParam("item of a checklist") },
  hint: "notes.checklist lists them",
});

const exampleChangedNote = (db: Reader) => ({ id: db.all(noteVersions)[0]?.note ?? 1 });

const linkTo = idParam("note that it points to");
const noteLinks = (db: Reader, id: number) => readTraits(db, id).links;

/** Returns the notes to which a note links, or the notes that link to it when `backlinks` is true. */
function linkedNotes(db: Reader, id: number, backlinks: boolean): Note[] {
  const linkingTraits = () => db.all(traits).filter(({ links }) => links.includes(id));
  const ids = backlinks ? linkingTraits().map(({ note }) => note) : noteLinks(db, id);
  return ids.flatMap((other) => db.get(rows, other) ?? []);
}

const reminderItem = rows.item({
  ...rows.fields("title", "id"),
  day: [z.string(), ({ id }, { db }) => readTraits(db, id).day ?? ""],
  time: [z.string(), ({ id }, { db }) => readTraits(db, id).time ?? ""],
});
const reminderDay = (db: Reader, { id }: Note) => readTraits(db, id).day ?? "";

export const contentApis = {
  checklist: checklist.list("List the items of a note's checklist, in their order.", {
    parent: [ownNotes, "note"],
    filters: { done: booleanParam("only ticked ones, or only open ones") },
  }),
  addItem: checklist.add("Add an open item at the end of a note's checklist.", {
    parent: [ownNotes, "note"],
    params: { text: shortTextParam("the item") },
    defaults: { done: false },
    example: { text: "a torch" },
  }),
  tick: checklist.set("Tick an open item of a checklist.", { done: true }, "is already ticked"),
  untick: checklist.set(
    "Open a ticked item of a checklist again.",
    { done: false },
    "is already open",
  ),
  removeItem: checklist.remove("Take an item off a checklist.", { isExample: ({ done }) => done }),
  replace: ownNotes.act("Replace words in a note's text, every time that they occur.", {
    params: {
      old: longTextParam("the words to look for, exactly as they stand there"),
      new: z.string().max(2000).describe("what takes their place"),
    },
    run: (row, args, { db, now }) => {
      refuseUnless(
        row.text.includes(args.old),
        422,
        `old: "${args.old}" does not occur in note ${row.id}`,
      );
      return changeNote(db, row, { text: row.text.replaceAll(args.old, () => args.new) }, now);
    },
    example: (db) => {
      const row = db.get(rows, exampleNoteId(db));
      return { id: row?.id ?? 1, old: row?.text.split(/\s+/)[0] ?? "a", new: "Something" };
    },
  }),
  merge: ownNotes.act(
    "Add the text of a note at the end of another; the first goes to the trash.",
    {
      params: { into: idParam("note that takes the text") },
      run: ({ id, text }, args, { db, now }) => {
        const into = rowById(db, rows, args.into, { noun: "note" });
        refuseUnless(id !== into.id, 422, `into: expected another note, got ${into.id}`);
        const { state } = readTraits(db, id);
        refuseUnless(isActive(db, id), 409, `id: expected an active note, ${id} is ${state}`);
        setTraits(db, id, { state: "trashed" });
        return changeNote(db, into, { text: `${into.text}\n${text}` }, now);
      },
      example: (db) => {
        const [first, second] = activeNotes(db);
        return { id: first?.id ?? 1, into: second?.id ?? 2 };
      },
    },
  ),
  undo: ownNotes.act("Take back the last change of a note's title or text.", {
    run: ({ id }, _, { db }) => {
      const last = db.where(noteVersions, { note: id }).at(-1);
      refuseUnless(last, 409, `id: note ${id} has never been changed`);
      db.remove(noteVersions, last.id);
      return db.update(rows, id, { title: last.title, text: last.text });
    },
    example: exampleChangedNote,
  }),
  link: noteWithTraits.change("Link a note to another.", {
    params: { to: linkTo },
    set: ({ id }, args, { db }) => {
      const to = rowById(db, rows, args.to, { noun: "note", param: "to" }).id;
      refuseUnless(to !== id, 422, `to: expected another note, got ${to}`);
      refuseUnless(!noteLinks(db, id).includes(to), 409, `to: note ${id} links to it already`);
      return { links: [...noteLinks(db, id), to].sort((a, b) => a - b) };
    },
    example: (db) => {
      const [first, ...rest] = activeNotes(db);
      const known = noteLinks(db, first?.id ?? 1);
      return { id: first?.id ?? 1, to: rest.find(({ id }) => !known.includes(id))?.id ?? 2 };
    },
  }),
  unlink: noteWithTraits.change("Take a link from a note to another away.", {
    params: { to: linkTo },
    set: ({ id }, { to }, { db }) => {
      const links = noteLinks(db, id);
      const known = links.join(", ") || "no note";
      refuseUnless(links.includes(to), 404, `to: note ${id} links to ${known}, got ${to}`);
      return { links: links.filter((other) => other !== to) };
    },
    example: (db) => {
      const row = db.all(traits).find(({ links }) => links.length > 0);
      return { id: row?.note ?? 1, to: row?.links[0] ?? 2 };
    },
  }),
  links: ownNotes.list(
    "List the notes to which a note links, or those that link to it, oldest first.",
    {
      params: {
        ...ownNotes.keys,
        back: z.boolean().default(false).describe("the notes that link to it"),
      },
      rows: ({ id, back }, { db, now }) =>
        linkedNotes(db, ownNotes.find({ id }, { db, now }).id, back),
      order: "id",
      example: (db) => ({ id: db.all(traits).find(({ links }) => links.length > 0)?.note ?? 1 }),
    },
  ),
  remind: noteWithTraits.change("Set a reminder for a note, in place of the one that it has.", {
    item: reminderItem,
    params: {
      day: dayParam("the day of the reminder"),
      time: z.iso.time({ precision: -1 }).default("09:00").describe('such as "18:30"'),
    },
    set: (_, { day, time }, { now }) => {
      requireTodayOrLater(day, now, "day");
      return { day, time };
    },
    example: { day: "2026-03-20", time: "18:30" },
  }),
  forget: noteWithTraits.change("Take the reminder off a note.", {
    set: { day: null, time: null },
    already: "has no reminder",
    example: (db) => ({ id: db.all(traits).find(({ day }) => day !== null)?.note ?? 1 }),
  }),
  reminders: ownNotes.list(
    "List notes with a reminder by its day and time; archived and trashed are left out.",
    {
      item: reminderItem,
      rows: (_, { db }) => activeNotes(db).filter((row) => reminderDay(db, row) !== ""),
      filters: {
        day: [
          dayParam("only on this day"),
          filterWhere((row, on, { db }) => reminderDay(db, row) === on),
        ],
        until: [
          dayParam("only on this day or before"),
          filterWhere((row, last, { db }) => reminderDay(db, row) <= last),
        ],
      },
      order: orderBy(
        (row, { db }) => reminderDay(db, row),
        ({ id }, { db }) => readTraits(db, id).time ?? "",
      ),
      example: { until: "2026-04-30" },
    },
  ),
};
