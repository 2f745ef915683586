/** Drafts: mail that is written but has not left. Sending one inserts the mail and removes the draft. */
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
  personId,
  prose,
  receiver,
  rowBy,
} from "../shared.ts";
import { deliver } from "./deliver.ts";
import { idIn, open, received, someone } from "./examples.ts";
import { type Draft, drafts } from "./tables.ts";
import { receivedMail, sentItem } from "./views.ts";

const draftItem = z.strictObject({ subject: z.string(), id: z.int(), to: z.string().nullable() });

const draftView =
  (db: Reader) =>
  ({ subject, id, person }: Draft) => ({
    subject,
    id,
    to: person === null ? null : handleOf(db, person),
  });

const list = defineApi({
  summary: "List drafts, newest first.",
  params: z.strictObject({ to: handle("only to this person").optional(), ...paging }),
  returns: pageOf(draftItem),
  example: () => ({}),
  handler: ({ db }, { to, ...page }) => {
    const rows = db.where(drafts, given({ person: personId(db, to, "to") }));
    return paged(rows.toReversed(), page, draftView(db));
  },
});

const show = defineApi({
  summary: "Show a draft with its body.",
  params: z.strictObject({ id: idOf("draft") }),
  returns: draftItem.extend({ body: z.string(), answers: z.int().nullable() }),
  example: (db) => ({ id: idIn(db, drafts) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, drafts, id, "draft");
    return { ...draftView(db)(row), body: row.body, answers: row.origin };
  },
});

const add = defineApi({
  summary: "Write a draft; nothing is sent yet.",
  params: z.strictObject({
    to: handle("the receiver; may be set later").optional(),
    subject: line("the subject"),
    body: prose("the text"),
  }),
  returns: draftItem,
  example: (db) => ({ to: someone(db), subject: "Lunch", body: "Are you free on Friday?" }),
  handler: ({ db }, { to, subject, body }) => {
    const person = to === undefined ? null : receiver(db, to, "to").id;
    return draftView(db)(db.insert(drafts, { person, subject, body, origin: null }));
  },
});

const answer = defineApi({
  summary: "Write a draft that answers a received mail; the subject becomes Re: and the old one.",
  params: z.strictObject({ id: idOf("received mail"), body: prose("the text") }),
  returns: draftItem,
  example: (db) => ({ id: received(db), body: "Thank you, I will look into it." }),
  handler: ({ db }, { id, body }) => {
    const { person, subject } = receivedMail(db, id);
    receiver(db, handleOf(db, person), "id");
    return draftView(db)(
      db.insert(drafts, { person, subject: `Re: ${subject}`, body, origin: id }),
    );
  },
});

const edit = defineApi({
  summary: "Change a draft's receiver, subject or text; what is left out stays.",
  params: z.strictObject({
    id: idOf("draft"),
    to: handle("the receiver").optional(),
    subject: line("the subject").optional(),
    body: prose("the text").optional(),
  }),
  returns: draftItem,
  example: (db) => ({ id: idIn(db, drafts), subject: "Lunch, once more" }),
  handler: ({ db }, { id, to, ...changes }) => {
    const row = rowBy(db, drafts, id, "draft");
    if (to !== undefined && row.origin !== null) {
      throw new ApiError(409, `to: draft ${id} answers a mail, so its receiver is fixed`);
    }
    const person = to === undefined ? undefined : receiver(db, to, "to").id;
    return draftView(db)(db.update(drafts, id, given({ person, ...changes })));
  },
});

const send = defineApi({
  summary: "Send a draft; it is no draft any more.",
  params: z.strictObject({ id: idOf("draft") }),
  returns: sentItem,
  example: (db) => ({ id: idIn(db, drafts, (row) => open(db, row.person)) }),
  handler: (context, { id }) => {
    const { db } = context;
    const { person, subject, body, origin } = rowBy(db, drafts, id, "draft");
    if (person === null) {
      throw new ApiError(422, `id: draft ${id} has no receiver; mail.editDraft sets one`);
    }
    receiver(db, handleOf(db, person), "id");
    db.remove(drafts, id);
    return deliver(context, { person, subject, body, origin });
  },
});

const discard = defineApi({
  summary: "Throw a draft away.",
  params: z.strictObject({ id: idOf("draft") }),
  returns: draftItem,
  example: (db) => ({ id: idIn(db, drafts) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, drafts, id, "draft");
    db.remove(drafts, id);
    return draftView(db)(row);
  },
});

export const draftApis = {
  drafts: list,
  showDraft: show,
  draft: add,
  draftReply: answer,
  editDraft: edit,
  sendDraft: send,
  discardDraft: discard,
};
