/** Changing what was just sent: the owner's own texts, within a quarter of an hour, with the old wordings kept. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { handleOf, idOf, paged, pageOf, paging, prose, rowBy } from "../shared.ts";
import { type Text, texts } from "../tables.ts";
import { sentOne } from "./examples.ts";
import { expectFresh } from "./fresh.ts";
import { revisions } from "./tables.ts";

const id = idOf("sent message");
const sentItem = z.strictObject({ text: z.string(), id: z.int(), to: z.string() });

function sentBy(db: Reader, id: number): Text {
  const row = rowBy(db, texts, id, "message");
  if (row.outgoing) return row;
  throw new ApiError(403, `id: expected a message that the owner sent, ${id} was received`);
}

const edit = defineApi({
  summary: "Change the text of a message sent within the last 15 minutes; the old wording is kept.",
  params: z.strictObject({ id, text: prose("the new text") }),
  returns: sentItem,
  example: (db) => ({ id: sentOne(db), text: "On my way, ten minutes." }),
  handler: ({ db, now }, { id, text }) => {
    const row = sentBy(db, id);
    expectFresh(row, now);
    if (row.text === text) throw new ApiError(409, `text: message ${id} says that already`);
    db.insert(revisions, { message: id, before: row.text });
    const { person } = db.update(texts, id, { text });
    return { text, id, to: handleOf(db, person) };
  },
});

const wordings = defineApi({
  summary: "List the earlier wordings of a sent message, the first one first.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(z.strictObject({ text: z.string() })),
  example: (db) => ({ id: db.all(revisions)[0]?.message ?? sentOne(db) }),
  handler: ({ db }, { id, ...page }) => {
    const rows = db.where(revisions, { message: sentBy(db, id).id });
    return paged(rows, page, ({ before }) => ({ text: before }));
  },
});

export const editingApis = { edit, wordings };
