/** Mail, the writing half: send, reply, forward, and what can be done to a received mail. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi } from "../../../../world/index.ts";
import { handle, handleOf, idOf, line, prose, receiver } from "../shared.ts";
import { type Folder, type Mail, mails } from "../tables.ts";
import { lying, received, someone } from "./examples.ts";
import { mailItem, mailView, receivedMail, sentItem, sentView } from "./views.ts";

const id = idOf("received mail");
const to = handle("the receiver");
const body = prose("the text");

type Letter = Pick<Mail, "person" | "subject" | "body" | "origin">;

function deliver({ db, now }: CallContext, letter: Letter) {
  const flags = { outgoing: true, folder: "sent", label: null, starred: false } as const;
  return sentView(db)(db.insert(mails, { ...letter, ...flags, unread: false, at: now }));
}

const send = defineApi({
  summary: "Send a mail.",
  params: z.strictObject({ to, subject: line("the subject"), body }),
  returns: sentItem,
  example: (db) => ({ to: someone(db), subject: "Lunch", body: "Are you free on Friday?" }),
  handler: (context, { to, subject, body }) => {
    const person = receiver(context.db, to, "to").id;
    return deliver(context, { person, subject, body, origin: null });
  },
});

const reply = defineApi({
  summary: "Reply to a received mail; the subject becomes Re: and the old one.",
  params: z.strictObject({ id, body }),
  returns: sentItem,
  example: (db) => ({ id: received(db), body: "Thank you!" }),
  handler: (context, { id, body }) => {
    const { person, subject } = receivedMail(context.db, id);
    receiver(context.db, handleOf(context.db, person), "id");
    return deliver(context, { person, subject: `Re: ${subject}`, body, origin: id });
  },
});

const forward = defineApi({
  summary: "Forward a received mail; the subject becomes Fwd: and the old one.",
  params: z.strictObject({ id, to }),
  returns: sentItem,
  example: (db) => ({ id: received(db), to: someone(db) }),
  handler: (context, { id, to }) => {
    const { subject, body } = receivedMail(context.db, id);
    const person = receiver(context.db, to, "to").id;
    return deliver(context, { person, subject: `Fwd: ${subject}`, body, origin: id });
  },
});

function change({ db }: CallContext, id: number, patch: Partial<Mail>) {
  return mailView(db)(db.update(mails, receivedMail(db, id).id, patch));
}

const label = defineApi({
  summary: "Label a received mail, in place of its old label.",
  params: z.strictObject({ id, label: line("the label, old or new") }),
  returns: mailItem,
  example: (db) => ({ id: received(db), label: "later" }),
  handler: (context, { id, label }) => change(context, id, { label }),
});

const unlabel = defineApi({
  summary: "Take the label off a received mail.",
  params: z.strictObject({ id }),
  returns: mailItem,
  example: (db) => ({ id: received(db, (row) => row.label !== null) }),
  handler: (context, { id }) => change(context, id, { label: null }),
});

const star = defineApi({
  summary: "Star a received mail.",
  params: z.strictObject({ id }),
  returns: mailItem,
  example: (db) => ({ id: received(db) }),
  handler: (context, { id }) => change(context, id, { starred: true }),
});

const unstar = defineApi({
  summary: "Take the star off a received mail.",
  params: z.strictObject({ id }),
  returns: mailItem,
  example: (db) => ({ id: received(db, (row) => row.starred) }),
  handler: (context, { id }) => change(context, id, { starred: false }),
});

function moveTo(context: CallContext, id: number, folder: Folder) {
  if (receivedMail(context.db, id).folder === folder) {
    throw new ApiError(409, `id: mail ${id} is already in the ${folder}`);
  }
  return change(context, id, { folder });
}

const archive = defineApi({
  summary: "Move a received mail to the archive.",
  params: z.strictObject({ id }),
  returns: mailItem,
  example: (db) => ({ id: received(db) }),
  handler: (context, { id }) => moveTo(context, id, "archive"),
});

const restore = defineApi({
  summary: "Move a received mail back to the inbox.",
  params: z.strictObject({ id }),
  returns: mailItem,
  example: (db) => ({ id: lying(db, "archive") }),
  handler: (context, { id }) => moveTo(context, id, "inbox"),
});

const remove = defineApi({
  summary: "Move a received mail to the trash.",
  params: z.strictObject({ id }),
  returns: mailItem,
  example: (db) => ({ id: received(db) }),
  handler: (context, { id }) => moveTo(context, id, "trash"),
});

export const actionApis = {
  send,
  reply,
  forward,
  label,
  unlabel,
  star,
  unstar,
  archive,
  restore,
  remove,
};
