/** Defines the mail app of the starter. Received mail is in inbox, archive or trash; sent mail stays in `mail.sent`. */

import {
  countNames,
  defineItem,
  listApi,
  longTextParam,
  nameCountItem,
  newestFirst,
  shortTextParam,
} from "bowline/resources";
import { defineApp, type Reader, z } from "bowline/world";
import {
  dayField,
  exampleHandle,
  handleParam,
  personColumnFilter,
  requireReceiver,
} from "../shared.ts";
import { mails } from "../tables.ts";
import {
  correspondentField,
  makeReply,
  newestIdInFolder,
  received,
  sendMail,
  sentItem,
  sentMail,
} from "./mail-items.ts";

const to = handleParam("the receiver");
const body = longTextParam("the text");

const mailWithBodyItem = defineItem(mails, {
  ...mails.fields("subject", "id"),
  from: correspondentField,
  body: z.string(),
  folder: z.string(),
  label: z.string().nullable(),
  day: dayField,
});

const mailsOutsideTrash = (db: Reader) => db.all(mails).filter(({ folder }) => folder !== "trash");

export const mail = defineApp({
  name: "mail",
  summary: "Mail to and from contacts, with folders and labels.",
  tables: [mails],
  apis: {
    list: received.list("List received mail in a folder, newest first.", {
      rows: { outgoing: false },
      filters: {
        folder: z.enum(["inbox", "archive", "trash"]).default("inbox").describe("which folder"),
        from: personColumnFilter("only from this person", "from"),
        label: shortTextParam("only with this label"),
        unread: z.boolean().describe("only unread ones, or only read ones"),
        starred: z.boolean().describe("only starred ones, or only others"),
      },
      order: newestFirst,
      example: { folder: "inbox", unread: true },
    }),
    sent: sentMail.list("List sent mail, newest first.", {
      rows: { outgoing: true },
      filters: { to: personColumnFilter("only to this person", "to") },
      order: newestFirst,
      example: { size: 10 },
    }),
    show: received.act("Show a received mail with its body and mark it as read.", {
      item: mailWithBodyItem,
      run: ({ id }, _, { db }) => db.update(mails, id, { unread: false }),
    }),
    search: received.list(
      "Search subjects and bodies of received mail outside the trash, newest first.",
      {
        searchIn: ["subject", "body"],
        rows: (_, { db }) => mailsOutsideTrash(db).filter(({ outgoing }) => !outgoing),
        order: newestFirst,
        example: { query: "dinner" },
      },
    ),
    labels: listApi("List labels with their number of mails outside the trash.", {
      item: nameCountItem,
      rows: (_, { db }) => countNames(mailsOutsideTrash(db).map(({ label }) => label)),
    }),
    send: sentMail.add("Send a mail.", {
      params: { to, subject: shortTextParam("the subject"), body },
      row: ({ to, subject, body }, context) => {
        const person = requireReceiver(context.db, to, "to").id;
        return sendMail(context, { person, subject, body, origin: null });
      },
      example: (db) => ({
        to: exampleHandle(db),
        subject: "Lunch",
        body: "Are you free on Friday?",
      }),
    }),
    reply: received.act("Reply to a received mail; the subject becomes Re: and the old one.", {
      params: { body },
      item: sentItem,
      run: (row, { body }, context) => sendMail(context, makeReply(context.db, row, body)),
      example: { body: "Thank you!" },
    }),
    forward: received.act("Forward a received mail; the subject becomes Fwd: and the old one.", {
      params: { to },
      item: sentItem,
      run: ({ id, subject, body }, { to }, context) => {
        const person = requireReceiver(context.db, to, "to").id;
        return sendMail(context, { person, subject: `Fwd: ${subject}`, body, origin: id });
      },
      example: (db) => ({ ...received.example(db), to: exampleHandle(db) }),
    }),
    label: received.change("Label a received mail, in place of its old label.", {
      params: { label: shortTextParam("the label, old or new") },
      example: { label: "later" },
    }),
    unlabel: received.set("Take the label off a received mail.", { label: null }),
    star: received.change("Star a received mail.", {
      set: { starred: true },
      isExample: () => true,
    }),
    unstar: received.set("Take the star off a received mail.", { starred: false }),
    archive: received.set(
      "Move a received mail to the archive.",
      { folder: "archive" },
      "is already in the archive",
    ),
    restore: received.change("Move a received mail back to the inbox.", {
      set: { folder: "inbox" },
      already: "is already in the inbox",
      example: (db) => ({ id: newestIdInFolder(db, "archive") }),
    }),
    remove: received.set(
      "Move a received mail to the trash.",
      { folder: "trash" },
      "is already in the trash",
    ),
  },
});
