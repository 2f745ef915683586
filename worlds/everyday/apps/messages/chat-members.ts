/**
 * Defines the APIs that change who is in a chat and with which role, as far as the owner's role in the chat allows it.
 */

import { refuseUnless, resource, upsertRow } from "bowline/resources";
import { handleParam, requirePerson, requireReceiver } from "../shared.ts";
import { chatParam, requireChat, requireMember, requireMemberRole } from "./chat-access.ts";
import { administeredChat, memberItem, ownChat } from "./chats.ts";
import { exampleChatMember, exampleChatStranger } from "./examples.ts";
import { chatMembers, chats } from "./tables.ts";

const person = handleParam("the contact");

/** Members of the chats that the owner owns. */
const member = resource({
  noun: "member",
  item: memberItem,
  keys: { chat: chatParam, person },
  find: (args, { db }) => {
    const chat = requireChat(db, args.chat, "owner");
    return requireMember(db, chat, requirePerson(db, args.person, "person"));
  },
});

export const chatMemberApis = {
  addMember: administeredChat.act(
    "Add a contact to a chat as a member; the owner must own it or be an admin.",
    {
      params: { person },
      run: (chat, args, { db }) => {
        const { id, handle } = requireReceiver(db, args.person, "person");
        const [row] = db.where(chatMembers, { chat: chat.id, person: id });
        const isAbsent = !row || row.role === "removed";
        refuseUnless(isAbsent, 409, `person: "${handle}" is already in "${chat.name}"`);
        upsertRow(db, chatMembers, { chat: chat.id, person: id }, { role: "member" });
        return chat;
      },
      example: exampleChatStranger,
    },
  ),
  removeMember: administeredChat.act(
    "Put someone out of a chat. An admin puts out members; the chat's owner anybody.",
    {
      params: { person },
      run: (chat, args, { db }) => {
        const other = requirePerson(db, args.person, "person");
        const { id, role } = requireMember(db, chat, other);
        const otherRole = `"${other.handle}" is ${role}`;
        const canRemove = chat.role !== "admin" || role === "member";
        refuseUnless(
          canRemove,
          403,
          `person: as admin the owner puts out members only, ${otherRole}`,
        );
        db.update(chatMembers, id, { role: "removed" });
        return chat;
      },
      example: (db) => exampleChatMember(db, "member"),
    },
  ),
  makeAdmin: member.change("Make a member an admin of a chat that the owner owns.", {
    set: { role: "admin" },
    checkRow: (row, _, { db }) => requireMemberRole(db, row, "member"),
    example: (db) => exampleChatMember(db, "member"),
  }),
  dropAdmin: member.change("Make an admin a plain member of a chat that the owner owns.", {
    set: { role: "member" },
    checkRow: (row, _, { db }) => requireMemberRole(db, row, "admin"),
    example: (db) => exampleChatMember(db, "admin"),
  }),
  handOver: ownChat.act(
    "Make someone in a chat its owner; whoever owned it until now stays as an admin.",
    {
      params: { person },
      run: (chat, args, { db }) => {
        const row = requireMember(db, chat, requirePerson(db, args.person, "person"));
        db.update(chatMembers, row.id, { role: "owner" });
        return db.update(chats, chat.id, { role: "admin" });
      },
      example: (db) => exampleChatMember(db, "member"),
    },
  ),
};
