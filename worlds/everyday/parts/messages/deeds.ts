/** Single tasks in messages: starting or handing over a chat, correcting a text, sending a draft, removing a mark. */
import { type DrawContext, deeds, jsLiteral } from "bowline/goals";
import { chatMembers, chats, posts, revisions, textDrafts } from "../../apps/messages/tables.ts";
import { texts } from "../../apps/tables.ts";
import { drawPersonWithRows } from "../contacts/contacts-and-messages.ts";
import { drawSeveralPeople, joinNames } from "../contacts/deeds.ts";
import { findContact, idsOfUnblockedPeople } from "../reachable-people.ts";
import { canManage, nameableChats } from "./chat-rules.ts";
import { insertText } from "./insert-rows.ts";

const CHAT_NAMES = ["Night market", "Quilt swap", "Tandem tour", "Roof terrace", "Soup Sunday"];
const TYPOS = ["see you at the statoin", "thnak you", "yse, gladly", "on my wya"];

/**
 * Draws one of the chats that the owner owns, and a member with this role. `args` is the code of arguments for both.
 */
function drawMemberOfOwnChat(draw: DrawContext, role: "member" | "admin") {
  const ownedChats = nameableChats(draw).filter((row) => row.role === "owner");
  if (ownedChats.length === 0) return undefined;
  const chat = draw.rng.pick(ownedChats);
  const found = drawPersonWithRows(draw, draw.db.where(chatMembers, { chat: chat.id, role }));
  if (!found) return undefined;
  const { person } = found;
  const args = `chat:${jsLiteral(chat.name)},person:${person.code}`;
  return { chat, person, member: found.own[0]!.id, args, uses: [person] };
}

export const messageDeeds = deeds("messages", ({ drawnDeed, drawnDeedWithValue }) => ({
  "create-chat": (draw) => {
    const persons = drawSeveralPeople(draw, draw.rng.integer(2, 3));
    const name = draw.rng.pick(CHAT_NAMES);
    if (!persons || draw.db.where(chats, { name }).length > 0) return undefined;
    const who = joinNames(persons.map(({ words }) => words));
    const handles = persons.map(({ code }) => code).join();
    return drawnDeed({
      apply: (db) => {
        const row = { name, role: "owner", announcements: false, muted: false } as const;
        const chat = db.insert(chats, row).id;
        for (const { value } of persons) {
          db.insert(chatMembers, { chat, person: value.id, role: "member" });
        }
      },
      cells: [`apis.messages.createChat({name:${jsLiteral(name)},people:[${handles}]})`],
      uses: persons,
    })`Start a group chat "${name}" with ${who} | Create the group chat "${name}" and have ${who} in
      it | Open a new group chat called "${name}" with ${who} | Set up a group chat "${name}"
      whose other members are ${who} | I want a new group chat "${name}" together with ${who}`;
  },
  "make-admin": (draw) => {
    const found = drawMemberOfOwnChat(draw, "member");
    if (!found) return undefined;
    const [chatName, personWords] = [jsLiteral(found.chat.name), found.person.words];
    return drawnDeed({
      apply: (db) => db.update(chatMembers, found.member, { role: "admin" }),
      cells: [`apis.messages.makeAdmin({${found.args}})`],
      uses: found.uses,
    })`Make ${personWords} an admin of my group chat ${chatName}
      | Let ${personWords} be an admin in the group chat ${chatName}
      | Promote ${personWords} to admin in my group chat ${chatName}
      | Give ${personWords} the role of admin in the group chat ${chatName}
      | Name ${personWords} an admin of the group chat ${chatName}`;
  },
  "remove-member": (draw) => {
    const found = drawMemberOfOwnChat(draw, draw.rng.pick(["member", "admin"] as const));
    if (!found) return undefined;
    const [chatName, personWords] = [jsLiteral(found.chat.name), found.person.words];
    return drawnDeed({
      apply: (db) => db.update(chatMembers, found.member, { role: "removed" }),
      cells: [`apis.messages.removeMember({${found.args}})`],
      uses: found.uses,
    })`Put ${personWords} out of my group chat ${chatName}
      | Remove ${personWords} from the group chat ${chatName}
      | Take ${personWords} out of my group chat ${chatName}
      | Throw ${personWords} out of the group chat ${chatName}
      | Exclude ${personWords} from the group chat ${chatName}`;
  },
  /** The owner of a chat may leave it only after handing it over to another member. */
  "hand-over-and-leave": (draw) => {
    const found = drawMemberOfOwnChat(draw, draw.rng.pick(["member", "admin"] as const));
    if (!found) return undefined;
    const [chatName, personWords] = [jsLiteral(found.chat.name), found.person.words];
    return drawnDeed({
      apply: (db) => {
        db.update(chatMembers, found.member, { role: "owner" });
        db.update(chats, found.chat.id, { role: "removed" });
      },
      cells: [
        `apis.messages.handOver({${found.args}});apis.messages.leaveChat({chat:${chatName}})`,
      ],
      uses: found.uses,
    })`Hand my group chat ${chatName} over to ${personWords} and then leave it
      | Make ${personWords} the owner of my group chat ${chatName}, then leave the chat
      | I want to leave my group chat ${chatName}; first hand it over to ${personWords}
      | Leave the group chat ${chatName} after handing it over to ${personWords}
      | Let ${personWords} own my group chat ${chatName}, and after that leave it`;
  },
  announce: (draw) => {
    const ownedChats = nameableChats(draw).filter(
      (row) => row.role === "owner" && !row.announcements,
    );
    if (ownedChats.length === 0) return undefined;
    const { id, name } = draw.rng.pick(ownedChats);
    return drawnDeed({
      apply: (db) => db.update(chats, id, { announcements: true }),
      cells: [`apis.messages.announce({chat:${jsLiteral(name)},only:true})`],
    })`See to it that only admins and I may post in my group chat "${name}" | In my group chat
      "${name}", let nobody but admins and me post | Restrict posting in the group chat "${name}"
      to its admins and me | Make my group chat "${name}" one in which only admins and I may post
      | From now on, only the admins and I should be able to post in the group chat "${name}"`;
  },
  /** The task inserts a text that was sent a few minutes before the start. */
  edit: drawnDeedWithValue("text", (text, draw) => {
    const named = draw.person(idsOfUnblockedPeople(draw));
    if (!named) return undefined;
    const { value, words: personWords, code } = named;
    const person = value.id;
    const [typo, variable] = [draw.rng.pick(TYPOS), draw.variable("m")];
    const at = `2026-03-12T08:${draw.rng.integer(50, 57)}:30Z`;
    return drawnDeed({
      setup: (db) => {
        const flags = { outgoing: true, reaction: null, starred: false, unread: false };
        db.insert(texts, { ...flags, person, text: typo, replyTo: null, at });
      },
      apply: (db) => {
        const { id } = db.where(texts, { person, outgoing: true, text: typo }).at(-1)!;
        db.insert(revisions, { message: id, before: typo });
        db.update(texts, id, { text: text.value });
      },
      cells: [
        `var ${variable}=apis.messages.sent({to:${code},size:1}).items[0];print(${variable});apis.messages.edit({id:${variable}.id,text:${text.code}})`,
      ],
      uses: [named],
    })`Change the message that I just sent to ${personWords} to ${text.words}
      | Edit my last message to ${personWords} so that it says ${text.words}
      | The message I sent to ${personWords} minutes ago is wrong; edit it to ${text.words}
      | Correct the last message that I sent to ${personWords} to ${text.words}
      | Make my newest message to ${personWords} read ${text.words} by editing it`;
  }),
  "send-draft": (draw) => {
    const found = drawPersonWithRows(draw, draw.db.all(textDrafts));
    if (!found || findContact(draw.db, found.person.value).blocked) return undefined;
    const { id, person, text } = found.own[0]!;
    const { words: personWords, code } = found.person;
    return drawnDeed({
      apply: (db) => {
        insertText(db, person, text);
        db.remove(textDrafts, id);
      },
      cells: [`apis.messages.sendDraft({id:apis.messages.drafts({to:${code}}).items[0].id})`],
      uses: [found.person],
    })`Send my message draft to ${personWords}
      | Send the draft that I have for ${personWords} in Messages
      | Let the message that I drafted to ${personWords} go out now
      | The message draft to ${personWords} is ready: send it
      | Take my draft to ${personWords} in Messages and send it`;
  },
  unstar: (draw) => {
    const starred = draw.db.where(texts, { outgoing: false, starred: true });
    const onlyStarred = starred.filter(
      (row) => starred.filter(({ person }) => person === row.person).length === 1,
    );
    const found = drawPersonWithRows(draw, onlyStarred);
    if (!found) return undefined;
    const { words: personWords, code } = found.person;
    return drawnDeed({
      apply: (db) => db.update(texts, found.own[0]!.id, { starred: false }),
      cells: [
        `apis.messages.unstar({id:apis.messages.list({from:${code},starred:true}).items[0].id})`,
      ],
      uses: [found.person],
    })`Take the star off the message from ${personWords} that has one
      | Unstar the starred message from ${personWords}
      | Remove the star from the one message by ${personWords} that carries it
      | The starred message from ${personWords} should lose its star
      | Clear the star of the only starred message from ${personWords}`;
  },
  "unpin-post": (draw) => {
    const ownedChats = nameableChats(draw).filter(({ role }) => canManage(role));
    const pinned = ownedChats.flatMap(({ id, name }) => {
      const rows = draw.db.where(posts, { chat: id, pinned: true, withdrawn: false });
      return rows.length === 1 ? [{ name, post: rows[0]!.id }] : [];
    });
    if (pinned.length === 0) return undefined;
    const { name, post } = draw.rng.pick(pinned);
    return drawnDeed({
      apply: (db) => db.update(posts, post, { pinned: false }),
      cells: [
        `apis.messages.unpinPost({id:apis.messages.posts({chat:${jsLiteral(name)},pinned:true}).items[0].id})`,
      ],
    })`Unpin the pinned post in my group chat "${name}" | Take the pin off the post that is pinned
      in the group chat "${name}" | Remove the pin from the pinned post of the group chat "${name}"
      | The pinned post in the group chat "${name}" should be pinned no more
      | Let nothing be pinned in my group chat "${name}" any more`;
  },
}));
