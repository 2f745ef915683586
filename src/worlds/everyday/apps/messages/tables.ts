/**
 * What full messages know beyond single texts: conversations, group chats, polls, drafts and messages for later.
 *
 * What was sent stays: an edited text keeps its earlier wordings, a withdrawn post keeps its row, whoever was put out
 * of a chat keeps a row as `removed`. In chats a null `person` is the owner; people are never named otherwise.
 */
import { defineTable } from "../../../../world/index.ts";

/** How the owner keeps the conversation with somebody; who has no row has none of it. */
export type Conversation = {
  readonly id: number;
  readonly person: number;
  readonly pinned: boolean;
  readonly muted: boolean;
  readonly archived: boolean;
};
export const conversations = defineTable<Conversation>("messages.conversations", {
  indexes: ["person"],
  references: { person: "contacts.people" },
});

/** An earlier wording of a sent text. */
export type Revision = {
  readonly id: number;
  readonly message: number;
  readonly before: string;
};
export const revisions = defineTable<Revision>("messages.revisions", {
  indexes: ["message"],
  references: { message: "messages.texts" },
  loose: ["before"],
});

/** Not yet sent; at most one a person. Sending removes it, so it is as if the text had been sent at once. */
export type TextDraft = {
  readonly id: number;
  readonly person: number;
  readonly text: string;
};
export const textDrafts = defineTable<TextDraft>("messages.drafts", {
  indexes: ["person"],
  references: { person: "contacts.people" },
  loose: ["text"],
});

/** Leaves at that day and time, unless cancelled before. */
export type ScheduledText = {
  readonly id: number;
  readonly person: number;
  readonly text: string;
  readonly day: string;
  readonly time: string;
  readonly cancelled: boolean;
};
export const scheduledTexts = defineTable<ScheduledText>("messages.scheduled", {
  indexes: ["person", "day"],
  references: { person: "contacts.people" },
  loose: ["text"],
});

// --- group chats ---

/** From the most rights to none: `removed` people were put out, or left. */
export const CHAT_ROLES = ["owner", "admin", "member", "removed"] as const;
export type ChatRole = (typeof CHAT_ROLES)[number];

export type Chat = {
  readonly id: number;
  /** Unique. */
  readonly name: string;
  /** Of the person whom the agent works for; `removed` after leaving. */
  readonly role: ChatRole;
  /** Only the owner and admins may post. */
  readonly announcements: boolean;
  readonly muted: boolean;
};
export const chats = defineTable<Chat>("messages.chats", { indexes: ["name", "role"] });

/** Everybody in the chat but the person whom the agent works for. */
export type ChatMember = {
  readonly id: number;
  readonly chat: number;
  readonly person: number;
  readonly role: ChatRole;
};
export const chatMembers = defineTable<ChatMember>("messages.chatMembers", {
  indexes: ["chat", "person"],
  references: { chat: "messages.chats", person: "contacts.people" },
});

export type Post = {
  readonly id: number;
  readonly chat: number;
  /** Null: by the owner. */
  readonly person: number | null;
  readonly text: string;
  /** The post that this one answers; null for a new one. */
  readonly replyTo: number | null;
  readonly pinned: boolean;
  /** Taken back by its author: no API shows its text any more. */
  readonly withdrawn: boolean;
  readonly unread: boolean;
  readonly at: string;
};
export const posts = defineTable<Post>("messages.posts", {
  indexes: ["chat", "person"],
  classes: { unread: "bookkeeping", at: "derived" },
  references: { chat: "messages.chats", person: "contacts.people", replyTo: "messages.posts" },
  loose: ["text"],
});

export type Poll = {
  readonly id: number;
  readonly chat: number;
  /** Null: by the owner. */
  readonly person: number | null;
  readonly question: string;
  /** 2 to 6, all different. */
  readonly choices: readonly string[];
  readonly closed: boolean;
};
export const polls = defineTable<Poll>("messages.polls", {
  indexes: ["chat", "person"],
  references: { chat: "messages.chats", person: "contacts.people" },
  loose: ["question"],
});

/** At most one a person and poll; a later vote replaces it. */
export type Vote = {
  readonly id: number;
  readonly poll: number;
  /** Null: by the owner. */
  readonly person: number | null;
  readonly choice: string;
};
export const votes = defineTable<Vote>("messages.votes", {
  indexes: ["poll", "person"],
  references: { poll: "messages.polls", person: "contacts.people" },
});

export const moreMessageTables = [
  conversations,
  revisions,
  textDrafts,
  scheduledTexts,
  chats,
  chatMembers,
  posts,
  polls,
  votes,
] as const;
