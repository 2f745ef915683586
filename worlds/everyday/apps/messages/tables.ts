/**
 * Defines the tables of the full messages app beyond single texts: conversations, group chats, polls, drafts and
 * scheduled messages.
 *
 * Rows of sent things are never removed: an edited text keeps its earlier wordings, a withdrawn post keeps its row, and
 * a person who was removed from a chat keeps a row with the role `removed`. In tables of chats, `person` is null for
 * the owner.
 */
import { declareTables, flag, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("messages");

/** The flags of the owner's conversations with people. A conversation without a row has no flag set. */
export const conversations = app.table("conversations", {
  person: ref("contacts.people").indexed,
  pinned: flag,
  muted: flag,
  archived: flag,
});
export type Conversation = RowOf<typeof conversations>;

/** The earlier wordings of sent texts. */
export const revisions = app.table("revisions", {
  message: ref("messages.texts").indexed,
  before: text.loose,
});

/**
 * The texts that are not sent yet, at most one for each person. Sending a draft removes it, as if the text had been
 * sent at once.
 */
export const textDrafts = app.table("drafts", {
  person: ref("contacts.people").indexed,
  text: text.loose,
});

/** The scheduled messages. Each is sent at its day and time unless it is cancelled before. */
export const scheduledTexts = app.table("scheduled", {
  person: ref("contacts.people").indexed,
  text: text.loose,
  day: text.indexed,
  time: text,
  cancelled: flag,
});
export type ScheduledText = RowOf<typeof scheduledTexts>;

/** The roles in a chat, from the most rights to none. People with the role `removed` were removed, or left. */
export const CHAT_ROLES = ["owner", "admin", "member", "removed"] as const;
export type ChatRole = (typeof CHAT_ROLES)[number];

export const chats = app.table("chats", {
  /** The name, which is unique among chats. */
  name: text.indexed,
  /** The role of the person whom the agent works for. It is `removed` after leaving the chat. */
  role: oneOf(CHAT_ROLES).indexed,
  /** True when only the owner and admins may post in the chat. */
  announcements: flag,
  muted: flag,
});
export type Chat = RowOf<typeof chats>;

/** The members of chats, except the person whom the agent works for. */
export const chatMembers = app.table("chatMembers", {
  chat: ref("messages.chats").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(CHAT_ROLES),
});
export type ChatMember = RowOf<typeof chatMembers>;

export const posts = app.table("posts", {
  chat: ref("messages.chats").indexed,
  /** The author of the post, or null when it is by the owner. */
  person: ref("contacts.people").orNull.indexed,
  text: text.loose,
  /** The post that this one answers, or null when it answers none. */
  replyTo: ref("messages.posts").orNull,
  pinned: flag,
  /** True when the author has withdrawn the post. No API shows its text any more. */
  withdrawn: flag,
  unread: flag.bookkeeping,
  at: text.derived,
});
export type Post = RowOf<typeof posts>;

export const polls = app.table("polls", {
  chat: ref("messages.chats").indexed,
  /** The person who started the poll, or null when the owner did. */
  person: ref("contacts.people").orNull.indexed,
  question: text.loose,
  /** The 2 to 6 choices, which are all different. */
  choices: text.many,
  closed: flag,
});
export type Poll = RowOf<typeof polls>;

/** The votes, at most one for each person and poll. A later vote replaces an earlier one. */
export const votes = app.table("votes", {
  poll: ref("messages.polls").indexed,
  /** The person who voted, or null for the owner's vote. */
  person: ref("contacts.people").orNull.indexed,
  choice: text,
});
export type Vote = RowOf<typeof votes>;

export const moreMessageTables = app.tables;
