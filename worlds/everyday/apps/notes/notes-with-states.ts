/**
 * Defines APIs of the starter that behave differently in the full notes app. Lists leave out archived and trashed
 * notes, a change of a text keeps the old text, and a share has a role and can be given again. These APIs have all
 * parameters and results of the starter, and some more.
 */

import { listApi, longTextParam, refuseUnless, withoutUndefined } from "bowline/resources";
import { z } from "bowline/world";
import { exampleHandleWhere, handleParam, requireReceiver } from "../shared.ts";
import { shares } from "../tables.ts";
import { exampleNoteId } from "./examples.ts";
import { countTags, noteDetailsItem, ownNotes, tagItem, updateOptions } from "./index.ts";
import { NOTE_ROLES } from "./tables.ts";
import { activeNotes, activeShares, changeNote, roleOfShare, setShareRole } from "./traits.ts";

export const notesWithStatesApis = {
  show: ownNotes.show("Show a note with its text and with how many people it is shared.", {
    item: noteDetailsItem.with({
      shared: [z.int(), ({ id }, { db }) => activeShares(db, { note: id }).length],
    }),
  }),
  search: ownNotes.list(
    "Search titles and texts of notes that are neither archived nor in the trash.",
    {
      searchIn: ["title", "text"],
      rows: (_, { db }) => activeNotes(db),
      example: { query: "costs" },
    },
  ),
  tags: listApi(
    "List tags with their number of notes that are neither archived nor in the trash.",
    {
      item: tagItem,
      rows: (_, { db }) => countTags(activeNotes(db)),
      order: "name",
    },
  ),
  update: ownNotes.act("Replace a note's title or text; what they were is kept as a version.", {
    ...updateOptions,
    run: (row, { title, text }, { db, now }) =>
      changeNote(db, row, withoutUndefined({ title, text }), now),
  }),
  append: ownNotes.act(
    "Add a line at the end of a note's text; what it was is kept as a version.",
    {
      params: { text: longTextParam("the new line") },
      run: (row, { text }, { db, now }) =>
        changeNote(db, row, { text: `${row.text}\n${text}` }, now),
      example: { text: "One line more." },
    },
  ),
  share: ownNotes.act("Share a note with a contact.", {
    params: {
      person: handleParam("with whom"),
      role: z.enum(NOTE_ROLES).default("viewer").describe("editors may change the text"),
    },
    run: ({ id: note }, { role, ...args }, { db }) => {
      const { id: person, handle } = requireReceiver(db, args.person, "person");
      const [old] = db.where(shares, { note, person });
      const known = old !== undefined && roleOfShare(db, old.id) !== "none";
      refuseUnless(!known, 409, `person: note ${note} is already shared with "${handle}"`);
      setShareRole(db, (old ?? db.insert(shares, { note, person })).id, role);
    },
    example: (db) => ({ id: exampleNoteId(db), person: exampleHandleWhere(db) }),
  }),
};
