/** Group chats as such: which there are, who is in them with which role, and what the owner's role allows. */
import { z } from "zod";
import { ApiError, defineApi, type Reader, type Writer } from "../../../../world/index.ts";
import {
  contains,
  freeName,
  given,
  handle,
  line,
  newestFirst,
  paged,
  pageOf,
  paging,
  personId,
  query,
  receiver,
} from "../shared.ts";
import { people } from "../tables.ts";
import { chatBy, chatParam, present } from "./chat-access.ts";
import { chatName, someone } from "./examples.ts";
import { CHAT_ROLES, type Chat, chatMembers, chats, posts } from "./tables.ts";

export const role = z.enum(CHAT_ROLES);

export const chatItem = z.strictObject({
  name: z.string(),
  role,
  members: z.int(),
  unread: z.int(),
  muted: z.boolean(),
});
/** `members` are the others; the owner is not counted. */
export const chatView = (db: Reader) => (row: Chat) => ({
  name: row.name,
  role: row.role,
  members: present(db, row).length,
  unread: db.where(posts, { chat: row.id }).filter(({ unread }) => unread).length,
  muted: row.muted,
});

const list = defineApi({
  summary: "List group chats by name with the owner's role and the number of other members.",
  params: z.strictObject({
    role: role
      .optional()
      .describe("only with this role; removed: chats that the owner left, else not listed"),
    person: handle("only with this person").optional(),
    muted: z.boolean().optional().describe("only muted ones, or only others"),
    query: query.optional(),
    ...paging,
  }),
  returns: pageOf(chatItem),
  example: () => ({ role: "owner" }) as const,
  handler: ({ db }, { person, query = "", role, muted, ...page }) => {
    const other = personId(db, person, "person");
    const within = (row: Chat) =>
      other === undefined || present(db, row).some((member) => member.person === other);
    const rows = db
      .where(chats, given({ role, muted }))
      .filter((row) => role !== undefined || row.role !== "removed")
      .filter((row) => contains(row.name, query) && within(row));
    const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return paged(sorted, page, chatView(db));
  },
});

const show = defineApi({
  summary: "Show a group chat with the number of its posts and its last one.",
  params: z.strictObject({ chat: chatParam }),
  returns: chatItem.extend({
    announcements: z.boolean(),
    posts: z.int(),
    last: z.string().nullable(),
  }),
  example: (db) => ({ chat: chatName(db) }),
  handler: ({ db }, args) => {
    const row = chatBy(db, args.chat, "removed");
    const shown = newestFirst(db.where(posts, { chat: row.id, withdrawn: false }));
    const [last] = shown;
    const { announcements } = row;
    return { ...chatView(db)(row), announcements, posts: shown.length, last: last?.text ?? null };
  },
});

const memberItem = z.strictObject({ name: z.string(), handle: z.string(), role });

const listMembers = defineApi({
  summary: "List who is in a chat beside the owner, by name.",
  params: z.strictObject({
    chat: chatParam,
    role: role.optional().describe("only with this role; removed: who was put out or left"),
    ...paging,
  }),
  returns: pageOf(memberItem),
  example: (db) => ({ chat: chatName(db) }),
  handler: ({ db }, { chat, role, ...page }) => {
    const row = chatBy(db, chat, "removed");
    const rows = db.where(chatMembers, { chat: row.id });
    const wanted = rows.filter((member) =>
      role === undefined ? member.role !== "removed" : member.role === role,
    );
    const named = wanted.flatMap(({ person, role }) => {
      const found = db.get(people, person);
      return found ? [{ name: found.name, handle: found.handle, role }] : [];
    });
    return paged(
      named.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      page,
      (row) => row,
    );
  },
});

// --- the chat itself ---

const create = defineApi({
  summary: "Start a group chat of which the owner is the owner.",
  params: z.strictObject({
    name: line("name of the new chat"),
    members: z.array(handle("a member")).min(1).max(20).describe("handles of the other members"),
    announcements: z.boolean().default(false).describe("true: only the owner and admins may post"),
  }),
  returns: chatItem,
  example: (db) => ({ name: "Allotment friends", members: [someone(db), someone(db, 1)] }),
  handler: ({ db }, { name, members, announcements }) => {
    freeName(db, chats, name);
    const ids = new Set(members.map((member) => receiver(db, member, "members").id));
    if (ids.size < members.length) {
      throw new ApiError(422, "members: expected each person once");
    }
    const row = db.insert(chats, { name, role: "owner", announcements, muted: false });
    for (const person of ids) db.insert(chatMembers, { chat: row.id, person, role: "member" });
    return chatView(db)(row);
  },
});

const rename = defineApi({
  summary: "Rename a chat that the owner owns.",
  params: z.strictObject({ chat: chatParam, name: line("the new name") }),
  returns: chatItem,
  example: (db) => ({ chat: chatName(db), name: "Allotment friends" }),
  handler: ({ db }, { chat, name }) => {
    const { id } = chatBy(db, chat, "owner");
    freeName(db, chats, name, id);
    return chatView(db)(db.update(chats, id, { name }));
  },
});

/** Sets one flag; a 409 when it is so already. */
function change(db: Writer, chat: Chat, flag: "muted" | "announcements", value: boolean) {
  if (chat[flag] === value) {
    throw new ApiError(409, `chat: "${chat.name}" has ${flag} ${value} already`);
  }
  return chatView(db)(db.update(chats, chat.id, { [flag]: value }));
}

const muteChat = defineApi({
  summary: "Mute a chat.",
  params: z.strictObject({ chat: chatParam }),
  returns: chatItem,
  example: (db) => ({ chat: chatName(db, "owner", ({ muted }) => !muted) }),
  handler: ({ db }, args) => change(db, chatBy(db, args.chat, "member"), "muted", true),
});

const unmuteChat = defineApi({
  summary: "Unmute a chat.",
  params: z.strictObject({ chat: chatParam }),
  returns: chatItem,
  example: (db) => ({ chat: db.all(chats).find(isMuted)?.name ?? chatName(db) }),
  handler: ({ db }, args) => change(db, chatBy(db, args.chat, "member"), "muted", false),
});

const isMuted = ({ muted, role }: Chat) => muted && role !== "removed";

const announce = defineApi({
  summary: "Say whether only the owner and admins of a chat may post.",
  params: z.strictObject({
    chat: chatParam,
    only: z.boolean().describe("true: only the owner and admins; false: everybody"),
  }),
  returns: chatItem,
  example: (db) => ({
    chat: chatName(db, "owner", ({ announcements }) => !announcements),
    only: true,
  }),
  handler: ({ db }, { chat, only }) => change(db, chatBy(db, chat, "owner"), "announcements", only),
});

const leave = defineApi({
  summary: "Leave a chat for good; its owner hands it over first.",
  params: z.strictObject({ chat: chatParam }),
  returns: chatItem,
  example: (db) => ({ chat: chatName(db, "member") }),
  handler: ({ db }, args) => {
    const row = chatBy(db, args.chat, "member");
    if (row.role === "owner" && present(db, row).length > 0) {
      throw new ApiError(409, `chat: the owner owns "${row.name}"; messages.handOver first`);
    }
    return chatView(db)(db.update(chats, row.id, { role: "removed" }));
  },
});

export const chatApis = {
  chats: list,
  chat: show,
  chatMembers: listMembers,
  createChat: create,
  renameChat: rename,
  muteChat,
  unmuteChat,
  announce,
  leaveChat: leave,
};
