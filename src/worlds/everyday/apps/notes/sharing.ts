/** Roles of those with whom own notes are shared, and the notes of others that are shared with the owner. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  given,
  handle,
  handleOf,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
  prose,
} from "../shared.ts";
import { people, notes as rows, type Share } from "../tables.ts";
import { id, noteBy, noteItem, view } from "./index.ts";
import { type Borrowed, borrowed, NOTE_ROLES, type NoteRole } from "./tables.ts";
import { activeShares, roleOf, setShareRole } from "./traits.ts";

const role = z.enum(NOTE_ROLES).describe("editors may change the text");
const who = handle("with whom it is shared");

const shareItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  name: z.string(),
  handle: z.string(),
  role: z.enum(NOTE_ROLES),
});

const shareView = (db: Reader) => (row: Share) => ({
  title: db.get(rows, row.note)?.title ?? "removed",
  id: row.note,
  name: db.get(people, row.person)?.name ?? "removed",
  handle: handleOf(db, row.person),
  role: asRole(roleOf(db, row.id)),
});

const asRole = (role: NoteRole | "none"): NoteRole => (role === "editor" ? "editor" : "viewer");

function shareBy(db: Reader, id: number, came: string): Share {
  const note = noteBy(db, id);
  const person = personBy(db, came, "person");
  const [row] = activeShares(db, { note: note.id, person: person.id });
  if (row) return row;
  throw new ApiError(
    404,
    `person: note ${id} is not shared with "${came}"; notes.sharedWith lists them`,
  );
}

/** A note and person of an active share. */
function aShare(db: Reader): { id: number; person: string } {
  const [row] = activeShares(db, {});
  return { id: row?.note ?? 1, person: row ? handleOf(db, row.person) : "amara.o" };
}

const sharedWith = defineApi({
  summary: "List with whom notes are shared and as what, in the order of sharing.",
  params: z.strictObject({
    id: id.optional().describe("only of this note"),
    person: handle("only with this person").optional(),
    role: role.optional(),
    ...paging,
  }),
  returns: pageOf(shareItem),
  example: (db) => ({ id: aShare(db).id }),
  handler: ({ db }, { id, person, role, ...page }) => {
    const match = given({ note: id, person: personId(db, person, "person") });
    if (id !== undefined) noteBy(db, id);
    const found = activeShares(db, match).filter(
      (row) => role === undefined || roleOf(db, row.id) === role,
    );
    return paged(found, page, shareView(db));
  },
});

const setRole = defineApi({
  summary: "Change what a person with whom a note is shared may do.",
  params: z.strictObject({ id, person: who, role }),
  returns: shareItem,
  example: (db) => {
    const share = aShare(db);
    const [row] = activeShares(db, { note: share.id });
    const editor = row !== undefined && roleOf(db, row.id) === "editor";
    return { ...share, role: editor ? ("viewer" as const) : ("editor" as const) };
  },
  handler: ({ db }, { id, person, role }) => {
    const row = shareBy(db, id, person);
    if (roleOf(db, row.id) === role)
      throw new ApiError(409, `role: "${person}" is ${role} already`);
    setShareRole(db, row.id, role);
    return shareView(db)(row);
  },
});

const unshare = defineApi({
  summary: "Stop sharing a note with a person.",
  params: z.strictObject({ id, person: who }),
  returns: noteItem,
  example: (db) => aShare(db),
  handler: ({ db }, { id, person }) => {
    setShareRole(db, shareBy(db, id, person).id, "none");
    return view(noteBy(db, id));
  },
});

// --- notes of others ---

const shared = idOf("note of another");

const borrowedItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  from: z.string(),
  role: z.enum(NOTE_ROLES),
});

const borrowedView = (db: Reader) => (row: Borrowed) => ({
  title: row.title,
  id: row.id,
  from: handleOf(db, row.person),
  role: row.role,
});

function borrowedBy(db: Reader, id: number): Borrowed {
  const row = db.get(borrowed, id);
  if (row && !row.left) return row;
  throw new ApiError(404, `id: no note of another with id ${id}; notes.fromOthers lists them`);
}

const aBorrowed = (db: Reader, role: NoteRole) =>
  db.where(borrowed, { role, left: false })[0]?.id ?? 1;

const fromOthers = defineApi({
  summary:
    "List notes that others share with you, oldest first; their ids are not those of own notes.",
  params: z.strictObject({
    from: handle("only of this person").optional(),
    role: role.optional().describe("only those where you are this"),
    ...paging,
  }),
  returns: pageOf(borrowedItem),
  example: () => ({ role: "viewer" as const }),
  handler: ({ db }, { from, role, ...page }) => {
    const match = given({ person: personId(db, from, "from"), role });
    return paged(db.where(borrowed, { ...match, left: false }), page, borrowedView(db));
  },
});

const readShared = defineApi({
  summary: "Show a note of another with its text.",
  params: z.strictObject({ id: shared }),
  returns: z.strictObject({ ...borrowedItem.shape, text: z.string() }),
  example: (db) => ({ id: aBorrowed(db, "viewer") }),
  handler: ({ db }, { id }) => {
    const row = borrowedBy(db, id);
    return { ...borrowedView(db)(row), text: row.text };
  },
});

const editShared = defineApi({
  summary: "Replace the text of a note of another, where you are an editor.",
  params: z.strictObject({ id: shared, text: prose("the new text") }),
  returns: borrowedItem,
  example: (db) => ({ id: aBorrowed(db, "editor"), text: "Agreed." }),
  handler: ({ db }, { id, text }) => {
    const row = borrowedBy(db, id);
    if (row.role === "viewer") {
      const whose = handleOf(db, row.person);
      throw new ApiError(
        403,
        `id: expected a note that you may edit, "${row.title}" of "${whose}" is for viewing only; notes.copyShared makes one of your own`,
      );
    }
    return borrowedView(db)(db.update(borrowed, id, { text }));
  },
});

const copyShared = defineApi({
  summary: "Make an own note with title and text of a note of another.",
  params: z.strictObject({ id: shared, tag: line("the tag, old or new").optional() }),
  returns: noteItem,
  example: (db) => ({ id: aBorrowed(db, "viewer") }),
  handler: ({ db }, { id, tag }) => {
    const { title, text } = borrowedBy(db, id);
    return view(db.insert(rows, { title, text, tag: tag ?? null, pinned: false }));
  },
});

const leaveShared = defineApi({
  summary: "Leave a note of another; you see it no longer.",
  params: z.strictObject({ id: shared }),
  returns: borrowedItem,
  example: (db) => ({ id: aBorrowed(db, "viewer") }),
  handler: ({ db }, { id }) =>
    borrowedView(db)(db.update(borrowed, borrowedBy(db, id).id, { left: true })),
});

export const sharingApis = {
  sharedWith,
  setRole,
  unshare,
  fromOthers,
  readShared,
  editShared,
  copyShared,
  leaveShared,
};
