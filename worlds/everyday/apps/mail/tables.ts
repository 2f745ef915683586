/**
 * Defines the tables of the full mail app beyond the mails. Each kind of fact has a table of its own, keyed by the
 * mail.
 *
 * Rows that only the owner has seen (drafts, snoozes, rules, signatures, templates, mailing lists) may be removed
 * again. Rows that others have seen (mails, their copies, scheduled mails, a subscription) are never removed, but their
 * status changes.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("mail");

/**
 * The mails that are not sent yet. Sending a draft inserts a mail and removes the draft, as if the mail had been sent
 * at once.
 */
export const drafts = app.table("drafts", {
  /** The receiver, or null when there is none yet. */
  person: ref("contacts.people").orNull.indexed,
  subject: text.loose,
  body: text.loose,
  /** The received mail that the draft answers, or null when it answers none. */
  origin: ref("mail.mails").orNull,
});
export type Draft = RowOf<typeof drafts>;

/** The copies of a mail: the people who got it besides its sender and its receiver. */
export const copies = app.table("copies", {
  mail: ref("mail.mails").indexed,
  person: ref("contacts.people").indexed,
});
export type Copy = RowOf<typeof copies>;

/** The senders of received mails that come from nobody among the contacts: companies and strangers. */
export const senders = app.table("senders", {
  mail: ref("mail.mails").indexed,
  /** The name that the mail gives. No contact has this name. */
  name: text.indexed,
});

export const ATTACHMENT_KINDS = ["pdf", "image", "table", "text"] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

/** The attachments: files that came with a received mail. */
export const attachments = app.table("attachments", {
  mail: ref("mail.mails").indexed,
  name: text,
  kind: oneOf(ATTACHMENT_KINDS).indexed,
  kilobytes: int,
});
export type Attachment = RowOf<typeof attachments>;

/** The mails that the owner recalled within half a minute after sending them. */
export const recalls = app.table("recalls", { mail: ref("mail.mails").indexed });

export const SCHEDULE_STATUSES = ["waiting", "cancelled"] as const;
/** The scheduled mails. Each is sent at its day and time unless it is cancelled before. */
export const scheduledMails = app.table("scheduled", {
  person: ref("contacts.people").indexed,
  subject: text.loose,
  body: text.loose,
  day: text,
  time: text,
  status: oneOf(SCHEDULE_STATUSES).indexed,
});
export type ScheduledMail = RowOf<typeof scheduledMails>;

/**
 * The snoozed mails. A snoozed mail waits in the archive and comes back on the day `until`. A mail is snoozed at most
 * once.
 */
export const snoozes = app.table("snoozes", { mail: ref("mail.mails").indexed, until: text });
export type Snooze = RowOf<typeof snoozes>;

/** The days by which sent mails should be answered, at most one for each mail. */
export const followUps = app.table("followUps", { mail: ref("mail.mails").indexed, day: text });

/** The rules. Mail in the inbox that is from this person and has these words gets the label and may be archived. */
export const rules = app.table("rules", {
  name: text.indexed,
  /** The sender that the rule is about, or null for any sender. */
  person: ref("contacts.people").orNull,
  /** The words that the subject must contain, or null for any subject. */
  words: text.orNull,
  /** The label that the mail gets, or null when the rule does not change the label. */
  label: text.orNull,
  /** The rule also moves the mail to the archive. */
  archives: flag,
  active: flag,
});
export type Rule = RowOf<typeof rules>;

export const signatures = app.table("signatures", {
  name: text.indexed,
  text: text.loose,
  /** True for the signature that is used by default. Exactly one signature is the default. */
  usual: flag,
});

/** The templates. `{name}` in subject and body stands for the receiver's first name. */
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
/**
 * The newsletters. Each newsletter is written by a contact, and its issues are received mails. Unsubscribing keeps the
 * row, because the contact has seen the subscription.
 */
export const newsletters = app.table("newsletters", {
  name: text.indexed,
  /** The person who edits the newsletter. */
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
