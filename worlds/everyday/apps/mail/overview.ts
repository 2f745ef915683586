/** Looking over mail: filters and order, sent mails in full, threads, counts, correspondents, attachments. */

import {
  asIs,
  by,
  contains,
  countOf,
  countsApi,
  day,
  falling,
  idOf,
  itemOf,
  line,
  listing,
  newestFirst,
  resource,
  when,
  where,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  dayOf,
  handleOf,
  ofPerson,
  onDay,
  rowBy,
  theirHandle,
  theirName,
  withPerson,
} from "../shared.ts";
import { type Mail, mails, people } from "../tables.ts";
import {
  ATTACHMENT_KINDS,
  type Attachment,
  attachments,
  copies,
  drafts,
  recalls,
} from "./tables.ts";
import { mailItem, newest, received, sentMail } from "./views.ts";

const foundItem = itemOf(mails, {
  ...mails.fields("subject", "id"),
  from: theirHandle,
  day: onDay,
  folder: z.string(),
  attachments: countOf(attachments, "mail"),
});

const sentInFull = itemOf(mails, {
  ...mails.fields("subject", "id"),
  to: theirHandle,
  copies: [
    z.array(z.string()),
    ({ id }, { db }) => db.where(copies, { mail: id }).map(({ person }) => handleOf(db, person)),
  ],
  body: z.string(),
  day: onDay,
  recalled: [z.boolean(), ({ id }, { db }) => db.where(recalls, { mail: id }).length > 0],
});

const threadItem = itemOf(mails, {
  ...mails.fields("subject", "id"),
  with: theirHandle,
  sent: [z.boolean(), ({ outgoing }) => outgoing],
  day: onDay,
});

/** Received or sent. */
const anyMail = resource({
  noun: "mail",
  item: mailItem,
});

/** Up to the first mail, then all that refer to it directly or not. An answer has a higher id than its origin. */
function conversation(db: Reader, mail: Mail): Mail[] {
  let root = mail;
  while (root.origin !== null) root = db.get(mails, root.origin)!;
  const inside = new Set([root.id]);
  return db.all(mails).filter((row) => {
    if (row.origin !== null && inside.has(row.origin)) inside.add(row.id);
    return inside.has(row.id);
  });
}

/** Everybody of mail outside the trash, most received first. */
function tallied(db: Reader) {
  const tally = new Map<number, { received: number; sent: number }>();
  for (const { person, outgoing, folder } of db.all(mails)) {
    if (folder === "trash") continue;
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

const attachmentItem = itemOf(
  attachments,
  attachments.fields("name", "id", "mail", "kind", "kilobytes"),
);

/** Received mails in a folder. */
const lying = (match: Partial<Mail>) => (db: Reader) =>
  db.where(mails, { outgoing: false, ...match });

export const overviewApis = {
  find: received.list("Find received mail by several filters at once, in the order asked for.", {
    item: foundItem,
    params: {
      folder: z
        .enum(["inbox", "archive", "trash"])
        .optional()
        .describe("only in this folder; all but the trash when left out"),
    },
    rows: ({ folder }, { db }) =>
      folder === undefined
        ? db.where(mails, { outgoing: false }).filter((row) => row.folder !== "trash")
        : { outgoing: false, folder },
    filters: {
      from: ofPerson("only from this person", "from"),
      subject: [
        line("only with these words in the subject; case is ignored"),
        where((row, words) => contains(row.subject, words)),
      ],
      label: line("only with this label"),
      since: [
        day("only received on this day or later"),
        where((row, first) => dayOf(row.at) >= first),
      ],
      until: [
        day("only received on this day or earlier"),
        where((row, last) => dayOf(row.at) <= last),
      ],
      attached: [
        z.boolean().describe("only with attachments, or only without"),
        when(({ id }, { db }) => db.where(attachments, { mail: id }).length > 0),
      ],
    },
    sorts: {
      newest: newestFirst,
      oldest: (rows) => newestFirst(rows).toReversed(),
      subject: (rows, look) => by<Mail>(({ subject }) => subject)(newestFirst(rows), look),
    },
    sort: "which come first; subjects from A to Z, equal ones newest first",
    example: { since: "2026-03-01", attached: true },
  }),
  head: received.show("Show a received mail without its body; it does not count as read by that.", {
    item: foundItem.with({ label: z.string().nullable(), starred: z.boolean() }),
  }),
  showSent: sentMail.show(
    "Show a sent mail with its body, who got a copy, and whether it was recalled.",
    { item: sentInFull },
  ),
  copies: listing("List who else got a copy of a mail, received or sent.", {
    item: itemOf(copies, { name: theirName, handle: theirHandle }),
    of: [anyMail, "mail"],
    example: (db) => ({ id: db.all(copies)[0]?.mail ?? newest(db) }),
  }),
  thread: listing(
    "List all mails of a conversation, oldest first: what was sent, answered and forwarded.",
    {
      item: threadItem,
      params: { id: idOf("any mail of the conversation") },
      rows: ({ id }, { db }) => conversation(db, rowBy(db, mails, id, "mail")),
      order: (rows) => newestFirst(rows).toReversed(),
      example: (db) => ({ id: db.all(mails).find(({ origin }) => origin !== null)?.id ?? 1 }),
    },
  ),
  counts: countsApi("Count mails by folder, and the unread and starred ones in the inbox.", {
    inbox: lying({ folder: "inbox" }),
    unread: lying({ folder: "inbox", unread: true }),
    starred: lying({ folder: "inbox", starred: true }),
    archive: lying({ folder: "archive" }),
    trash: lying({ folder: "trash" }),
    sent: (db) => db.where(mails, { outgoing: true }),
    drafts: (db) => db.all(drafts),
  }),
  correspondents: listing(
    "List the people of all mail outside the trash with how many mails, most received first.",
    {
      item: asIs({ name: z.string(), handle: z.string(), received: z.int(), sent: z.int() }),
      rows: (_, { db }) => tallied(db),
      order: by(
        falling((row) => row.received),
        (row) => row.handle,
      ),
      example: { size: 10 },
    },
  ),
  attachments: listing(
    "List the attachments of received mail outside the trash, of the newest mail first.",
    {
      item: attachmentItem,
      filters: {
        kind: z.enum(ATTACHMENT_KINDS).describe("only of this kind"),
        from: withPerson(
          "only sent by this person",
          "from",
          ({ mail }: Attachment, person, db) => db.get(mails, mail)?.person === person,
        ),
      },
      rows: (_, { db }) =>
        db
          .all(attachments)
          .filter(({ mail }) => (db.get(mails, mail)?.folder ?? "trash") !== "trash"),
      order: by(
        falling(({ mail }, { db }) => db.get(mails, mail)!.at),
        falling(({ id }) => id),
      ),
      example: { kind: "pdf" },
    },
  ),
  attached: listing("List the attachments of one received mail.", {
    item: attachmentItem,
    of: [received, "mail"],
    example: (db) => ({ id: db.all(attachments)[0]?.mail ?? newest(db) }),
  }),
};
