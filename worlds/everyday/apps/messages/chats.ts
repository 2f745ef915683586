/** Group chats as such: which there are, who is in them with which role, and what the owner's role allows. */

import {
  by,
  contains,
  countOf,
  either,
  given,
  itemOf,
  line,
  listing,
  must,
  newestFirst,
  query,
  resource,
  where,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handle, receiver, someone, who, withPerson } from "../shared.ts";
import { people } from "../tables.ts";
import { chatBy, chatParam, present } from "./chat-access.ts";
import { chatName } from "./examples.ts";
import { CHAT_ROLES, type Chat, type ChatRole, chatMembers, chats, posts } from "./tables.ts";

const role = z.enum(CHAT_ROLES);

/** `members` are the others; the owner is not counted. */
const chatItem = itemOf(chats, {
  ...chats.fields("name", "role"),
  members: [z.int(), (row, { db }) => present(db, row).length],
  unread: countOf(posts, "chat", { unread: true }),
  muted: z.boolean(),
});

const shown = (db: Reader, chat: number) =>
  newestFirst(db.where(posts, { chat, withdrawn: false }));
const wholeItem = chatItem.with({
  announcements: z.boolean(),
  posts: [z.int(), ({ id }, { db }) => shown(db, id).length],
  last: [z.string().nullable(), ({ id }, { db }) => shown(db, id)[0]?.text ?? null],
});

export const memberItem = itemOf(chatMembers, { ...who, role });

/** Chats in which the owner has at least this role. */
const chatsAs = (needed: ChatRole) =>
  resource({
    noun: "chat",
    item: chatItem,
    keys: { chat: chatParam },
    named: true,
    find: ({ chat }, { db }) => chatBy(db, chat, needed),
    example: (db, fits) => ({ chat: chatName(db, "owner", fits) }),
  });
const anyChat = chatsAs("removed");
const insideChat = chatsAs("member");
export const ruledChat = chatsAs("admin");
export const ownChat = chatsAs("owner");

const isMuted = ({ muted, role }: Chat) => muted && role !== "removed";

export const chatApis = {
  chats: anyChat.list(
    "List group chats by name with the owner's role and the number of other members.",
    {
      params: {
        role: role
          .optional()
          .describe("only with this role; removed: chats that the owner left, else not listed"),
      },
      filters: {
        person: withPerson("only with this person", "person", (row: Chat, person, db) =>
          present(db, row).some((member) => member.person === person),
        ),
        muted: either("only muted ones, or only others"),
        query: [query, where(({ name }, words) => contains(name, words))],
      },
      rows: ({ role }, { db }) =>
        db.where(chats, given({ role })).filter((row) => role || row.role !== "removed"),
      order: by(({ name }) => name),
      example: { role: "owner" },
    },
  ),
  chat: anyChat.show("Show a group chat with the number of its posts and its last one.", {
    item: wholeItem,
  }),
  chatMembers: listing("List who is in a chat beside the owner, by name.", {
    item: memberItem,
    of: [anyChat, "chat"],
    params: {
      role: role.optional().describe("only with this role; removed: who was put out or left"),
    },
    rows: ({ role }, { db }) =>
      db
        .all(chatMembers)
        .filter((row) => (role ? row.role === role : row.role !== "removed"))
        .filter(({ person }) => db.get(people, person)),
    order: by(({ person }, { db }) => db.get(people, person)!.name),
    example: (db) => ({ chat: chatName(db) }),
  }),
  createChat: anyChat.add("Start a group chat of which the owner is the owner.", {
    params: {
      name: line("name of the new chat"),
      members: z.array(handle("a member")).min(1).max(20).describe("handles of the other members"),
      announcements: z
        .boolean()
        .default(false)
        .describe("true: only the owner and admins may post"),
    },
    row: ({ name, members, announcements }, { db }) => {
      const ids = new Set(members.map((member) => receiver(db, member, "members").id));
      must(ids.size === members.length, 422, "members: expected each person once");
      const row = db.insert(chats, { name, role: "owner", announcements, muted: false });
      for (const person of ids) db.insert(chatMembers, { chat: row.id, person, role: "member" });
      return row;
    },
    example: (db) => ({ name: "Allotment friends", members: [someone(db), someone(db, 1)] }),
  }),
  renameChat: ownChat.change("Rename a chat that the owner owns.", {
    params: { name: line("the new name") },
    example: { name: "Allotment friends" },
  }),
  muteChat: insideChat.change("Mute a chat.", {
    set: { muted: true },
    already: ({ name }) => `chat: "${name}" has muted true already`,
  }),
  unmuteChat: insideChat.change("Unmute a chat.", {
    set: { muted: false },
    already: ({ name }) => `chat: "${name}" has muted false already`,
    example: (db) => ({ chat: db.all(chats).find(isMuted)?.name ?? chatName(db) }),
  }),
  announce: ownChat.change("Say whether only the owner and admins of a chat may post.", {
    params: { only: either("true: only the owner and admins; false: everybody") },
    set: ({ name, announcements }, { only }) => {
      const same = `chat: "${name}" has announcements ${only} already`;
      must(announcements !== only, 409, same);
      return { announcements: only };
    },
    example: { only: true },
    fits: ({ announcements }) => !announcements,
  }),
  leaveChat: insideChat.change("Leave a chat for good; its owner hands it over first.", {
    set: { role: "removed" },
    unless: (row, _, { db }) => {
      const bound = row.role === "owner" && present(db, row).length > 0;
      must(!bound, 409, `chat: the owner owns "${row.name}"; messages.handOver first`);
    },
    example: (db) => ({ chat: chatName(db, "member") }),
  }),
};
