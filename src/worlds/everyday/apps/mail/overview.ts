/** Looking over mail: filters and order, sent mails in full, threads, counts, correspondents, attachments. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  day,
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
  rowBy,
} from "../shared.ts";
import { type Mail, mails, people } from "../tables.ts";
import { idIn, received, sentOne } from "./examples.ts";
import {
  ATTACHMENT_KINDS,
  type Attachment,
  attachments,
  copies,
  drafts,
  recalls,
} from "./tables.ts";
import { receivedMail } from "./views.ts";

const foundItem = z.strictObject({
  subject: z.string(),
  id: z.int(),
  from: z.string(),
  day: z.string(),
  folder: z.string(),
  attachments: z.int(),
});

const foundView = (db: Reader) => (row: Mail) => ({
  subject: row.subject,
  id: row.id,
  from: handleOf(db, row.person),
  day: dayOf(row.at),
  folder: row.folder,
  attachments: db.where(attachments, { mail: row.id }).length,
});

const find = defineApi({
  summary: "Find received mail by several filters at once, in the order asked for.",
  params: z.strictObject({
    folder: z
      .enum(["inbox", "archive", "trash"])
      .optional()
      .describe("only in this folder; all but the trash when left out"),
    from: handle("only from this person").optional(),
    subject: line("only with these words in the subject; case is ignored").optional(),
    label: line("only with this label").optional(),
    since: day("only received on this day or later").optional(),
    until: day("only received on this day or earlier").optional(),
    attached: z.boolean().optional().describe("only with attachments, or only without"),
    sort: z
      .enum(["newest", "oldest", "subject"])
      .default("newest")
      .describe("which come first; subjects from A to Z, equal ones newest first"),
    ...paging,
  }),
  returns: pageOf(foundItem),
  example: () => ({ since: "2026-03-01", attached: true }),
  handler: ({ db }, { folder, from, label, sort, page, size, ...rest }) => {
    const match = given({ outgoing: false, folder, label, person: personId(db, from, "from") });
    const rows = db.where(mails, match).filter((row) => fits(db, row, folder, rest));
    return paged(sorted(rows, sort), { page, size }, foundView(db));
  },
});

interface Limits {
  readonly subject?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly attached?: boolean | undefined;
}

function fits(db: Reader, row: Mail, folder: string | undefined, limits: Limits): boolean {
  const { subject, since, until, attached } = limits;
  if (folder === undefined && row.folder === "trash") return false;
  if (subject !== undefined && !contains(row.subject, subject)) return false;
  if (since !== undefined && dayOf(row.at) < since) return false;
  if (until !== undefined && dayOf(row.at) > until) return false;
  if (attached === undefined) return true;
  return db.where(attachments, { mail: row.id }).length > 0 === attached;
}

function sorted(rows: readonly Mail[], sort: "newest" | "oldest" | "subject"): readonly Mail[] {
  const newest = newestFirst(rows);
  if (sort === "newest") return newest;
  if (sort === "oldest") return newest.toReversed();
  return newest.toSorted((a, b) => (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0));
}

const head = defineApi({
  summary: "Show a received mail without its body; it does not count as read by that.",
  params: z.strictObject({ id: idOf("received mail") }),
  returns: foundItem.extend({ label: z.string().nullable(), starred: z.boolean() }),
  example: (db) => ({ id: received(db) }),
  handler: ({ db }, { id }) => {
    const row = receivedMail(db, id);
    return { ...foundView(db)(row), label: row.label, starred: row.starred };
  },
});

/** A mail that the owner sent; otherwise a 404 or 422. */
export function sentMail(db: Reader, id: number): Mail {
  const row = rowBy(db, mails, id, "mail");
  if (row.outgoing) return row;
  throw new ApiError(422, `id: expected a sent mail, got ${id}, which the owner received`);
}

export function copied(db: Reader, mail: number): string[] {
  return db.where(copies, { mail }).map((copy) => handleOf(db, copy.person));
}

const showSent = defineApi({
  summary: "Show a sent mail with its body, who got a copy, and whether it was recalled.",
  params: z.strictObject({ id: idOf("sent mail") }),
  returns: z.strictObject({
    subject: z.string(),
    id: z.int(),
    to: z.string(),
    copies: z.array(z.string()),
    body: z.string(),
    day: z.string(),
    recalled: z.boolean(),
  }),
  example: (db) => ({ id: sentOne(db) }),
  handler: ({ db }, args) => {
    const { subject, id, person, body, at } = sentMail(db, args.id);
    const recalled = db.where(recalls, { mail: id }).length > 0;
    const to = handleOf(db, person);
    return { subject, id, to, copies: copied(db, id), body, day: dayOf(at), recalled };
  },
});

const copiesOf = defineApi({
  summary: "List who else got a copy of a mail, received or sent.",
  params: z.strictObject({ id: idOf("mail"), ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), handle: z.string() })),
  example: (db) => ({ id: db.all(copies)[0]?.mail ?? received(db) }),
  handler: ({ db }, { id, ...page }) => {
    const rows = db.where(copies, { mail: rowBy(db, mails, id, "mail").id });
    return paged(rows, page, ({ person }) => ({
      name: db.get(people, person)?.name ?? "removed",
      handle: handleOf(db, person),
    }));
  },
});

const thread = defineApi({
  summary: "List all mails of a conversation, oldest first: what was sent, answered and forwarded.",
  params: z.strictObject({ id: idOf("any mail of the conversation"), ...paging }),
  returns: pageOf(
    z.strictObject({
      subject: z.string(),
      id: z.int(),
      with: z.string(),
      sent: z.boolean(),
      day: z.string(),
    }),
  ),
  example: (db) => ({ id: idIn(db, mails, (row) => row.origin !== null) }),
  handler: ({ db }, { id, ...page }) => {
    const rows = newestFirst(conversation(db, rowBy(db, mails, id, "mail"))).toReversed();
    return paged(rows, page, (row) => ({
      subject: row.subject,
      id: row.id,
      with: handleOf(db, row.person),
      sent: row.outgoing,
      day: dayOf(row.at),
    }));
  },
});

/** Up to the first mail, then all that refer to it directly or not. An answer has a higher id than its origin. */
export function conversation(db: Reader, mail: Mail): Mail[] {
  let root = mail;
  while (root.origin !== null) root = db.get(mails, root.origin)!;
  const inside = new Set([root.id]);
  return db.all(mails).filter((row) => {
    if (row.origin !== null && inside.has(row.origin)) inside.add(row.id);
    return inside.has(row.id);
  });
}

const counts = defineApi({
  summary: "Count mails by folder, and the unread and starred ones in the inbox.",
  params: z.strictObject({}),
  returns: z.strictObject({
    inbox: z.int(),
    unread: z.int(),
    starred: z.int(),
    archive: z.int(),
    trash: z.int(),
    sent: z.int(),
    drafts: z.int(),
  }),
  example: () => ({}),
  handler: ({ db }) => {
    const lying = (match: Partial<Mail>) => db.where(mails, { outgoing: false, ...match }).length;
    return {
      inbox: lying({ folder: "inbox" }),
      unread: lying({ folder: "inbox", unread: true }),
      starred: lying({ folder: "inbox", starred: true }),
      archive: lying({ folder: "archive" }),
      trash: lying({ folder: "trash" }),
      sent: db.where(mails, { outgoing: true }).length,
      drafts: db.all(drafts).length,
    };
  },
});

const correspondents = defineApi({
  summary:
    "List the people of all mail outside the trash with how many mails, most received first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(
    z.strictObject({
      name: z.string(),
      handle: z.string(),
      received: z.int(),
      sent: z.int(),
    }),
  ),
  example: () => ({ size: 10 }),
  handler: ({ db }, page) => {
    const tally = new Map<number, { received: number; sent: number }>();
    for (const { person, outgoing, folder } of db.all(mails)) {
      if (folder === "trash") continue;
      const count = tally.get(person) ?? { received: 0, sent: 0 };
      count[outgoing ? "sent" : "received"] += 1;
      tally.set(person, count);
    }
    const rows = [...tally].map(([person, count]) => ({
      name: db.get(people, person)?.name ?? "removed",
      handle: handleOf(db, person),
      ...count,
    }));
    const ranked = rows.toSorted((a, b) =>
      a.received === b.received ? (a.handle < b.handle ? -1 : 1) : b.received - a.received,
    );
    return paged(ranked, page, (row) => row);
  },
});

const attachmentItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  mail: z.int(),
  kind: z.enum(ATTACHMENT_KINDS),
  kilobytes: z.int(),
});

const attachmentView = ({ name, id, mail, kind, kilobytes }: Attachment) => ({
  name,
  id,
  mail,
  kind,
  kilobytes,
});

const listAttachments = defineApi({
  summary: "List the attachments of received mail outside the trash, of the newest mail first.",
  params: z.strictObject({
    kind: z.enum(ATTACHMENT_KINDS).optional().describe("only of this kind"),
    from: handle("only sent by this person").optional(),
    ...paging,
  }),
  returns: pageOf(attachmentItem),
  example: () => ({ kind: "pdf" }) as const,
  handler: ({ db }, { kind, from, ...page }) => {
    const person = personId(db, from, "from");
    const rows = db.where(attachments, given({ kind })).flatMap((row) => {
      const mail = db.get(mails, row.mail);
      if (!mail || mail.folder === "trash") return [];
      return person === undefined || mail.person === person ? [{ ...row, at: mail.at }] : [];
    });
    return paged(newestFirst(rows), page, attachmentView);
  },
});

const attached = defineApi({
  summary: "List the attachments of one received mail.",
  params: z.strictObject({ id: idOf("received mail"), ...paging }),
  returns: pageOf(attachmentItem),
  example: (db) => ({ id: db.all(attachments)[0]?.mail ?? received(db) }),
  handler: ({ db }, { id, ...page }) =>
    paged(db.where(attachments, { mail: receivedMail(db, id).id }), page, attachmentView),
});

export const overviewApis = {
  find,
  head,
  showSent,
  copies: copiesOf,
  thread,
  counts,
  correspondents,
  attachments: listAttachments,
  attached,
};
