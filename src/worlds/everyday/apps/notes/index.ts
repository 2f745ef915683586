/** Notes: a title, a text, at most one tag. They belong to the owner until they are shared. */
import { z } from "zod";
import {
  ApiError,
  type CallContext,
  defineApi,
  defineApp,
  type Reader,
} from "../../../../world/index.ts";
import {
  contains,
  given,
  handle,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  prose,
  query,
  receiver,
  rowBy,
} from "../shared.ts";
import { type Note, notes as rows, shares } from "../tables.ts";
import { aNote, aTag, someone } from "./examples.ts";

export const noteItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  tag: z.string().nullable(),
  pinned: z.boolean(),
});

export const view = ({ title, id, tag, pinned }: Note) => ({ title, id, tag, pinned });

export const id = idOf("note");

export function noteBy(db: Reader, id: number): Note {
  return rowBy(db, rows, id, "note");
}

const list = defineApi({
  summary: "List notes, oldest first.",
  params: z.strictObject({
    tag: line("only with this tag").optional(),
    pinned: z.boolean().optional().describe("only pinned ones, or only others"),
    ...paging,
  }),
  returns: pageOf(noteItem),
  example: (db) => ({ tag: aTag(db) }),
  handler: ({ db }, { tag, pinned, ...page }) =>
    paged(db.where(rows, given({ tag, pinned })), page, view),
});

const show = defineApi({
  summary: "Show a note with its text and with how many people it is shared.",
  params: z.strictObject({ id }),
  returns: z.strictObject({
    title: z.string(),
    id: z.int(),
    text: z.string(),
    tag: z.string().nullable(),
    pinned: z.boolean(),
    shared: z.int(),
  }),
  example: (db) => ({ id: aNote(db) }),
  handler: ({ db }, args) => {
    const { title, id, text, tag, pinned } = noteBy(db, args.id);
    return { title, id, text, tag, pinned, shared: db.where(shares, { note: id }).length };
  },
});

const search = defineApi({
  summary: "Search titles and texts of notes, oldest first.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(noteItem),
  example: () => ({ query: "the" }),
  handler: ({ db }, { query, ...page }) => {
    const hit = (row: Note) => contains(row.title, query) || contains(row.text, query);
    return paged(db.all(rows).filter(hit), page, view);
  },
});

const tags = defineApi({
  summary: "List tags with their number of notes.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), size: z.int() })),
  example: () => ({}),
  handler: ({ db }, page) => {
    const counts = new Map<string, number>();
    for (const { tag } of db.all(rows)) {
      if (tag !== null) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return paged(sorted, page, ([name, size]) => ({ name, size }));
  },
});

const add = defineApi({
  summary: "Add a note.",
  params: z.strictObject({
    title: line("the title"),
    text: prose("the text"),
    tag: line("the tag, old or new").optional(),
  }),
  returns: noteItem,
  example: () => ({ title: "Boat hire", text: "It is $40 a day.", tag: "ideas" }),
  handler: ({ db }, { title, text, tag }) =>
    view(db.insert(rows, { title, text, tag: tag ?? null, pinned: false })),
});

function change({ db }: CallContext, id: number, patch: Partial<Note>) {
  return view(db.update(rows, noteBy(db, id).id, patch));
}

const update = defineApi({
  summary: "Replace a note's title or text.",
  params: z.strictObject({
    id,
    title: line("the new title").optional(),
    text: prose("the new text").optional(),
  }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db), title: "A better title" }),
  handler: (context, { id, ...changes }) => {
    const patch = given(changes);
    if (Object.keys(patch).length === 0) {
      throw new ApiError(422, "title, text: expected at least one of them, got none");
    }
    return change(context, id, patch);
  },
});

const append = defineApi({
  summary: "Add a line at the end of a note's text.",
  params: z.strictObject({ id, text: prose("the new line") }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db), text: "One line more." }),
  handler: (context, { id, text }) =>
    change(context, id, { text: `${noteBy(context.db, id).text}\n${text}` }),
});

const pin = defineApi({
  summary: "Pin a note.",
  params: z.strictObject({ id }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db, ({ pinned }) => !pinned) }),
  handler: (context, { id }) => change(context, id, { pinned: true }),
});

const unpin = defineApi({
  summary: "Unpin a note.",
  params: z.strictObject({ id }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db, ({ pinned }) => pinned) }),
  handler: (context, { id }) => change(context, id, { pinned: false }),
});

const tag = defineApi({
  summary: "Tag a note, in place of its old tag.",
  params: z.strictObject({ id, tag: line("the tag, old or new") }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db, ({ tag }) => tag === null), tag: "ideas" }),
  handler: (context, { id, tag }) => change(context, id, { tag }),
});

const untag = defineApi({
  summary: "Take the tag off a note.",
  params: z.strictObject({ id }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db, ({ tag }) => tag !== null) }),
  handler: (context, { id }) => change(context, id, { tag: null }),
});

const share = defineApi({
  summary: "Share a note with a contact.",
  params: z.strictObject({ id, to: handle("with whom") }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db), to: someone(db) }),
  handler: ({ db }, { id, to }) => {
    const note = noteBy(db, id);
    const person = receiver(db, to, "to");
    if (db.where(shares, { note: id, person: person.id }).length > 0) {
      throw new ApiError(409, `to: note ${id} is already shared with "${person.handle}"`);
    }
    db.insert(shares, { note: id, person: person.id });
    return view(note);
  },
});

const remove = defineApi({
  summary: "Remove a note; a shared one cannot be removed.",
  params: z.strictObject({ id }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db) }),
  handler: ({ db }, { id }) => {
    const note = noteBy(db, id);
    if (db.where(shares, { note: id }).length > 0) {
      throw new ApiError(409, `id: note ${id} is shared; expected one that is not`);
    }
    db.remove(rows, id);
    return view(note);
  },
});

export const notes = defineApp({
  name: "notes",
  summary: "The owner's notes.",
  tables: [rows, shares],
  apis: {
    list,
    show,
    search,
    tags,
    add,
    update,
    append,
    pin,
    unpin,
    tag,
    untag,
    share,
    remove,
  },
});
