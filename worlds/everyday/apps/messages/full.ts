/** Messages in full: beside single texts, conversations, what is sent later, and group chats with polls. */
import { defineApp } from "bowline/world";
import { chatPeopleApis } from "./chat-people.ts";
import { chatApis } from "./chats.ts";
import { editingApis } from "./editing.ts";
import { messages } from "./index.ts";
import { laterApis } from "./later.ts";
import { pollApis } from "./polls.ts";
import { postApis } from "./posts.ts";
import { moreMessageTables } from "./tables.ts";
import { threadApis } from "./threads.ts";

export const fullMessages = defineApp({
  ...messages,
  summary: "Short messages to and from contacts, group chats with roles and polls, drafts.",
  tables: [...messages.tables, ...moreMessageTables],
  apis: {
    ...messages.apis,
    ...threadApis,
    ...editingApis,
    ...laterApis,
    ...chatApis,
    ...chatPeopleApis,
    ...postApis,
    ...pollApis,
  },
});
