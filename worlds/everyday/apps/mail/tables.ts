/**
 * What full mail knows beyond the mails themselves: each new fact is a row of a table of its own, keyed by the mail.
 *
 * What stayed in the house (drafts, snoozes, rules, signatures, templates, mailing lists) may be removed again. What
 * left it (mails, their copies, scheduled mails, a subscription) stays as a row and changes its status.
 */
import { flag, int, oneOf, type RowOf, ref, tablesOf, text } from "bowline/resources";

const app = tablesOf("mail");

/** Not yet sent. Sending inserts a mail and removes the draft, so it is as if the mail had been sent at once. */
export const drafts = app.table("drafts", {
  /** Null: the receiver is still missing. */
  person: ref("contacts.people").orNull.indexed,
  subject: text.loose,
  body: text.loose,
  /** The received mail that it answers; null for a new one. */
  origin: ref("mail.mails").orNull,
});
export type Draft = RowOf<typeof drafts>;

/** Someone other than the owner and the other side who got the mail as well. */
export const copies = app.table("copies", {
  mail: ref("mail.mails").indexed,
  person: ref("contacts.people").indexed,
});
export type Copy = RowOf<typeof copies>;

export const ATTACHMENT_KINDS = ["pdf", "image", "table", "text"] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

/** A file that came with a received mail. */
export const attachments = app.table("attachments", {
  mail: ref("mail.mails").indexed,
  name: text,
  kind: oneOf(ATTACHMENT_KINDS).indexed,
  kilobytes: int,
});
export type Attachment = RowOf<typeof attachments>;

/** The owner took the sent mail back, within half a minute. */
export const recalls = app.table("recalls", { mail: ref("mail.mails").indexed });

export const SCHEDULE_STATUSES = ["waiting", "cancelled"] as const;
/** Leaves at that day and time, unless cancelled before. */
export const scheduledMails = app.table("scheduled", {
  person: ref("contacts.people").indexed,
  subject: text.loose,
  body: text.loose,
  day: text,
  time: text,
  status: oneOf(SCHEDULE_STATUSES).indexed,
});
export type ScheduledMail = RowOf<typeof scheduledMails>;

/** The mail waits in the archive and comes back on that day. At most one a mail. */
export const snoozes = app.table("snoozes", { mail: ref("mail.mails").indexed, until: text });
export type Snooze = RowOf<typeof snoozes>;

/** A day by which a sent mail should have been answered. At most one a mail. */
export const followUps = app.table("followUps", { mail: ref("mail.mails").indexed, day: text });

/** Mail in the inbox that is from this person and has these words gets the label, and goes to the folder. */
export const rules = app.table("rules", {
  name: text.indexed,
  /** Null: anyone. */
  person: ref("contacts.people").orNull,
  /** In the subject; null: any subject. */
  words: text.orNull,
  /** Null: the label stays. */
  label: text.orNull,
  /** Also moves the mail to the archive. */
  archives: flag,
  active: flag,
});
export type Rule = RowOf<typeof rules>;

export const signatures = app.table("signatures", {
  name: text.indexed,
  text: text.loose,
  /** One of them is. */
  usual: flag,
});

/** `{name}` in subject and body stands for the receiver's first name. */
export const templates = app.table("templates", {
  name: text.indexed,
  subject: text.loose,
  body: text.loose,
});

export const mailingLists = app.table("lists", { name: text.indexed });
export type MailingList = RowOf<typeof mailingLists>;

export const listMembers = app.table("listMembers", {
  list: ref("mail.lists").indexed,
  person: ref("contacts.people").indexed,
});

export const RHYTHMS = ["weekly", "monthly"] as const;
/** Written by a contact; its issues are received mails. Unsubscribing keeps the row, for it told the editor. */
export const newsletters = app.table("newsletters", {
  name: text.indexed,
  /** Who edits it. */
  person: ref("contacts.people").indexed,
  rhythm: oneOf(RHYTHMS),
  subscribed: flag,
});
export type Newsletter = RowOf<typeof newsletters>;

export const issues = app.table("issues", {
  newsletter: ref("mail.newsletters").indexed,
  mail: ref("mail.mails").indexed,
});
export type Issue = RowOf<typeof issues>;

export const moreMailTables = app.tables;
