/**
 * Defines the APIs that put the owner's notes into notebooks, into the archive and into the trash, and that set their
 * colours.
 */

import {
  booleanParam,
  descending,
  equalIgnoringCase,
  filterWhere,
  filterWhether,
  orderBy,
  refuseUnless,
  resource,
  rowByName,
  shortTextParam,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { notes as rows } from "../tables.ts";
import { exampleNoteId } from "./examples.ts";
import { filters, ownNotes } from "./index.ts";
import { COLOURS, type NoteState, notebooks, traits } from "./tables.ts";
import { activeNotes, activeShares, isActive, readTraits, setTraits } from "./traits.ts";

const countNotesIn = (db: Reader, notebook: number) =>
  db.where(traits, { notebook }).filter(({ note }) => db.get(rows, note)).length;
const notebook = shortTextParam("name of the notebook");
const exampleNotebook = (db: Reader) => db.all(notebooks)[0]?.name ?? "Home";

const notebookResource = resource({
  noun: "notebook",
  item: notebooks.item({
    name: z.string(),
    size: [z.int(), ({ id }, { db }) => countNotesIn(db, id)],
  }),
  keys: { notebook },
  keyIsName: true,
  example: (db, fits) => ({ notebook: db.all(notebooks).find(fits)?.name ?? exampleNotebook(db) }),
});

/** The owner's notes. Changes by the APIs of this resource are written into the note's traits. */
export const noteWithTraits = resource({
  noun: "note",
  item: ownNotes.item,
  save: (row, patch: Parameters<typeof setTraits>[2], db) => {
    setTraits(db, row.id, patch);
    return row;
  },
  state: ({ id }, db) => readTraits(db, id),
  example: (db, fits) => ({ id: exampleNoteId(db, fits) }),
});

const overviewItem = rows.item({
  ...rows.fields("title", "id"),
  notebook: [
    z.string().nullable(),
    ({ id }, { db }) => db.get(notebooks, readTraits(db, id).notebook ?? 0)?.name ?? null,
  ],
  colour: [z.enum(COLOURS), ({ id }, { db }) => readTraits(db, id).colour],
  size: [z.int(), ({ text }) => text.length],
  ...rows.fields("tag", "pinned"),
});

/** Makes an API that lists the notes in this state, oldest first. */
function stateListApi(state: NoteState, summary: string) {
  return ownNotes.list(summary, {
    item: overviewItem,
    rows: (_, { db }) =>
      db.where(traits, { state }).flatMap(({ note }) => db.get(rows, note) ?? []),
    order: "id",
  });
}

function setStateApi(state: NoteState, summary: string) {
  return noteWithTraits.change(summary, {
    set: { state },
    already: `is already ${state}`,
    checkRow: ({ id }, _, { db }) => {
      const shared = state === "trashed" && activeShares(db, { note: id }).length > 0;
      refuseUnless(!shared, 409, `id: note ${id} is shared; notes.unshare first`);
    },
    isExample: ({ id }, db) => isActive(db, id) !== (state === "active"),
  });
}

export const notebookApis = {
  notebooks: notebookResource.list(
    "List notebooks with their number of notes, archived and trashed ones included.",
  ),
  addNotebook: notebookResource.add("Add an empty notebook.", {
    params: { name: shortTextParam("name of the new notebook") },
    example: { name: "Holidays of next year" },
  }),
  renameNotebook: notebookResource.change("Change a notebook's name.", {
    params: { name: shortTextParam("the new name") },
    example: { name: "Another name" },
  }),
  removeNotebook: notebookResource.remove("Remove an empty notebook.", {
    checkRow: ({ id, name }, _, { db }) => {
      const size = countNotesIn(db, id);
      const contents = `"${name}" has ${size} notes; notes.takeOut first`;
      refuseUnless(size === 0, 409, `notebook: expected an empty one, ${contents}`);
    },
    isExample: ({ id }, db) => countNotesIn(db, id) === 0,
  }),
  putIn: noteWithTraits.change("Put a note into a notebook, out of the one where it was.", {
    params: { notebook },
    set: ({ id }, args, { db }) => {
      const book = rowByName(db, notebooks, args.notebook, "notebook");
      const inside = readTraits(db, id).notebook === book.id;
      refuseUnless(!inside, 409, `notebook: note ${id} is already in "${book.name}"`);
      return { notebook: book.id };
    },
    example: (db) => ({
      id: exampleNoteId(db, ({ id }) => readTraits(db, id).notebook === null),
      notebook: exampleNotebook(db),
    }),
  }),
  takeOut: noteWithTraits.set(
    "Take a note out of its notebook.",
    { notebook: null },
    "is in no notebook",
  ),
  colour: noteWithTraits.change("Give a note a colour; plain takes it off.", {
    params: { colour: z.enum(COLOURS).describe("the new colour") },
    example: { colour: "blue" },
  }),
  list: ownNotes.list(
    "List notes with notebook, colour and size in characters; archived and trashed ones are left out.",
    {
      item: overviewItem,
      rows: (_, { db }) => activeNotes(db),
      filters: {
        ...filters,
        notebook: [
          shortTextParam("only in this notebook"),
          (name, { db }) => {
            const book = rowByName(db, notebooks, name, "notebook").id;
            return ({ id }) => readTraits(db, id).notebook === book;
          },
        ],
        colour: [
          z.enum(COLOURS).describe("only of this colour"),
          filterWhere(({ id }, colour, { db }) => readTraits(db, id).colour === colour),
        ],
        shared: [
          booleanParam("only shared ones, or only others"),
          filterWhether(({ id }, { db }) => activeShares(db, { note: id }).length > 0),
        ],
      },
      sorts: {
        oldest: "id",
        newest: "-id",
        title: "title",
        longest: orderBy(descending(({ text }) => text.length)),
      },
      example: (db) => ({ notebook: exampleNotebook(db), sort: "longest" }),
    },
  ),
  duplicate: ownNotes.act("Make a new note with the text and tag of a note.", {
    params: { title: shortTextParam("title of the new note") },
    run: ({ title: old, text, tag }, { title }, { db }) => {
      const isNewTitle = !equalIgnoringCase(old, title);
      refuseUnless(
        isNewTitle,
        409,
        `title: expected another title than that of the note, got "${old}"`,
      );
      return db.insert(rows, { title, text, tag, pinned: false });
    },
    example: { title: "The same again" },
  }),
  archive: setStateApi("archived", "Put a note into the archive."),
  trash: setStateApi("trashed", "Move a note to the trash; a shared one must be unshared first."),
  restore: setStateApi("active", "Bring a note back from the archive or the trash."),
  archived: stateListApi("archived", "List archived notes, oldest first."),
  trashed: stateListApi("trashed", "List notes in the trash, oldest first."),
};
