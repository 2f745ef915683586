/**
 * Defines the notes app of the starter. A note has a title, a text and at most one tag, and belongs to the owner until
 * it is shared.
 */

import {
  booleanParam,
  countReferencingRows,
  defineObjectItem,
  listApi,
  longTextParam,
  refuseUnless,
  requireSomeArgument,
  resource,
  shortTextParam,
  tally,
} from "bowline/resources";
import { defineApp, z } from "bowline/world";
import { exampleHandleWhere, handleParam, requireReceiver } from "../shared.ts";
import { type Note, notes as rows, shares } from "../tables.ts";
import { exampleNoteId, exampleTag } from "./examples.ts";

export const noteItem = rows.item("title", "id", "tag", "pinned");
/**
 * A note with its text. `shared` counts all people with whom it was shared; the full app counts only active shares.
 */
export const noteDetailsItem = rows.item({
  ...rows.fields("title", "id", "text", "tag", "pinned"),
  shared: countReferencingRows(shares, "note"),
});

export const ownNotes = resource({
  noun: "note",
  item: noteItem,
  example: (db, fits) => ({ id: exampleNoteId(db, fits) }),
});

/** Returns the tags of the notes in alphabetical order, each with its number of notes. */
export function countTags(taggedNotes: readonly Note[]): { name: string; size: number }[] {
  return tally(taggedNotes.flatMap(({ tag }) => tag ?? [])).map(([name, size]) => ({ name, size }));
}
export const tagItem = defineObjectItem({ name: z.string(), size: z.int() });

/** The options of the API `update`. A call gives a title, a text or both, and a call with neither is refused. */
export const updateOptions = {
  params: {
    title: shortTextParam("the new title").optional(),
    text: longTextParam("the new text").optional(),
  },
  checkArguments: ({ title, text }: { title?: string | undefined; text?: string | undefined }) =>
    requireSomeArgument({ title, text }),
  example: { title: "A better title" },
};
export const filters = {
  tag: shortTextParam("only with this tag"),
  pinned: booleanParam("only pinned ones, or only others"),
};

export const notes = defineApp({
  name: "notes",
  summary: "The owner's notes.",
  tables: [rows, shares],
  apis: {
    list: ownNotes.list("List notes, oldest first.", {
      filters,
      example: (db) => ({ tag: exampleTag(db) }),
    }),
    show: ownNotes.show("Show a note with its text and with how many people it is shared.", {
      item: noteDetailsItem,
    }),
    search: ownNotes.list("Search titles and texts of notes, oldest first.", {
      searchIn: ["title", "text"],
      example: { query: "the" },
    }),
    tags: listApi("List tags with their number of notes.", {
      item: tagItem,
      rows: (_, { db }) => countTags(db.all(rows)),
      order: "name",
    }),
    add: ownNotes.add("Add a note.", {
      params: {
        title: shortTextParam("the title"),
        text: longTextParam("the text"),
        tag: shortTextParam("the tag, old or new").optional(),
      },
      defaults: { tag: null, pinned: false },
      example: { title: "Boat hire", text: "It is $40 a day.", tag: "ideas" },
    }),
    update: ownNotes.change("Replace a note's title or text.", updateOptions),
    append: ownNotes.change("Add a line at the end of a note's text.", {
      params: { text: longTextParam("the new line") },
      set: (row, { text }) => ({ text: `${row.text}\n${text}` }),
      example: { text: "One line more." },
    }),
    pin: ownNotes.set("Pin a note.", { pinned: true }),
    unpin: ownNotes.set("Unpin a note.", { pinned: false }),
    tag: ownNotes.change("Tag a note, in place of its old tag.", {
      params: { tag: shortTextParam("the tag, old or new") },
      isExample: ({ tag }) => tag === null,
      example: { tag: "ideas" },
    }),
    untag: ownNotes.set("Take the tag off a note.", { tag: null }),
    share: ownNotes.act("Share a note with a contact.", {
      params: { to: handleParam("with whom") },
      run: ({ id: note }, { to }, { db }) => {
        const { id: person, handle } = requireReceiver(db, to, "to");
        const known = db.where(shares, { note, person }).length > 0;
        refuseUnless(!known, 409, `to: note ${note} is already shared with "${handle}"`);
        db.insert(shares, { note, person });
      },
      example: (db) => ({ id: exampleNoteId(db), to: exampleHandleWhere(db) }),
    }),
    remove: ownNotes.remove("Remove a note; a shared one cannot be removed.", {
      checkRow: ({ id }, _, { db }) => {
        const shared = db.where(shares, { note: id }).length > 0;
        refuseUnless(!shared, 409, `id: note ${id} is shared; expected one that is not`);
      },
    }),
  },
});
