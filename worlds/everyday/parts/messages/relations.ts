/** Relations from texts, chats, posts and polls to people, and back. */
import {
  allItemsExpression,
  distinctFromEach,
  everyoneWhoDoesToEach,
  relationBetween,
  relations,
} from "bowline/goals";
import { chatMembers, posts, scheduledTexts, votes } from "../../apps/messages/tables.ts";
import { texts } from "../../apps/tables.ts";
import { relationToPeople } from "../contacts/contacts-and-messages.ts";
import { isOwnerInChat, otherMembers } from "./chat-rules.ts";

export const messageRelations = relations("messages", {
  senders: relationToPeople("texts", texts, "messages.list", "from")`
    the senders of # | everyone who sent me one of # | the people behind # | those who wrote #
    | whoever is a sender of #`,
  "texts-from": relationBetween("people", "texts", {
    relatedIds: (person, db) => db.where(texts, { person, outgoing: false }).map(({ id }) => id),
    code: (from) =>
      `${from}.flatMap(k=>${allItemsExpression("messages.list", "from:k")}.map(x=>x.id))`,
  })`the messages I received from # | those received messages that came from #
    | all messages in Messages that I got from #
    | every message that reached me in Messages from # | the received messages whose sender is #`,
  receivers: relationToPeople("sent texts", texts, "messages.sent", "to")`
    the receivers of # | those who got # | the people to whom # went
    | the people on the other side of # | whoever is a receiver of #`,
  "scheduled-to": relationToPeople("scheduled texts", scheduledTexts, "messages.scheduled", "to")`
    the receivers of # | those who shall get # | the people to whom # will go
    | the people on the other side of # | whoever is a receiver of #`,
  "chat-members": relationBetween("chats", "people", {
    wordsForEach: everyoneWhoDoesToEach("besides me is a member of"),
    relatedIds: (chat, db) => otherMembers(db, chat).map(({ person }) => person),
    code: distinctFromEach(
      `${allItemsExpression("messages.chatMembers", "chat:k")}.map(x=>x.handle)`,
    ),
  })`the other members of # | everybody besides me among the members of # | all members other than
    me of # | the people except me among the members of # | everyone but me among the members of #`,
  admins: relationBetween("chats", "people", {
    relatedIds: (chat, db) =>
      db.where(chatMembers, { chat, role: "admin" }).map(({ person }) => person),
    code: distinctFromEach(
      `${allItemsExpression("messages.chatMembers", 'chat:k,role:"admin"')}.map(x=>x.handle)`,
    ),
  })`the other admins of # | everybody besides me among the admins of # | all admins other than me
    of # | the people except me among the admins of # | whoever but me is among the admins of #`,
  "shared-chats": relationBetween("people", "chats", {
    relatedIds: (person, db) => {
      const inside = db.where(chatMembers, { person }).filter(({ role }) => role !== "removed");
      return inside.map(({ chat }) => chat).filter((chat) => isOwnerInChat(db, chat));
    },
    code: distinctFromEach(`${allItemsExpression("messages.chats", "person:k")}.map(x=>x.name)`),
  })`the group chats that I share with # | those group chats of mine that include #
    | the chats in Messages that I have in common with #
    | all group chats that I am in together with # | my group chats in which I meet #`,
  authors: relationToPeople("posts", posts, "messages.posts", "from", "mine:false")`
    the authors of #, other than me | everyone but me who wrote one of #
    | the people besides me behind # | those except me who wrote #
    | whoever but me is an author of #`,
  voters: relationBetween("polls", "people", {
    relatedIds: (poll, db) => db.where(votes, { poll }).flatMap(({ person }) => person ?? []),
    code: distinctFromEach(
      `${allItemsExpression("messages.votes", "id:k")}.map(x=>x.by).filter(x=>x!=="owner")`,
    ),
  })`the other voters of # | everyone but me among the voters of # | all voters besides me of #
    | the people except me among the voters of # | whoever but me is among the voters of #`,
});
