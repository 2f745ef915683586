/**
 * What full messages know beyond single texts: conversations, group chats, polls, drafts and messages for later.
 *
 * What was sent stays: an edited text keeps its earlier wordings, a withdrawn post keeps its row, whoever was put out
 * of a chat keeps a row as `removed`. In chats a null `person` is the owner; people are never named otherwise.
 */
import { flag, oneOf, type RowOf, ref, tablesOf, text } from "bowline/resources";

const app = tablesOf("messages");

/** How the owner keeps the conversation with somebody; who has no row has none of it. */
export const conversations = app.table("conversations", {
  person: ref("contacts.people").indexed,
  pinned: flag,
  muted: flag,
  archived: flag,
});
export type Conversation = RowOf<typeof conversations>;

/** An earlier wording of a sent text. */
export const revisions = app.table("revisions", {
  message: ref("messages.texts").indexed,
  before: text.loose,
});

/** Not yet sent; at most one a person. Sending removes it, so it is as if the text had been sent at once. */
export const textDrafts = app.table("drafts", {
  person: ref("contacts.people").indexed,
  text: text.loose,
});

/** Leaves at that day and time, unless cancelled before. */
export const scheduledTexts = app.table("scheduled", {
  person: ref("contacts.people").indexed,
  text: text.loose,
  day: text.indexed,
  time: text,
  cancelled: flag,
});
export type ScheduledText = RowOf<typeof scheduledTexts>;

// --- group chats ---

/** From the most rights to none: `removed` people were put out, or left. */
export const CHAT_ROLES = ["owner", "admin", "member", "removed"] as const;
export type ChatRole = (typeof CHAT_ROLES)[number];

export const chats = app.table("chats", {
  /** Unique. */
  name: text.indexed,
  /** Of the person whom the agent works for; `removed` after leaving. */
  role: oneOf(CHAT_ROLES).indexed,
  /** Only the owner and admins may post. */
  announcements: flag,
  muted: flag,
});
export type Chat = RowOf<typeof chats>;

/** Everybody in the chat but the person whom the agent works for. */
export const chatMembers = app.table("chatMembers", {
  chat: ref("messages.chats").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(CHAT_ROLES),
});
export type ChatMember = RowOf<typeof chatMembers>;

export const posts = app.table("posts", {
  chat: ref("messages.chats").indexed,
  /** Null: by the owner. */
  person: ref("contacts.people").orNull.indexed,
  text: text.loose,
  /** The post that this one answers; null for a new one. */
  replyTo: ref("messages.posts").orNull,
  pinned: flag,
  /** Taken back by its author: no API shows its text any more. */
  withdrawn: flag,
  unread: flag.bookkeeping,
  at: text.derived,
});
export type Post = RowOf<typeof posts>;

export const polls = app.table("polls", {
  chat: ref("messages.chats").indexed,
  /** Null: by the owner. */
  person: ref("contacts.people").orNull.indexed,
  question: text.loose,
  /** 2 to 6, all different. */
  choices: text.many,
  closed: flag,
});
export type Poll = RowOf<typeof polls>;

/** At most one a person and poll; a later vote replaces it. */
export const votes = app.table("votes", {
  poll: ref("messages.polls").indexed,
  /** Null: by the owner. */
  person: ref("contacts.people").orNull.indexed,
  choice: text,
});
export type Vote = RowOf<typeof votes>;

export const moreMessageTables = app.tables;
