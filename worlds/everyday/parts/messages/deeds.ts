/** Single things done in messages: a chat is started or handed over, a text put right, a draft sent, a mark taken off. */
import { type DrawContext, deeds, jsLiteral } from "bowline/goals";
import { chatMembers, chats, posts, revisions, textDrafts } from "../../apps/messages/tables.ts";
import { texts } from "../../apps/tables.ts";
import { drawPersonWithRows } from "../contacts/contacts-and-messages.ts";
import { drawSeveralPeople, joinNames } from "../contacts/deeds.ts";
import { findContact, idsOfUnblockedPeople } from "../reachable-people.ts";
import { ownChats, rules } from "./chat-rules.ts";
import { writeText } from "./writes.ts";

const CHAT_NAMES = ["Night market", "Quilt swap", "Tandem tour", "Roof terrace", "Soup Sunday"];
const SLIPS = ["see you at the statoin", "thnak you", "yse, gladly", "on my wya"];

/** Someone with this role in one of the chats that the owner owns, and both as arguments. */
function memberOf(draw: DrawContext, role: "member" | "admin") {
  const own = ownChats(draw).filter((row) => row.role === "owner");
  if (own.length === 0) return undefined;
  const chat = draw.rng.pick(own);
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
      cells: [`apis.messages.createChat({name:${jsLiteral(name)},members:[${handles}]})`],
      uses: persons,
    })`Start a group chat "${name}" with ${who} | Create the group chat "${name}" and have ${who} in
      it | Open a new group chat called "${name}" with ${who} | Set up a group chat "${name}"
      whose other members are ${who} | I want a new group chat "${name}" together with ${who}`;
  },
  "make-admin": (draw) => {
    const found = memberOf(draw, "member");
    if (!found) return undefined;
    const [c, p] = [jsLiteral(found.chat.name), found.person.words];
    return drawnDeed({
      apply: (db) => db.update(chatMembers, found.member, { role: "admin" }),
      cells: [`apis.messages.makeAdmin({${found.args}})`],
      uses: found.uses,
    })`Make ${p} an admin of my group chat ${c} | Let ${p} be an admin in the group chat ${c}
      | Promote ${p} to admin in my group chat ${c} | Give
      ${p} the role of admin in the group chat ${c} | Name ${p} an admin of the group chat ${c}`;
  },
  "remove-member": (draw) => {
    const found = memberOf(draw, draw.rng.pick(["member", "admin"] as const));
    if (!found) return undefined;
    const [c, p] = [jsLiteral(found.chat.name), found.person.words];
    return drawnDeed({
      apply: (db) => db.update(chatMembers, found.member, { role: "removed" }),
      cells: [`apis.messages.removeMember({${found.args}})`],
      uses: found.uses,
    })`Put ${p} out of my group chat ${c} | Remove ${p} from the group chat ${c}
      | Take ${p} out of my group chat ${c}
      | Throw ${p} out of the group chat ${c} | Exclude ${p} from the group chat ${c}`;
  },
  /** Only an owner who has handed over may leave. */
  "hand-over-and-leave": (draw) => {
    const found = memberOf(draw, draw.rng.pick(["member", "admin"] as const));
    if (!found) return undefined;
    const [c, p] = [jsLiteral(found.chat.name), found.person.words];
    return drawnDeed({
      apply: (db) => {
        db.update(chatMembers, found.member, { role: "owner" });
        db.update(chats, found.chat.id, { role: "removed" });
      },
      cells: [`apis.messages.handOver({${found.args}});apis.messages.leaveChat({chat:${c}})`],
      uses: found.uses,
    })`Hand my group chat ${c} over to ${p} and then leave it | Make ${p} the owner of my group chat
      ${c}, then leave the chat | I want to leave my group chat ${c}; first hand it over to ${p}
      | Leave the group chat ${c} after handing it over to ${p}
      | Let ${p} own my group chat ${c}, and after that leave it`;
  },
  announce: (draw) => {
    const own = ownChats(draw).filter((row) => row.role === "owner" && !row.announcements);
    if (own.length === 0) return undefined;
    const { id, name } = draw.rng.pick(own);
    return drawnDeed({
      apply: (db) => db.update(chats, id, { announcements: true }),
      cells: [`apis.messages.announce({chat:${jsLiteral(name)},only:true})`],
    })`See to it that only admins and I may post in my group chat "${name}" | In my group chat
      "${name}", let nobody but admins and me post | Restrict posting in the group chat "${name}"
      to its admins and me | Make my group chat "${name}" one in which only admins and I may post
      | From now on, only the admins and I should be able to post in the group chat "${name}"`;
  },
  /** The text was sent a few minutes before the start. */
  edit: drawnDeedWithValue("text", (text, draw) => {
    const named = draw.person(idsOfUnblockedPeople(draw));
    if (!named) return undefined;
    const { value, words: p, code } = named;
    const person = value.id;
    const [slip, out] = [draw.rng.pick(SLIPS), draw.variable("m")];
    const at = `2026-03-12T08:${draw.rng.integer(50, 57)}:30Z`;
    return drawnDeed({
      setup: (db) => {
        const flags = { outgoing: true, reaction: null, starred: false, unread: false };
        db.insert(texts, { ...flags, person, text: slip, replyTo: null, at });
      },
      apply: (db) => {
        const { id } = db.where(texts, { person, outgoing: true, text: slip }).at(-1)!;
        db.insert(revisions, { message: id, before: slip });
        db.update(texts, id, { text: text.value });
      },
      cells: [
        `var ${out}=apis.messages.sent({to:${code},size:1}).items[0];print(${out});apis.messages.edit({id:${out}.id,text:${text.code}})`,
      ],
      uses: [named],
    })`Change the message that I just sent to ${p} to ${text.words} | Edit my last message to ${p}
      so that it says ${text.words} | The message I sent to ${p} minutes ago is wrong;
      edit it to ${text.words} | Correct the last message that I sent to ${p} to ${text.words}
      | Make my newest message to ${p} read ${text.words} by editing it`;
  }),
  "send-draft": (draw) => {
    const found = drawPersonWithRows(draw, draw.db.all(textDrafts));
    if (!found || findContact(draw.db, found.person.value).blocked) return undefined;
    const { id, person, text } = found.own[0]!;
    const { words: p, code } = found.person;
    return drawnDeed({
      apply: (db) => {
        writeText(db, person, text);
        db.remove(textDrafts, id);
      },
      cells: [`apis.messages.sendDraft({id:apis.messages.drafts({to:${code}}).items[0].id})`],
      uses: [found.person],
    })`Send my message draft to ${p} | Send the draft that I have for ${p} in Messages | Let the
      message that I drafted to ${p} go out now | The message draft to ${p} is ready: send it
      | Take my draft to ${p} in Messages and send it`;
  },
  unstar: (draw) => {
    const starred = draw.db.where(texts, { outgoing: false, starred: true });
    const once = starred.filter(
      (row) => starred.filter(({ person }) => person === row.person).length === 1,
    );
    const found = drawPersonWithRows(draw, once);
    if (!found) return undefined;
    const { words: p, code } = found.person;
    return drawnDeed({
      apply: (db) => db.update(texts, found.own[0]!.id, { starred: false }),
      cells: [
        `apis.messages.unstar({id:apis.messages.list({from:${code},starred:true}).items[0].id})`,
      ],
      uses: [found.person],
    })`Take the star off the message from ${p} that has one | Unstar the starred message from ${p}
      | Remove the star from the one message by ${p} that carries it | The starred message
      from ${p} should lose its star | Clear the star of the only starred message from ${p}`;
  },
  "unpin-post": (draw) => {
    const own = ownChats(draw).filter(({ role }) => rules(role));
    const pinned = own.flatMap(({ id, name }) => {
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
