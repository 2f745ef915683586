/** Notes: a title, a text, at most one tag. They belong to the owner until they are shared. */

import {
  asIs,
  countOf,
  either,
  line,
  listing,
  must,
  prose,
  resource,
  someOf,
  tally,
} from "bowline/resources";
import { defineApp, z } from "bowline/world";
import { handle, receiver, someHandle } from "../shared.ts";
import { type Note, notes as rows, shares } from "../tables.ts";
import { aNote, aTag } from "./examples.ts";

export const noteItem = rows.item("title", "id", "tag", "pinned");
/** How many people see it, each app says for itself. */
export const wholeItem = rows.item({
  ...rows.fields("title", "id", "text", "tag", "pinned"),
  shared: countOf(shares, "note"),
});

export const ownNotes = resource({
  noun: "note",
  item: noteItem,
  example: (db, fits) => ({ id: aNote(db, fits) }),
});

/** Tags in alphabetical order with their number of notes. */
export function tagSizes(found: readonly Note[]): { name: string; size: number }[] {
  return tally(found.flatMap(({ tag }) => tag ?? [])).map(([name, size]) => ({ name, size }));
}
export const tagItem = asIs({ name: z.string(), size: z.int() });

/** What `update` takes, and refuses when there is none of it. */
export const newTexts = {
  params: {
    title: line("the new title").optional(),
    text: prose("the new text").optional(),
  },
  check: ({ title, text }: { title?: string | undefined; text?: string | undefined }) =>
    someOf({ title, text }),
  example: { title: "A better title" },
};
export const filters = {
  tag: line("only with this tag"),
  pinned: either("only pinned ones, or only others"),
};

export const notes = defineApp({
  name: "notes",
  summary: "The owner's notes.",
  tables: [rows, shares],
  apis: {
    list: ownNotes.list("List notes, oldest first.", {
      filters,
      example: (db) => ({ tag: aTag(db) }),
    }),
    show: ownNotes.show("Show a note with its text and with how many people it is shared.", {
      item: wholeItem,
    }),
    search: ownNotes.list("Search titles and texts of notes, oldest first.", {
      words: ["title", "text"],
      example: { query: "the" },
    }),
    tags: listing("List tags with their number of notes.", {
      item: tagItem,
      rows: (_, { db }) => tagSizes(db.all(rows)),
      order: "name",
    }),
    add: ownNotes.add("Add a note.", {
      params: {
        title: line("the title"),
        text: prose("the text"),
        tag: line("the tag, old or new").optional(),
      },
      plain: { tag: null, pinned: false },
      example: { title: "Boat hire", text: "It is $40 a day.", tag: "ideas" },
    }),
    update: ownNotes.change("Replace a note's title or text.", newTexts),
    append: ownNotes.change("Add a line at the end of a note's text.", {
      params: { text: prose("the new line") },
      set: (row, { text }) => ({ text: `${row.text}\n${text}` }),
      example: { text: "One line more." },
    }),
    pin: ownNotes.set("Pin a note.", { pinned: true }),
    unpin: ownNotes.set("Unpin a note.", { pinned: false }),
    tag: ownNotes.change("Tag a note, in place of its old tag.", {
      params: { tag: line("the tag, old or new") },
      fits: ({ tag }) => tag === null,
      example: { tag: "ideas" },
    }),
    untag: ownNotes.set("Take the tag off a note.", { tag: null }),
    share: ownNotes.act("Share a note with a contact.", {
      params: { to: handle("with whom") },
      run: ({ id: note }, { to }, { db }) => {
        const { id: person, handle } = receiver(db, to, "to");
        const known = db.where(shares, { note, person }).length > 0;
        must(!known, 409, `to: note ${note} is already shared with "${handle}"`);
        db.insert(shares, { note, person });
      },
      example: (db) => ({ id: aNote(db), to: someHandle(db) }),
    }),
    remove: ownNotes.remove("Remove a note; a shared one cannot be removed.", {
      unless: ({ id }, _, { db }) => {
        const shared = db.where(shares, { note: id }).length > 0;
        must(!shared, 409, `id: note ${id} is shared; expected one that is not`);
      },
    }),
  },
});
