/** Who is in a chat with which role, and what the owner's role lets the owner change about that. */

import { must, put, resource } from "bowline/resources";
import { handle, personBy, receiver } from "../shared.ts";
import { chatBy, chatParam, expectRole, memberBy } from "./chat-access.ts";
import { memberItem, ownChat, ruledChat } from "./chats.ts";
import { withMember, withStranger } from "./examples.ts";
import { chatMembers, chats } from "./tables.ts";

const person = handle("the contact");

/** Of chats that the owner owns. */
const member = resource({
  noun: "member",
  item: memberItem,
  keys: { chat: chatParam, person },
  find: (args, { db }) => {
    const chat = chatBy(db, args.chat, "owner");
    return memberBy(db, chat, personBy(db, args.person, "person"));
  },
});

export const chatPeopleApis = {
  addMember: ruledChat.act(
    "Add a contact to a chat as a member; the owner must own it or be an admin.",
    {
      params: { person },
      run: (chat, args, { db }) => {
        const { id, handle } = receiver(db, args.person, "person");
        const [row] = db.where(chatMembers, { chat: chat.id, person: id });
        const gone = !row || row.role === "removed";
        must(gone, 409, `person: "${handle}" is already in "${chat.name}"`);
        put(db, chatMembers, { chat: chat.id, person: id }, { role: "member" });
        return chat;
      },
      example: withStranger,
    },
  ),
  removeMember: ruledChat.act(
    "Put someone out of a chat. An admin puts out members; the chat's owner anybody.",
    {
      params: { person },
      run: (chat, args, { db }) => {
        const other = personBy(db, args.person, "person");
        const { id, role } = memberBy(db, chat, other);
        const who = `"${other.handle}" is ${role}`;
        const may = chat.role !== "admin" || role === "member";
        must(may, 403, `person: as admin the owner puts out members only, ${who}`);
        db.update(chatMembers, id, { role: "removed" });
        return chat;
      },
      example: (db) => withMember(db, "member"),
    },
  ),
  makeAdmin: member.change("Make a member an admin of a chat that the owner owns.", {
    set: { role: "admin" },
    unless: (row, _, { db }) => expectRole(db, row, "member"),
    example: (db) => withMember(db, "member"),
  }),
  dropAdmin: member.change("Make an admin a plain member of a chat that the owner owns.", {
    set: { role: "member" },
    unless: (row, _, { db }) => expectRole(db, row, "admin"),
    example: (db) => withMember(db, "admin"),
  }),
  handOver: ownChat.act(
    "Make someone in a chat its owner; whoever owned it until now stays as an admin.",
    {
      params: { person },
      run: (chat, args, { db }) => {
        const row = memberBy(db, chat, personBy(db, args.person, "person"));
        db.update(chatMembers, row.id, { role: "owner" });
        return db.update(chats, chat.id, { role: "admin" });
      },
      example: (db) => withMember(db, "member"),
    },
  ),
};
