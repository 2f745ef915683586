/** Defines the APIs that list group chats and their members with roles, and that make and change group chats. */

import {
  booleanParam,
  containsIgnoringCase,
  countReferencingRows,
  defineItem,
  filterWhere,
  listApi,
  newestFirst,
  orderBy,
  queryParam,
  refuseUnless,
  resource,
  shortTextParam,
  withoutUndefined,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  exampleHandle,
  handleParam,
  leavingOut,
  personFields,
  personFilter,
  requireReceiver,
} from "../shared.ts";
import { people } from "../tables.ts";
import { chatParam, presentMembers, requireChat } from "./chat-access.ts";
import { exampleChatName } from "./examples.ts";
import { CHAT_ROLES, type Chat, type ChatRole, chatMembers, chats, posts } from "./tables.ts";

const role = z.enum(CHAT_ROLES);

/** A chat in a list. `members` counts the other members without the owner. */
const chatItem = defineItem(chats, {
  ...chats.fields("name", "role"),
  members: [z.int(), (row, { db }) => presentMembers(db, row).length],
  unread: countReferencingRows(posts, "chat", { unread: true }),
  muted: z.boolean(),
});

const visiblePosts = (db: Reader, chat: number) =>
  newestFirst(db.where(posts, { chat, withdrawn: false }));
const chatDetailsItem = chatItem.with({
  announcements: z.boolean(),
  posts: [z.int(), ({ id }, { db }) => visiblePosts(db, id).length],
  last: [z.string().nullable(), ({ id }, { db }) => visiblePosts(db, id)[0]?.text ?? null],
});

export const memberItem = defineItem(chatMembers, { ...personFields, role });

/** Makes a resource of the chats in which the owner has at least this role. */
const chatResource = (needed: ChatRole) =>
  resource({
    noun: "chat",
    item: chatItem,
    keys: { chat: chatParam },
    keyIsName: true,
    find: ({ chat }, { db }) => requireChat(db, chat, needed),
    example: (db, fits) => ({ chat: exampleChatName(db, "owner", fits) }),
  });
const anyChat = chatResource("removed");
const insideChat = chatResource("member");
export const administeredChat = chatResource("admin");
export const ownChat = chatResource("owner");

const isMuted = ({ muted, role }: Chat) => muted && role !== "removed";

export const chatApis = {
  chats: anyChat.list(
    leavingOut(
      "List group chats by name with the owner's role and the number of other members.",
      "those that the owner left are",
      true,
    ),
    {
      params: {
        role: role
          .optional()
          .describe("only with this role; removed: chats that the owner left, else not listed"),
      },
      filters: {
        person: personFilter("only with this person", "person", (row: Chat, person, db) =>
          presentMembers(db, row).some((member) => member.person === person),
        ),
        muted: booleanParam("only muted ones, or only others"),
        query: [queryParam, filterWhere(({ name }, words) => containsIgnoringCase(name, words))],
      },
      rows: ({ role }, { db }) =>
        db.where(chats, withoutUndefined({ role })).filter((row) => role || row.role !== "removed"),
      order: orderBy(({ name }) => name),
      example: { role: "owner" },
    },
  ),
  chat: anyChat.show("Show a group chat with the number of its posts and its last one.", {
    item: chatDetailsItem,
  }),
  chatMembers: listApi(
    "List who is in a chat beside the owner, by name; who left is left out unless asked for.",
    {
      item: memberItem,
      parent: [anyChat, "chat"],
      params: {
        role: role.optional().describe("only with this role; removed: who was put out or left"),
      },
      rows: ({ role }, { db }) =>
        db
          .all(chatMembers)
          .filter((row) => (role ? row.role === role : row.role !== "removed"))
          .filter(({ person }) => db.get(people, person)),
      order: orderBy(({ person }, { db }) => db.get(people, person)!.name),
      example: (db) => ({ chat: exampleChatName(db) }),
    },
  ),
  createChat: anyChat.add("Start a group chat of which the owner is the owner.", {
    params: {
      name: shortTextParam("name of the new chat"),
      people: z
        .array(handleParam("a member"))
        .min(1)
        .max(20)
        .describe("handles of the other members"),
      announcements: z
        .boolean()
        .default(false)
        .describe("true: only the owner and admins may post"),
    },
    row: ({ name, people: handles, announcements }, { db }) => {
      const ids = new Set(handles.map((handle) => requireReceiver(db, handle, "people").id));
      refuseUnless(ids.size === handles.length, 422, "people: expected each person once");
      const row = db.insert(chats, { name, role: "owner", announcements, muted: false });
      for (const person of ids) db.insert(chatMembers, { chat: row.id, person, role: "member" });
      return row;
    },
    example: (db) => ({
      name: "Allotment friends",
      people: [exampleHandle(db), exampleHandle(db, 1)],
    }),
  }),
  renameChat: ownChat.change("Rename a chat that the owner owns.", {
    params: { name: shortTextParam("the new name") },
    example: { name: "Allotment friends" },
  }),
  muteChat: insideChat.change("Mute a chat.", {
    set: { muted: true },
    already: ({ name }) => `chat: "${name}" has muted true already`,
  }),
  unmuteChat: insideChat.change("Unmute a chat.", {
    set: { muted: false },
    already: ({ name }) => `chat: "${name}" has muted false already`,
    example: (db) => ({ chat: db.all(chats).find(isMuted)?.name ?? exampleChatName(db) }),
  }),
  announce: ownChat.change("Say whether only the owner and admins of a chat may post.", {
    params: { only: booleanParam("true: only the owner and admins; false: everybody") },
    set: ({ name, announcements }, { only }) => {
      const refusal = `chat: "${name}" has announcements ${only} already`;
      refuseUnless(announcements !== only, 409, refusal);
      return { announcements: only };
    },
    example: { only: true },
    isExample: ({ announcements }) => !announcements,
  }),
  leaveChat: insideChat.change("Leave a chat for good; its owner hands it over first.", {
    set: { role: "removed" },
    checkRow: (row, _, { db }) => {
      const mustHandOver = row.role === "owner" && presentMembers(db, row).length > 0;
      refuseUnless(
        !mustHandOver,
        409,
        `chat: the owner owns "${row.name}"; messages.handOver first`,
      );
    },
    example: (db) => ({ chat: exampleChatName(db, "member") }),
  }),
};
