/** Who is in a chat with which role, and what the owner's role lets the owner change about that. */
import { z } from "zod";
import { ApiError, defineApi, type Writer } from "../../../../world/index.ts";
import { handle, personBy, receiver } from "../shared.ts";
import { chatBy, chatParam, expectRole, memberBy } from "./chat-access.ts";
import { chatItem, chatView, role } from "./chats.ts";
import { withMember, withStranger } from "./examples.ts";
import { chatMembers, chats } from "./tables.ts";

const person = handle("the contact");
const memberItem = z.strictObject({ name: z.string(), handle: z.string(), role });

const addMember = defineApi({
  summary: "Add a contact to a chat as a member; the owner must own it or be an admin.",
  params: z.strictObject({ chat: chatParam, person }),
  returns: chatItem,
  example: (db) => withStranger(db),
  handler: ({ db }, args) => {
    const chat = chatBy(db, args.chat, "admin");
    const { id, handle } = receiver(db, args.person, "person");
    const [row] = db.where(chatMembers, { chat: chat.id, person: id });
    if (row && row.role !== "removed") {
      throw new ApiError(409, `person: "${handle}" is already in "${chat.name}"`);
    }
    if (row) db.update(chatMembers, row.id, { role: "member" });
    else db.insert(chatMembers, { chat: chat.id, person: id, role: "member" });
    return chatView(db)(chat);
  },
});

const removeMember = defineApi({
  summary: "Put someone out of a chat. An admin puts out members; the chat's owner anybody.",
  params: z.strictObject({ chat: chatParam, person }),
  returns: chatItem,
  example: (db) => withMember(db, "member"),
  handler: ({ db }, args) => {
    const chat = chatBy(db, args.chat, "admin");
    const other = personBy(db, args.person, "person");
    const row = memberBy(db, chat, other);
    if (chat.role === "admin" && row.role !== "member") {
      const who = `"${other.handle}" is ${row.role}`;
      throw new ApiError(403, `person: as admin the owner puts out members only, ${who}`);
    }
    db.update(chatMembers, row.id, { role: "removed" });
    return chatView(db)(chat);
  },
});

const makeAdmin = defineApi({
  summary: "Make a member an admin of a chat that the owner owns.",
  params: z.strictObject({ chat: chatParam, person }),
  returns: memberItem,
  example: (db) => withMember(db, "member"),
  handler: ({ db }, args) => setRole(db, args, "member", "admin"),
});

const dropAdmin = defineApi({
  summary: "Make an admin a plain member of a chat that the owner owns.",
  params: z.strictObject({ chat: chatParam, person }),
  returns: memberItem,
  example: (db) => withMember(db, "admin"),
  handler: ({ db }, args) => setRole(db, args, "admin", "member"),
});

type Named = { readonly chat: string; readonly person: string };

function setRole(db: Writer, args: Named, from: "member" | "admin", to: "member" | "admin") {
  const chat = chatBy(db, args.chat, "owner");
  const other = personBy(db, args.person, "person");
  const row = memberBy(db, chat, other);
  expectRole(db, row, from);
  db.update(chatMembers, row.id, { role: to });
  return { name: other.name, handle: other.handle, role: to };
}

const handOver = defineApi({
  summary: "Make someone in a chat its owner; whoever owned it until now stays as an admin.",
  params: z.strictObject({ chat: chatParam, person }),
  returns: chatItem,
  example: (db) => withMember(db, "member"),
  handler: ({ db }, args) => {
    const chat = chatBy(db, args.chat, "owner");
    const row = memberBy(db, chat, personBy(db, args.person, "person"));
    db.update(chatMembers, row.id, { role: "owner" });
    return chatView(db)(db.update(chats, chat.id, { role: "admin" }));
  },
});

export const chatPeopleApis = { addMember, removeMember, makeAdmin, dropAdmin, handOver };
