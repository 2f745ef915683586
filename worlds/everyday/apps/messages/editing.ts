/** Changing what was just sent: the owner's own texts, within a quarter of an hour, with the old wordings kept. */

import { idOf, itemOf, listing, must, prose, resource } from "bowline/resources";
import { z } from "bowline/world";
import { sentOne } from "./examples.ts";
import { expectFresh } from "./fresh.ts";
import { sentItem } from "./index.ts";
import { revisions } from "./tables.ts";

const sent = resource({
  noun: "message",
  item: sentItem,
  keys: { id: idOf("sent message") },
  guard: ({ id, outgoing }) =>
    must(outgoing, 403, `id: expected a message that the owner sent, ${id} was received`),
  example: (db) => ({ id: sentOne(db) }),
});

const wordingItem = itemOf(revisions, { text: [z.string(), ({ before }) => before] });

export const editingApis = {
  edit: sent.change(
    "Change the text of a message sent within the last 15 minutes; the old wording is kept.",
    {
      params: { text: prose("the new text") },
      set: (row, { text }, { db, now }) => {
        expectFresh(row, now);
        must(row.text !== text, 409, `text: message ${row.id} says that already`);
        db.insert(revisions, { message: row.id, before: row.text });
        return { text };
      },
      example: { text: "On my way, ten minutes." },
    },
  ),
  wordings: listing("List the earlier wordings of a sent message, the first one first.", {
    item: wordingItem,
    of: [sent, "message"],
    example: (db) => ({ id: db.all(revisions)[0]?.message ?? sentOne(db) }),
  }),
};
