/**
 * Defines the APIs that look over mail: filters and order, sent mails in full, threads, counts, correspondents and
 * attachments.
 */

import {
  containsIgnoringCase,
  countReferencingRows,
  countsApi,
  dayParam,
  defineItem,
  defineObjectItem,
  descending,
  equalIgnoringCase,
  filterWhere,
  filterWhether,
  idParam,
  listApi,
  newestFirst,
  orderBy,
  resource,
  shortTextParam,
  type ViewContext,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  dayField,
  dayOf,
  handleField,
  handleOf,
  nameField,
  personFilter,
  requirePerson,
  requireRow,
} from "../shared.ts";
import { type Mail, mails, people } from "../tables.ts";
import {
  correspondentField,
  exampleReceivedId,
  mailItem,
  received,
  sentMail,
} from "./mail-items.ts";
import {
  ATTACHMENT_KINDS,
  type Attachment,
  attachments,
  copies,
  drafts,
  recalls,
  senders,
} from "./tables.ts";

const summaryItem = defineItem(mails, {
  ...mails.fields("subject", "id"),
  from: correspondentField,
  day: dayField,
  folder: z.string(),
  attachments: countReferencingRows(attachments, "mail"),
});

/** A received mail in a list. */
const listedItem = summaryItem.with({
  label: z.string().nullable(),
  unread: z.boolean(),
});

const sentMailItem = defineItem(mails, {
  ...mails.fields("subject", "id"),
  to: correspondentField,
  copies: [
    z.array(z.string()),
    ({ id }, { db }) => db.where(copies, { mail: id }).map(({ person }) => handleOf(db, person)),
  ],
  body: z.string(),
  day: dayField,
  recalled: [z.boolean(), ({ id }, { db }) => db.where(recalls, { mail: id }).length > 0],
});

const threadItem = defineItem(mails, {
  ...mails.fields("subject", "id"),
  with: correspondentField,
  sent: [z.boolean(), ({ outgoing }) => outgoing],
  day: dayField,
});

/** A mail that was received or sent. */
const anyMail = resource({
  noun: "mail",
  item: mailItem,
});

/**
 * Returns all mails of a thread: the first mail and all that refer to it directly or indirectly. An answer has a higher
 * id than the mail it answers.
 */
function mailsOfThread(db: Reader, mail: Mail): Mail[] {
  let root = mail;
  while (root.origin !== null) root = db.get(mails, root.origin)!;
  const inside = new Set([root.id]);
  return db.all(mails).filter((row) => {
    if (row.origin !== null && inside.has(row.origin)) inside.add(row.id);
    return inside.has(row.id);
  });
}

/** Counts the received and sent mails outside the trash by contact, in the order in which they first appear. */
function countByCorrespondent(db: Reader) {
  const tally = new Map<number, { received: number; sent: number }>();
  for (const { person, outgoing, folder } of db.all(mails)) {
    if (folder === "trash" || person === null) continue;
    const count = tally.get(person) ?? { received: 0, sent: 0 };
    count[outgoing ? "sent" : "received"] += 1;
    tally.set(person, count);
  }
  return [...tally].map(([person, count]) => ({
    name: db.get(people, person)?.name ?? "removed",
    handle: handleOf(db, person),
    ...count,
  }));
}

const attachmentItem = defineItem(
  attachments,
  attachments.fields("name", "id", "mail", "kind", "kilobytes"),
);

/** A filter by sender. Companies and strangers have no handle, so that their name is accepted too. */
const senderFilter = [
  z
    .string()
    .min(1)
    .max(80)
    .describe(
      'only from this sender, a handle such as "amara.o" or the name of one who is no contact',
    ),
  (from: string, { db }: ViewContext) => {
    const ids = new Set(
      db.all(senders).flatMap(({ mail, name }) => (equalIgnoringCase(name, from) ? mail : [])),
    );
    if (ids.size > 0) return ({ id }: Mail) => ids.has(id);
    const person = requirePerson(db, from, "from").id;
    return (row: Mail) => row.person === person;
  },
] as const;

/** Makes a function that returns the received mails with these columns. */
const receivedMails = (match: Partial<Mail>) => (db: Reader) =>
  db.where(mails, { outgoing: false, ...match });

export const overviewApis = {
  list: received.list(
    "List received mail, in inbox and archive unless a folder is named; the trash is left out.",
    {
      item: listedItem,
      params: {
        folder: z
          .enum(["inbox", "archive", "trash"])
          .optional()
          .describe("only in this folder; in inbox and archive when left out"),
      },
      rows: ({ folder }, { db }) =>
        folder === undefined
          ? db.where(mails, { outgoing: false }).filter((row) => row.folder !== "trash")
          : { outgoing: false, folder },
      filters: {
        from: senderFilter,
        subject: [
          shortTextParam("only with these words in the subject; case is ignored"),
          filterWhere((row, words) => containsIgnoringCase(row.subject, words)),
        ],
        label: shortTextParam("only with this label"),
        unread: z.boolean().describe("only unread ones, or only read ones"),
        starred: z.boolean().describe("only starred ones, or only others"),
        since: [
          dayParam("only received on this day or later"),
          filterWhere((row, first) => dayOf(row.at) >= first),
        ],
        until: [
          dayParam("only received on this day or earlier"),
          filterWhere((row, last) => dayOf(row.at) <= last),
        ],
        attached: [
          z.boolean().describe("only with attachments, or only without"),
          filterWhether(({ id }, { db }) => db.where(attachments, { mail: id }).length > 0),
        ],
      },
      sorts: {
        newest: newestFirst,
        oldest: (rows) => newestFirst(rows).toReversed(),
        subject: (rows, context) =>
          orderBy<Mail>(({ subject }) => subject)(newestFirst(rows), context),
      },
      sortDescription: "which come first; subjects from A to Z, equal ones newest first",
      example: { since: "2026-03-01", attached: true },
    },
  ),
  head: received.show("Show a received mail without its body; it does not count as read by that.", {
    item: summaryItem.with({ label: z.string().nullable(), starred: z.boolean() }),
  }),
  showSent: sentMail.show(
    "Show a sent mail with its body, who got a copy, and whether it was recalled.",
    { item: sentMailItem },
  ),
  copies: listApi("List who else got a copy of a mail, received or sent.", {
    item: defineItem(copies, { name: nameField, handle: handleField }),
    parent: [anyMail, "mail"],
    example: (db) => ({ id: db.all(copies)[0]?.mail ?? exampleReceivedId(db) }),
  }),
  thread: listApi(
    "List all mails of a conversation, oldest first: what was sent, answered and forwarded.",
    {
      item: threadItem,
      params: { id: idParam("any mail of the conversation") },
      rows: ({ id }, { db }) => mailsOfThread(db, requireRow(db, mails, id, "mail")),
      order: (rows) => newestFirst(rows).toReversed(),
      example: (db) => ({ id: db.all(mails).find(({ origin }) => origin !== null)?.id ?? 1 }),
    },
  ),
  counts: countsApi("Count mails by folder, and the unread and starred ones in the inbox.", {
    inbox: receivedMails({ folder: "inbox" }),
    unread: receivedMails({ folder: "inbox", unread: true }),
    starred: receivedMails({ folder: "inbox", starred: true }),
    archive: receivedMails({ folder: "archive" }),
    trash: receivedMails({ folder: "trash" }),
    sent: (db) => db.where(mails, { outgoing: true }),
    drafts: (db) => db.all(drafts),
  }),
  correspondents: listApi(
    "List the contacts of all mail outside the trash with how many mails, most received first.",
    {
      item: defineObjectItem({
        name: z.string(),
        handle: z.string(),
        received: z.int(),
        sent: z.int(),
      }),
      rows: (_, { db }) => countByCorrespondent(db),
      order: orderBy(
        descending((row) => row.received),
        (row) => row.handle,
      ),
      example: { size: 10 },
    },
  ),
  attachments: listApi(
    "List the attachments of received mail outside the trash, of the newest mail first.",
    {
      item: attachmentItem,
      filters: {
        kind: z.enum(ATTACHMENT_KINDS).describe("only of this kind"),
        from: personFilter(
          "only sent by this person",
          "from",
          ({ mail }: Attachment, person, db) => db.get(mails, mail)?.person === person,
        ),
      },
      rows: (_, { db }) =>
        db
          .all(attachments)
          .filter(({ mail }) => (db.get(mails, mail)?.folder ?? "trash") !== "trash"),
      order: orderBy(
        descending(({ mail }, { db }) => db.get(mails, mail)!.at),
        descending(({ id }) => id),
      ),
      example: { kind: "pdf" },
    },
  ),
  attached: listApi("List the attachments of one received mail.", {
    item: attachmentItem,
    parent: [received, "mail"],
    example: (db) => ({ id: db.all(attachments)[0]?.mail ?? exampleReceivedId(db) }),
  }),
};
