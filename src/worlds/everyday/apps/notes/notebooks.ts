/** Notebooks, colours, the archive and the trash: where an own note stands. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { freeName, line, named, paged, pageOf, paging, same } from "../shared.ts";
import { type Note, notes as rows } from "../tables.ts";
import { aNote } from "./examples.ts";
import { id, noteBy, noteItem, view } from "./index.ts";
import { COLOURS, type Notebook, type NoteState, notebooks, traits } from "./tables.ts";
import { activeNotes, activeShares, isActive, setTraits, traitsOf } from "./traits.ts";

const bookItem = z.strictObject({ name: z.string(), size: z.int() });
const bookView = (db: Reader) => (row: Notebook) => ({
  name: row.name,
  size: db.where(traits, { notebook: row.id }).filter(({ note }) => db.get(rows, note)).length,
});
const notebook = line("name of the notebook");
const aBook = (db: Reader) => db.all(notebooks)[0]?.name ?? "Home";

const list = defineApi({
  summary: "List notebooks with their number of notes, archived and trashed ones included.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(bookItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(notebooks), page, bookView(db)),
});

const addNotebook = defineApi({
  summary: "Add an empty notebook.",
  params: z.strictObject({ name: line("name of the new notebook") }),
  returns: bookItem,
  example: () => ({ name: "Holidays of next year" }),
  handler: ({ db }, { name }) => {
    freeName(db, notebooks, name);
    return bookView(db)(db.insert(notebooks, { name }));
  },
});

const renameNotebook = defineApi({
  summary: "Change a notebook's name.",
  params: z.strictObject({ notebook, name: line("the new name") }),
  returns: bookItem,
  example: (db) => ({ notebook: aBook(db), name: "Another name" }),
  handler: ({ db }, args) => {
    const row = named(db, notebooks, args.notebook, "notebook");
    freeName(db, notebooks, args.name, row.id);
    return bookView(db)(db.update(notebooks, row.id, { name: args.name }));
  },
});

const removeNotebook = defineApi({
  summary: "Remove an empty notebook.",
  params: z.strictObject({ notebook }),
  returns: bookItem,
  example: (db) => ({
    notebook: db.all(notebooks).find((row) => bookView(db)(row).size === 0)?.name ?? aBook(db),
  }),
  handler: ({ db }, args) => {
    const row = named(db, notebooks, args.notebook, "notebook");
    const removed = bookView(db)(row);
    if (removed.size > 0) {
      throw new ApiError(
        409,
        `notebook: expected an empty one, "${row.name}" has ${removed.size} notes; notes.takeOut first`,
      );
    }
    db.remove(notebooks, row.id);
    return removed;
  },
});

const putIn = defineApi({
  summary: "Put a note into a notebook, out of the one where it was.",
  params: z.strictObject({ id, notebook }),
  returns: noteItem,
  example: (db) => ({
    id: aNote(db, (row) => traitsOf(db, row.id).notebook === null),
    notebook: aBook(db),
  }),
  handler: ({ db }, args) => {
    const note = noteBy(db, args.id);
    const book = named(db, notebooks, args.notebook, "notebook");
    if (traitsOf(db, note.id).notebook === book.id) {
      throw new ApiError(409, `notebook: note ${note.id} is already in "${book.name}"`);
    }
    setTraits(db, note.id, { notebook: book.id });
    return view(note);
  },
});

const takeOut = defineApi({
  summary: "Take a note out of its notebook.",
  params: z.strictObject({ id }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db, (row) => traitsOf(db, row.id).notebook !== null) }),
  handler: ({ db }, args) => {
    const note = noteBy(db, args.id);
    if (traitsOf(db, note.id).notebook === null) {
      throw new ApiError(409, `id: note ${note.id} is in no notebook`);
    }
    setTraits(db, note.id, { notebook: null });
    return view(note);
  },
});

const colour = defineApi({
  summary: "Give a note a colour; plain takes it off.",
  params: z.strictObject({ id, colour: z.enum(COLOURS).describe("the new colour") }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db), colour: "blue" as const }),
  handler: ({ db }, { id, colour }) => {
    const note = noteBy(db, id);
    setTraits(db, note.id, { colour });
    return view(note);
  },
});

// --- lists ---

const overviewItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  notebook: z.string().nullable(),
  colour: z.enum(COLOURS),
  size: z.int(),
  tag: z.string().nullable(),
});

const overviewView = (db: Reader) => (row: Note) => {
  const { notebook, colour } = traitsOf(db, row.id);
  const book = notebook === null ? null : (db.get(notebooks, notebook)?.name ?? null);
  return {
    title: row.title,
    id: row.id,
    notebook: book,
    colour,
    size: row.text.length,
    tag: row.tag,
  };
};

const SORTS = {
  oldest: (a: Note, b: Note) => a.id - b.id,
  newest: (a: Note, b: Note) => b.id - a.id,
  title: (a: Note, b: Note) => (a.title < b.title ? -1 : a.title > b.title ? 1 : a.id - b.id),
  longest: (a: Note, b: Note) => b.text.length - a.text.length || a.id - b.id,
};

const overview = defineApi({
  summary:
    "List notes with notebook, colour and size in characters; archived and trashed are left out.",
  params: z.strictObject({
    notebook: line("only in this notebook").optional(),
    colour: z.enum(COLOURS).optional().describe("only of this colour"),
    shared: z.boolean().optional().describe("only shared ones, or only others"),
    sort: z.enum(["oldest", "newest", "title", "longest"]).default("oldest").describe("order"),
    ...paging,
  }),
  returns: pageOf(overviewItem),
  example: (db) => ({ notebook: aBook(db), sort: "longest" as const }),
  handler: ({ db }, { notebook, colour, shared, sort, ...page }) => {
    const book = notebook === undefined ? undefined : named(db, notebooks, notebook, "notebook").id;
    const fits = ({ id }: Note) => {
      const own = traitsOf(db, id);
      if (book !== undefined && own.notebook !== book) return false;
      if (colour !== undefined && own.colour !== colour) return false;
      return shared === undefined || activeShares(db, { note: id }).length > 0 === shared;
    };
    const found = activeNotes(db).filter(fits).sort(SORTS[sort]);
    return paged(found, page, overviewView(db));
  },
});

/** The archive and the trash: everything that is in this state, oldest first. */
function stored(state: NoteState, summary: string) {
  return defineApi({
    summary,
    params: z.strictObject({ ...paging }),
    returns: pageOf(overviewItem),
    example: () => ({}),
    handler: ({ db }, page) => {
      const inside = db.where(traits, { state }).flatMap(({ note }) => db.get(rows, note) ?? []);
      return paged(inside.sort(SORTS.oldest), page, overviewView(db));
    },
  });
}

function put(state: NoteState, summary: string) {
  return defineApi({
    summary,
    params: z.strictObject({ id }),
    returns: noteItem,
    example: (db) => ({ id: aNote(db, (row) => isActive(db, row.id) !== (state === "active")) }),
    handler: ({ db }, args) => {
      const note = noteBy(db, args.id);
      const came = traitsOf(db, note.id).state;
      if (came === state) throw new ApiError(409, `id: note ${note.id} is already ${state}`);
      if (state === "trashed" && activeShares(db, { note: note.id }).length > 0) {
        throw new ApiError(409, `id: note ${note.id} is shared; notes.unshare first`);
      }
      setTraits(db, note.id, { state });
      return view(note);
    },
  });
}

// --- notes from notes ---

const duplicate = defineApi({
  summary: "Make a new note with the text and tag of a note.",
  params: z.strictObject({ id, title: line("title of the new note") }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db), title: "The same again" }),
  handler: ({ db }, args) => {
    const { text, tag, title } = noteBy(db, args.id);
    if (same(title, args.title)) {
      throw new ApiError(
        409,
        `title: expected another title than that of the note, got "${title}"`,
      );
    }
    return view(db.insert(rows, { title: args.title, text, tag, pinned: false }));
  },
});

export const notebookApis = {
  notebooks: list,
  addNotebook,
  renameNotebook,
  removeNotebook,
  putIn,
  takeOut,
  colour,
  overview,
  duplicate,
  archive: put("archived", "Put a note into the archive."),
  trash: put("trashed", "Move a note to the trash; a shared one must be unshared first."),
  restore: put("active", "Bring a note back from the archive or the trash."),
  archived: stored("archived", "List archived notes, oldest first."),
  trashed: stored("trashed", "List notes in the trash, oldest first."),
};
