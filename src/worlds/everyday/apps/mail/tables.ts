/**
 * What full mail knows beyond the mails themselves: each new fact is a row of a table of its own, keyed by the mail.
 *
 * What stayed in the house (drafts, snoozes, rules, signatures, templates, mailing lists) may be removed again. What
 * left it (mails, their copies, scheduled mails, a subscription) stays as a row and changes its status.
 */
import { defineTable } from "../../../../world/index.ts";

/** Not yet sent. Sending inserts a mail and removes the draft, so it is as if the mail had been sent at once. */
export type Draft = {
  readonly id: number;
  /** Null: the receiver is still missing. */
  readonly person: number | null;
  readonly subject: string;
  readonly body: string;
  /** The received mail that it answers; null for a new one. */
  readonly origin: number | null;
};
export const drafts = defineTable<Draft>("mail.drafts", {
  indexes: ["person"],
  references: { person: "contacts.people", origin: "mail.mails" },
  loose: ["subject", "body"],
});

/** Someone other than the owner and the other side who got the mail as well. */
export type Copy = {
  readonly id: number;
  readonly mail: number;
  readonly person: number;
};
export const copies = defineTable<Copy>("mail.copies", {
  indexes: ["mail", "person"],
  references: { mail: "mail.mails", person: "contacts.people" },
});

export const ATTACHMENT_KINDS = ["pdf", "image", "table", "text"] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

/** A file that came with a received mail. */
export type Attachment = {
  readonly id: number;
  readonly mail: number;
  readonly name: string;
  readonly kind: AttachmentKind;
  readonly kilobytes: number;
};
export const attachments = defineTable<Attachment>("mail.attachments", {
  indexes: ["mail", "kind"],
  references: { mail: "mail.mails" },
});

/** The owner took the sent mail back, within half a minute. */
export type Recall = { readonly id: number; readonly mail: number };
export const recalls = defineTable<Recall>("mail.recalls", {
  indexes: ["mail"],
  references: { mail: "mail.mails" },
});

export const SCHEDULE_STATUSES = ["waiting", "cancelled"] as const;
/** Leaves at that day and time, unless cancelled before. */
export type ScheduledMail = {
  readonly id: number;
  readonly person: number;
  readonly subject: string;
  readonly body: string;
  readonly day: string;
  readonly time: string;
  readonly status: (typeof SCHEDULE_STATUSES)[number];
};
export const scheduledMails = defineTable<ScheduledMail>("mail.scheduled", {
  indexes: ["person", "status"],
  references: { person: "contacts.people" },
  loose: ["subject", "body"],
});

/** The mail waits in the archive and comes back on that day. At most one a mail. */
export type Snooze = { readonly id: number; readonly mail: number; readonly until: string };
export const snoozes = defineTable<Snooze>("mail.snoozes", {
  indexes: ["mail"],
  references: { mail: "mail.mails" },
});

/** A day by which a sent mail should have been answered. At most one a mail. */
export type FollowUp = { readonly id: number; readonly mail: number; readonly day: string };
export const followUps = defineTable<FollowUp>("mail.followUps", {
  indexes: ["mail"],
  references: { mail: "mail.mails" },
});

/** Mail in the inbox that is from this person and has these words gets the label, and goes to the folder. */
export type Rule = {
  readonly id: number;
  readonly name: string;
  /** Null: anyone. */
  readonly person: number | null;
  /** In the subject; null: any subject. */
  readonly words: string | null;
  /** Null: the label stays. */
  readonly label: string | null;
  /** Also moves the mail to the archive. */
  readonly archives: boolean;
  readonly active: boolean;
};
export const rules = defineTable<Rule>("mail.rules", {
  indexes: ["name"],
  references: { person: "contacts.people" },
});

export type Signature = {
  readonly id: number;
  readonly name: string;
  readonly text: string;
  /** One of them is. */
  readonly usual: boolean;
};
export const signatures = defineTable<Signature>("mail.signatures", {
  indexes: ["name"],
  loose: ["text"],
});

/** `{name}` in subject and body stands for the receiver's first name. */
export type Template = {
  readonly id: number;
  readonly name: string;
  readonly subject: string;
  readonly body: string;
};
export const templates = defineTable<Template>("mail.templates", {
  indexes: ["name"],
  loose: ["subject", "body"],
});

export type MailingList = { readonly id: number; readonly name: string };
export const mailingLists = defineTable<MailingList>("mail.lists", { indexes: ["name"] });

export type ListMember = { readonly id: number; readonly list: number; readonly person: number };
export const listMembers = defineTable<ListMember>("mail.listMembers", {
  indexes: ["list", "person"],
  references: { list: "mail.lists", person: "contacts.people" },
});

export const RHYTHMS = ["weekly", "monthly"] as const;
/** Written by a contact; its issues are received mails. Unsubscribing keeps the row, for it told the editor. */
export type Newsletter = {
  readonly id: number;
  readonly name: string;
  /** Who edits it. */
  readonly person: number;
  readonly rhythm: (typeof RHYTHMS)[number];
  readonly subscribed: boolean;
};
export const newsletters = defineTable<Newsletter>("mail.newsletters", {
  indexes: ["name", "person"],
  references: { person: "contacts.people" },
});

export type Issue = { readonly id: number; readonly newsletter: number; readonly mail: number };
export const issues = defineTable<Issue>("mail.issues", {
  indexes: ["newsletter", "mail"],
  references: { newsletter: "mail.newsletters", mail: "mail.mails" },
});

export const moreMailTables = [
  drafts,
  copies,
  attachments,
  recalls,
  scheduledMails,
  snoozes,
  followUps,
  rules,
  signatures,
  templates,
  mailingLists,
  listMembers,
  newsletters,
  issues,
] as const;
