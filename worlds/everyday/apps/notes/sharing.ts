/**
 * Defines the APIs of sharing: the roles of people with whom own notes are shared, and the notes of others that are
 * shared with the owner.
 */

import {
  filterWhere,
  idParam,
  longTextParam,
  refuseUnless,
  resource,
  shortTextParam,
  textOfReferencedRow,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  handleField,
  handleOf,
  handleParam,
  nameField,
  personColumnFilter,
  requirePerson,
} from "../shared.ts";
import { notes as rows, shares } from "../tables.ts";
import { ownNotes } from "./index.ts";
import { NOTE_ROLES, type NoteRole, notesOfOthers, type ShareRole } from "./tables.ts";
import { activeShares, roleOfShare, setShareRole } from "./traits.ts";

const role = z.enum(NOTE_ROLES).describe("editors may change the text");

const shareResource = resource({
  noun: "share",
  item: shares.item({
    title: textOfReferencedRow(rows, "note", "title", "removed"),
    id: [z.int(), ({ note }) => note],
    name: nameField,
    handle: handleField,
    role: [
      z.enum(NOTE_ROLES),
      ({ id }, { db }) => (roleOfShare(db, id) === "editor" ? "editor" : "viewer"),
    ],
  }),
  keys: { ...ownNotes.keys, person: handleParam("with whom it is shared") },
  find: ({ id, person: handle }, context) => {
    const note = ownNotes.find({ id }, context).id;
    const person = requirePerson(context.db, handle, "person").id;
    const [row] = activeShares(context.db, { note, person });
    refuseUnless(
      row,
      404,
      `person: note ${id} is not shared with "${handle}"; notes.sharedWith lists them`,
    );
    return row;
  },
  save: (row, { role }: { role: ShareRole["role"] }, db) => {
    setShareRole(db, row.id, role);
    return row;
  },
  example: exampleShare,
});

/** Returns the note and the person of an active share. */
function exampleShare(db: Reader): { id: number; person: string } {
  const [row] = activeShares(db, {});
  return { id: row?.note ?? 1, person: row ? handleOf(db, row.person) : "amara.o" };
}

const sharedNote = resource({
  noun: "note of another",
  item: notesOfOthers.item({
    ...notesOfOthers.fields("title", "id"),
    from: handleField,
    role: z.enum(NOTE_ROLES),
  }),
  find: ({ id }, { db }) => {
    const row = db.get(notesOfOthers, id);
    const hint = "notes.fromOthers lists them";
    refuseUnless(row && !row.left, 404, `id: no note of another with id ${id}; ${hint}`);
    return row;
  },
  example: (db) => ({ id: exampleSharedNoteId(db, "viewer") }),
});

const exampleSharedNoteId = (db: Reader, role: NoteRole) =>
  db.where(notesOfOthers, { role, left: false })[0]?.id ?? 1;

export const sharingApis = {
  sharedWith: shareResource.list(
    "List with whom notes are shared and as what, in the order of sharing; shares taken back are left out.",
    {
      params: { id: idParam("note").optional().describe("only of this note") },
      rows: ({ id }, context) => {
        const match = id === undefined ? {} : { note: ownNotes.find({ id }, context).id };
        return activeShares(context.db, match);
      },
      filters: {
        person: personColumnFilter("only with this person", "person"),
        role: [role, filterWhere(({ id }, wanted, { db }) => roleOfShare(db, id) === wanted)],
      },
      example: (db) => ({ id: exampleShare(db).id }),
    },
  ),
  setRole: shareResource.change("Change what a person with whom a note is shared may do.", {
    params: { role },
    set: ({ id }, { person, role }, { db }) => {
      refuseUnless(roleOfShare(db, id) !== role, 409, `role: "${person}" is ${role} already`);
      return { role };
    },
    example: (db) => {
      const share = exampleShare(db);
      const [row] = activeShares(db, { note: share.id });
      const isEditor = row !== undefined && roleOfShare(db, row.id) === "editor";
      return { ...share, role: isEditor ? "viewer" : "editor" };
    },
  }),
  unshare: ownNotes.act("Stop sharing a note with a person.", {
    params: { person: shareResource.keys.person },
    run: (_, args, context) => {
      setShareRole(context.db, shareResource.find(args, context).id, "none");
    },
    example: exampleShare,
  }),
  fromOthers: sharedNote.list(
    "List notes that others share with you, oldest first; those that you left are left out. Their ids are not those of own notes.",
    {
      rows: { left: false },
      filters: {
        from: personColumnFilter("only of this person", "from"),
        role: role.describe("only those where you are this"),
      },
      example: { role: "viewer" },
    },
  ),
  readShared: sharedNote.show("Show a note of another with its text.", {
    item: sharedNote.item.with({ text: z.string() }),
  }),
  editShared: sharedNote.change("Replace the text of a note of another, where you are an editor.", {
    params: { text: longTextParam("the new text") },
    set: (row, { text }, { db }) => {
      const author = handleOf(db, row.person);
      const viewing = `"${row.title}" of "${author}" is for viewing only`;
      const hint = "notes.copyShared makes one of your own";
      const message = `id: expected a note that you may edit, ${viewing}; ${hint}`;
      refuseUnless(row.role === "editor", 403, message);
      return { text };
    },
    example: (db) => ({ id: exampleSharedNoteId(db, "editor"), text: "Agreed." }),
  }),
  copyShared: ownNotes.add("Make an own note with title and text of a note of another.", {
    params: { ...sharedNote.keys, tag: shortTextParam("the tag, old or new").optional() },
    row: ({ id, tag = null }, context) => {
      const { title, text } = sharedNote.find({ id }, context);
      return { title, text, tag, pinned: false };
    },
    example: sharedNote.example,
  }),
  leaveShared: sharedNote.set("Leave a note of another; you see it no longer.", { left: true }),
};
