/**
 * Defines the full messages app. It has the APIs of the starter for single texts, and more APIs: for conversations,
 * scheduled messages, and group chats with polls.
 */
import { defineApp } from "bowline/world";
import { chatMemberApis } from "./chat-members.ts";
import { chatApis } from "./chats.ts";
import { conversationApis } from "./conversations.ts";
import { draftAndScheduleApis } from "./drafts-and-scheduled.ts";
import { editingApis } from "./editing.ts";
import { messages } from "./index.ts";
import { pollApis } from "./polls.ts";
import { postApis } from "./posts.ts";
import { moreMessageTables } from "./tables.ts";

export const fullMessages = defineApp({
  ...messages,
  summary: "Short messages to and from contacts, group chats with roles and polls, drafts.",
  tables: [...messages.tables, ...moreMessageTables],
  apis: {
    ...messages.apis,
    ...conversationApis,
    ...editingApis,
    ...draftAndScheduleApis,
    ...chatApis,
    ...chatMemberApis,
    ...postApis,
    ...pollApis,
  },
});
