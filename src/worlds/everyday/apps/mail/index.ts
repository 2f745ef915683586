/** Mail, the reading half: received mail lies in inbox, archive or trash; what is sent stays in `mail.sent`. */
import { z } from "zod";
import { defineApi, defineApp } from "../../../../world/index.ts";
import {
  contains,
  dayOf,
  given,
  handle,
  handleOf,
  idOf,
  line,
  newestFirst,
  paged,
  pageOf,
  paging,
  personId,
  query,
} from "../shared.ts";
import { type Mail, mails } from "../tables.ts";
import { actionApis } from "./actions.ts";
import { received } from "./examples.ts";
import { mailItem, mailView, receivedMail, sentItem, sentView } from "./views.ts";

const list = defineApi({
  summary: "List received mail in a folder, newest first.",
  params: z.strictObject({
    folder: z.enum(["inbox", "archive", "trash"]).default("inbox").describe("which folder"),
    from: handle("only from this person").optional(),
    label: line("only with this label").optional(),
    unread: z.boolean().optional().describe("only unread ones, or only read ones"),
    starred: z.boolean().optional().describe("only starred ones, or only others"),
    ...paging,
  }),
  returns: pageOf(mailItem),
  example: () => ({ folder: "inbox", unread: true }) as const,
  handler: ({ db }, { from, page, size, ...filters }) => {
    const person = personId(db, from, "from");
    const rows = db.where(mails, given({ outgoing: false, person, ...filters }));
    return paged(newestFirst(rows), { page, size }, mailView(db));
  },
});

const sent = defineApi({
  summary: "List sent mail, newest first.",
  params: z.strictObject({ to: handle("only to this person").optional(), ...paging }),
  returns: pageOf(sentItem),
  example: () => ({ size: 10 }),
  handler: ({ db }, { to, ...page }) => {
    const rows = db.where(mails, given({ outgoing: true, person: personId(db, to, "to") }));
    return paged(newestFirst(rows), page, sentView(db));
  },
});

const show = defineApi({
  summary: "Show a received mail with its body and mark it as read.",
  params: z.strictObject({ id: idOf("received mail") }),
  returns: z.strictObject({
    subject: z.string(),
    id: z.int(),
    from: z.string(),
    body: z.string(),
    folder: z.string(),
    label: z.string().nullable(),
    day: z.string(),
  }),
  example: (db) => ({ id: received(db) }),
  handler: ({ db }, args) => {
    const row = db.update(mails, receivedMail(db, args.id).id, { unread: false });
    const { subject, id, body, folder, label } = row;
    return { subject, id, from: handleOf(db, row.person), body, folder, label, day: dayOf(row.at) };
  },
});

const search = defineApi({
  summary: "Search subjects and bodies of received mail outside the trash, newest first.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(mailItem),
  example: () => ({ query: "dinner" }),
  handler: ({ db }, { query, ...page }) => {
    const hit = (row: Mail) =>
      row.folder !== "trash" && (contains(row.subject, query) || contains(row.body, query));
    const rows = db.where(mails, { outgoing: false }).filter(hit);
    return paged(newestFirst(rows), page, mailView(db));
  },
});

const labels = defineApi({
  summary: "List labels with their number of mails outside the trash.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), size: z.int() })),
  example: () => ({}),
  handler: ({ db }, page) => {
    const counts = new Map<string, number>();
    for (const { label, folder } of db.all(mails)) {
      if (label !== null && folder !== "trash") counts.set(label, (counts.get(label) ?? 0) + 1);
    }
    const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return paged(rows, page, ([name, size]) => ({ name, size }));
  },
});

export const mail = defineApp({
  name: "mail",
  summary: "Mail to and from contacts, with folders and labels.",
  tables: [mails],
  apis: { list, sent, show, search, labels, ...actionApis },
});
