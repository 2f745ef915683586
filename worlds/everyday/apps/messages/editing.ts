/** Defines the APIs that edit messages that the owner sent at most 15 minutes ago. The earlier wordings are kept. */

import { idParam, longTextParam, refuseUnless, resource } from "bowline/resources";
import { exampleSentId } from "./examples.ts";
import { sentItem } from "./index.ts";
import { requireRecentlySent } from "./recently-sent.ts";
import { revisions } from "./tables.ts";

const sent = resource({
  noun: "message",
  item: sentItem,
  keys: { id: idParam("sent message") },
  guard: ({ id, outgoing }) =>
    refuseUnless(outgoing, 403, `id: expected a message that the owner sent, ${id} was received`),
  example: (db) => ({ id: exampleSentId(db) }),
});

export const editingApis = {
  edit: sent.change(
    "Change the text of a message sent within the last 15 minutes; the old wording is kept.",
    {
      params: { text: longTextParam("the new text") },
      set: (row, { text }, { db, now }) => {
        requireRecentlySent(row, now);
        refuseUnless(row.text !== text, 409, `text: message ${row.id} says that already`);
        db.insert(revisions, { message: row.id, before: row.text });
        return { text };
      },
      example: { text: "On my way, ten minutes." },
    },
  ),
};
