/** Mail: received mail lies in inbox, archive or trash; what is sent stays in `mail.sent`. */

import { itemOf, line, listing, newestFirst, prose, sizeItem, sizesOf } from "bowline/resources";
import { defineApp, type Reader, z } from "bowline/world";
import { handle, ofPerson, onDay, receiver, someone, theirHandle } from "../shared.ts";
import { mails } from "../tables.ts";
import { answerTo, deliver, lying, received, sentItem, sentMail } from "./views.ts";

const to = handle("the receiver");
const body = prose("the text");

const wholeItem = itemOf(mails, {
  ...mails.fields("subject", "id"),
  from: theirHandle,
  body: z.string(),
  folder: z.string(),
  label: z.string().nullable(),
  day: onDay,
});

/** Outside the trash. */
const all = (db: Reader) => db.all(mails).filter(({ folder }) => folder !== "trash");

export const mail = defineApp({
  name: "mail",
  summary: "Mail to and from contacts, with folders and labels.",
  tables: [mails],
  apis: {
    list: received.list("List received mail in a folder, newest first.", {
      rows: { outgoing: false },
      filters: {
        folder: z.enum(["inbox", "archive", "trash"]).default("inbox").describe("which folder"),
        from: ofPerson("only from this person", "from"),
        label: line("only with this label"),
        unread: z.boolean().describe("only unread ones, or only read ones"),
        starred: z.boolean().describe("only starred ones, or only others"),
      },
      order: newestFirst,
      example: { folder: "inbox", unread: true },
    }),
    sent: sentMail.list("List sent mail, newest first.", {
      rows: { outgoing: true },
      filters: { to: ofPerson("only to this person", "to") },
      order: newestFirst,
      example: { size: 10 },
    }),
    show: received.act("Show a received mail with its body and mark it as read.", {
      item: wholeItem,
      run: ({ id }, _, { db }) => db.update(mails, id, { unread: false }),
    }),
    search: received.list(
      "Search subjects and bodies of received mail outside the trash, newest first.",
      {
        words: ["subject", "body"],
        rows: (_, { db }) => all(db).filter(({ outgoing }) => !outgoing),
        order: newestFirst,
        example: { query: "dinner" },
      },
    ),
    labels: listing("List labels with their number of mails outside the trash.", {
      item: sizeItem,
      rows: (_, { db }) => sizesOf(all(db).map(({ label }) => label)),
    }),
    send: sentMail.add("Send a mail.", {
      params: { to, subject: line("the subject"), body },
      row: ({ to, subject, body }, context) => {
        const person = receiver(context.db, to, "to").id;
        return deliver(context, { person, subject, body, origin: null });
      },
      example: (db) => ({ to: someone(db), subject: "Lunch", body: "Are you free on Friday?" }),
    }),
    reply: received.act("Reply to a received mail; the subject becomes Re: and the old one.", {
      params: { body },
      item: sentItem,
      run: (row, { body }, context) => deliver(context, answerTo(context.db, row, body)),
      example: { body: "Thank you!" },
    }),
    forward: received.act("Forward a received mail; the subject becomes Fwd: and the old one.", {
      params: { to },
      item: sentItem,
      run: ({ id, subject, body }, { to }, context) => {
        const person = receiver(context.db, to, "to").id;
        return deliver(context, { person, subject: `Fwd: ${subject}`, body, origin: id });
      },
      example: (db) => ({ ...received.example(db), to: someone(db) }),
    }),
    label: received.change("Label a received mail, in place of its old label.", {
      params: { label: line("the label, old or new") },
      example: { label: "later" },
    }),
    unlabel: received.set("Take the label off a received mail.", { label: null }),
    star: received.change("Star a received mail.", { set: { starred: true }, fits: () => true }),
    unstar: received.set("Take the star off a received mail.", { starred: false }),
    archive: received.set(
      "Move a received mail to the archive.",
      { folder: "archive" },
      "is already in the archive",
    ),
    restore: received.change("Move a received mail back to the inbox.", {
      set: { folder: "inbox" },
      already: "is already in the inbox",
      example: (db) => ({ id: lying(db, "archive") }),
    }),
    remove: received.set(
      "Move a received mail to the trash.",
      { folder: "trash" },
      "is already in the trash",
    ),
  },
});
