/** Group chats as such: which there are, who is in them with which role, and what the owner's role allows. */
import { z } from "zod";
import {
  by,
  either,
  itemOf,
  type Look,
  must,
  type Reader,
  resource,
  where,
} from "../../../../world/index.ts";
import {
  contains,
  freeName,
  handle,
  handleOf,
  line,
  newestFirst,
  personBy,
  query,
  receiver,
  theirHandle,
  theirName,
} from "../shared.ts";
import { people } from "../tables.ts";
import { chatBy, chatParam, memberBy } from "./chat-access.ts";
import { chatName, someone, withMember, withStranger } from "./examples.ts";
import { CHAT_ROLES, type ChatMember, type ChatRole, chatMembers, chats, posts } from "./tables.ts";

const role = z.enum(CHAT_ROLES);
const person = handle("the contact");

function present(db: Reader, chat: number): readonly ChatMember[] {
  return db.where(chatMembers, { chat }).filter(({ role }) => role !== "removed");
}

/** The chat, where the owner has at least this role. */
const as =
  (needed: ChatRole) =>
  ({ chat }: { readonly chat: string }, { db }: Look) =>
    chatBy(db, chat, needed);

const postsIn = (db: Reader, chat: number) => db.where(posts, { chat, withdrawn: false });

const groups = resource({
  table: chats,
  noun: "chat",
  /** `members` are the others; the owner is not counted. */
  item: itemOf(chats, {
    name: z.string(),
    role,
    members: [z.int(), ({ id }, { db }) => present(db, id).length],
    unread: [z.int(), ({ id }, { db }) => db.where(posts, { chat: id, unread: true }).length],
    muted: z.boolean(),
  }),
  keys: { chat: chatParam },
  find: as("removed"),
  example: (db, fits) => ({ chat: chatName(db, "owner", fits) }),
});

const members = resource({
  table: chatMembers,
  noun: "member",
  item: itemOf(chatMembers, { name: theirName, handle: theirHandle, role }),
  keys: { chat: chatParam, person },
  find: (args, look) => {
    const chat = as("owner")(args, look);
    return memberBy(look.db, chat, personBy(look.db, args.person, "person"));
  },
});

/** Of someone in an own chat, from one role to another; a 409 for other roles. */
const turn = (from: "member" | "admin", role: "member" | "admin") => ({
  unless: (row: ChatMember, _: unknown, { db }: Look) => {
    const came = `"${handleOf(db, row.person)}" is ${row.role}`;
    must(row.role === from, 409, `person: expected someone with role ${from}, ${came}`);
  },
  set: { role },
  example: (db: Reader) => withMember(db, from),
});

export const chatApis = {
  chats: groups.list(
    "List group chats by name with the owner's role and the number of other members.",
    {
      params: {
        role: role
          .optional()
          .describe("only with this role; removed: chats that the owner left, else not listed"),
      },
      rows: ({ role }, { db }) =>
        role ? { role } : db.all(chats).filter(({ role }) => role !== "removed"),
      filters: {
        person: [
          handle("only with this person"),
          (came, { db }) => {
            const other = personBy(db, came, "person").id;
            return ({ id }) => present(db, id).some(({ person }) => person === other);
          },
        ],
        muted: either("only muted ones, or only others"),
        query: [query, where(({ name }, query) => contains(name, query))],
      },
      order: by(({ name }) => name),
      example: { role: "owner" },
    },
  ),
  chat: groups.show("Show a group chat with the number of its posts and its last one.", {
    item: groups.item.with({
      announcements: z.boolean(),
      posts: [z.int(), ({ id }, { db }) => postsIn(db, id).length],
      last: [
        z.string().nullable(),
        ({ id }, { db }) => newestFirst(postsIn(db, id))[0]?.text ?? null,
      ],
    }),
  }),
  chatMembers: members.list("List who is in a chat beside the owner, by name.", {
    params: {
      chat: chatParam,
      role: role.optional().describe("only with this role; removed: who was put out or left"),
    },
    rows: ({ chat: name, role: wanted }, { db }) => {
      const chat = chatBy(db, name, "removed").id;
      return db
        .where(chatMembers, { chat })
        .filter(({ role }) => (wanted ? role === wanted : role !== "removed"))
        .filter(({ person }) => db.get(people, person));
    },
    order: by(({ person }, { db }) => db.get(people, person)!.name),
    example: groups.example,
  }),
  createChat: groups.add("Start a group chat of which the owner is the owner.", {
    params: {
      name: line("name of the new chat"),
      members: z.array(handle("a member")).min(1).max(20).describe("handles of the other members"),
      announcements: either("true: only the owner and admins may post").default(false),
    },
    check: ({ name }, { db }) => freeName(db, chats, name),
    row: ({ name, members, announcements }, { db }) => {
      const ids = new Set(members.map((member) => receiver(db, member, "members").id));
      must(ids.size === members.length, 422, "members: expected each person once");
      const row = db.insert(chats, { name, role: "owner", announcements, muted: false });
      for (const person of ids) db.insert(chatMembers, { chat: row.id, person, role: "member" });
      return row;
    },
    example: (db) => ({ name: "Allotment friends", members: [someone(db), someone(db, 1)] }),
  }),
  renameChat: groups.change("Rename a chat that the owner owns.", {
    params: { name: line("the new name") },
    find: as("owner"),
    unless: ({ id }, { name }, { db }) => freeName(db, chats, name, id),
    example: { name: "Allotment friends" },
  }),
  muteChat: groups.change("Mute a chat.", {
    find: as("member"),
    set: { muted: true },
    already: ({ name }) => `chat: "${name}" has muted true already`,
  }),
  unmuteChat: groups.change("Unmute a chat.", {
    find: as("member"),
    set: { muted: false },
    already: ({ name }) => `chat: "${name}" has muted false already`,
    example: (db) => ({
      chat:
        db.all(chats).find(({ muted, role }) => muted && role !== "removed")?.name ?? chatName(db),
    }),
  }),
  announce: groups.change("Say whether only the owner and admins of a chat may post.", {
    params: { only: either("true: only the owner and admins; false: everybody") },
    find: as("owner"),
    set: ({ name, announcements }, { only }) => {
      must(announcements !== only, 409, `chat: "${name}" has announcements ${only} already`);
      return { announcements: only };
    },
    fits: ({ announcements }) => !announcements,
    example: { only: true },
  }),
  leaveChat: groups.change("Leave a chat for good; its owner hands it over first.", {
    find: as("member"),
    unless: ({ id, name, role }, _, { db }) => {
      const needed = role === "owner" && present(db, id).length > 0;
      must(!needed, 409, `chat: the owner owns "${name}"; messages.handOver first`);
    },
    set: { role: "removed" },
    example: (db) => ({ chat: chatName(db, "member") }),
  }),
};

// --- who is in it ---

export const chatPeopleApis = {
  addMember: groups.act(
    "Add a contact to a chat as a member; the owner must own it or be an admin.",
    {
      params: { person },
      find: as("admin"),
      run: (chat, args, { db }) => {
        const { id: person, handle } = receiver(db, args.person, "person");
        const [row] = db.where(chatMembers, { chat: chat.id, person });
        const outside = !row || row.role === "removed";
        must(outside, 409, `person: "${handle}" is already in "${chat.name}"`);
        if (row) db.update(chatMembers, row.id, { role: "member" });
        else db.insert(chatMembers, { chat: chat.id, person, role: "member" });
      },
      example: withStranger,
    },
  ),
  removeMember: groups.act(
    "Put someone out of a chat. An admin puts out members; the chat's owner anybody.",
    {
      params: { person },
      find: as("admin"),
      run: (chat, args, { db }) => {
        const other = personBy(db, args.person, "person");
        const row = memberBy(db, chat, other);
        const who = `"${other.handle}" is ${row.role}`;
        must(
          chat.role !== "admin" || row.role === "member",
          403,
          `person: as admin the owner puts out members only, ${who}`,
        );
        db.update(chatMembers, row.id, { role: "removed" });
      },
      example: (db) => withMember(db, "member"),
    },
  ),
  makeAdmin: members.change(
    "Make a member an admin of a chat that the owner owns.",
    turn("member", "admin"),
  ),
  dropAdmin: members.change(
    "Make an admin a plain member of a chat that the owner owns.",
    turn("admin", "member"),
  ),
  handOver: groups.change(
    "Make someone in a chat its owner; whoever owned it until now stays as an admin.",
    {
      params: { person },
      find: as("owner"),
      set: (chat, args, { db }) => {
        const row = memberBy(db, chat, personBy(db, args.person, "person"));
        db.update(chatMembers, row.id, { role: "owner" });
        return { role: "admin" };
      },
      example: (db) => withMember(db, "member"),
    },
  ),
};
