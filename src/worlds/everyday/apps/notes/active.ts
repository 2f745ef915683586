/**
 * What full notes do otherwise than the small app: lists leave out archived and trashed notes, a change of text keeps
 * the old one, and a share has a role and can be given again. Parameters and answers are those of the small app and more.
 */
import { z } from "zod";
import { ApiError, defineApi } from "../../../../world/index.ts";
import {
  contains,
  given,
  handle,
  line,
  paged,
  pageOf,
  paging,
  prose,
  query,
  receiver,
} from "../shared.ts";
import { shares } from "../tables.ts";
import { aNote, aTag, someone } from "./examples.ts";
import { id, noteBy, noteItem, view } from "./index.ts";
import { NOTE_ROLES } from "./tables.ts";
import { activeNotes, activeShares, rewrite, roleOf, setShareRole } from "./traits.ts";

const list = defineApi({
  summary: "List notes that are neither archived nor in the trash, oldest first.",
  params: z.strictObject({
    tag: line("only with this tag").optional(),
    pinned: z.boolean().optional().describe("only pinned ones, or only others"),
    ...paging,
  }),
  returns: pageOf(noteItem),
  example: (db) => ({ tag: aTag(db) }),
  handler: ({ db }, { tag, pinned, ...page }) =>
    paged(activeNotes(db, given({ tag, pinned })), page, view),
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
    return { title, id, text, tag, pinned, shared: activeShares(db, { note: id }).length };
  },
});

const search = defineApi({
  summary: "Search titles and texts of notes that are neither archived nor in the trash.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(noteItem),
  example: () => ({ query: "costs" }),
  handler: ({ db }, { query, ...page }) => {
    const rows = activeNotes(db);
    return paged(
      rows.filter(({ title, text }) => contains(title, query) || contains(text, query)),
      page,
      view,
    );
  },
});

const tags = defineApi({
  summary: "List tags with their number of notes that are neither archived nor in the trash.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), size: z.int() })),
  example: () => ({}),
  handler: ({ db }, page) => {
    const counts = new Map<string, number>();
    for (const { tag } of activeNotes(db)) {
      if (tag !== null) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return paged(sorted, page, ([name, size]) => ({ name, size }));
  },
});

const update = defineApi({
  summary: "Replace a note's title or text; what they were is kept as a version.",
  params: z.strictObject({
    id,
    title: line("the new title").optional(),
    text: prose("the new text").optional(),
  }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db), title: "A better title" }),
  handler: ({ db, now }, { id, ...changes }) => {
    const patch = given(changes);
    if (Object.keys(patch).length === 0) {
      throw new ApiError(422, "title, text: expected at least one of them, got none");
    }
    return view(rewrite(db, noteBy(db, id), patch, now));
  },
});

const append = defineApi({
  summary: "Add a line at the end of a note's text; what it was is kept as a version.",
  params: z.strictObject({ id, text: prose("the new line") }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db), text: "One line more." }),
  handler: ({ db, now }, { id, text }) => {
    const note = noteBy(db, id);
    return view(rewrite(db, note, { text: `${note.text}\n${text}` }, now));
  },
});

const share = defineApi({
  summary: "Share a note with a contact.",
  params: z.strictObject({
    id,
    to: handle("with whom"),
    role: z.enum(NOTE_ROLES).default("viewer").describe("editors may change the text"),
  }),
  returns: noteItem,
  example: (db) => ({ id: aNote(db), to: someone(db) }),
  handler: ({ db }, { id, to, role }) => {
    const note = noteBy(db, id);
    const person = receiver(db, to, "to");
    const [old] = db.where(shares, { note: id, person: person.id });
    if (old && roleOf(db, old.id) !== "none") {
      throw new ApiError(409, `to: note ${id} is already shared with "${person.handle}"`);
    }
    const row = old ?? db.insert(shares, { note: id, person: person.id });
    setShareRole(db, row.id, role);
    return view(note);
  },
});

export const activeApis = { list, show, search, tags, update, append, share };
