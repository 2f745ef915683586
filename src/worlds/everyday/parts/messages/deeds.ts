/** Single things done in messages: a chat is started or handed over, a text put right, a draft sent. */

import type { Deed, Draw } from "../../../../goals/index.ts";
import { chatMembers, chats, posts, revisions, textDrafts } from "../../apps/messages/tables.ts";
import { texts } from "../../apps/tables.ts";
import { contactOf, unblocked } from "../contact.ts";
import { js } from "../contacts/common.ts";
import { listed, severalPeople } from "../contacts/deeds.ts";
import { ownChats } from "./chat-rules.ts";
import { writeText } from "./writes.ts";

const CHAT_NAMES = ["Night market", "Quilt swap", "Tandem tour", "Roof terrace", "Soup Sunday"];

const createChat: Deed = {
  name: "create-chat",
  app: "messages",
  draw: (draw) => {
    const persons = severalPeople(draw, draw.rng.integer(2, 3));
    const name = draw.rng.pick(CHAT_NAMES);
    if (!persons || draw.db.where(chats, { name }).length > 0) return undefined;
    const [n, who] = [js(name), listed(persons.map(({ words }) => words))];
    return {
      sentences: [
        `Start a group chat ${n} with ${who}`,
        `Create the group chat ${n} and have ${who} in it`,
        `Open a new group chat called ${n} with ${who}`,
        `Set up a group chat ${n} whose other members are ${who}`,
        `I want a new group chat ${n} together with ${who}`,
      ],
      apply: (db) => {
        const row = { name, role: "owner", announcements: false, muted: false } as const;
        const chat = db.insert(chats, row).id;
        for (const { value } of persons) {
          db.insert(chatMembers, { chat, person: value.id, role: "member" });
        }
      },
      cells: [
        `apis.messages.createChat({name:${n},members:[${persons.map(({ code }) => code).join()}]})`,
      ],
      uses: persons,
    };
  },
};

/** Someone with this role in one of the chats that the owner owns. */
function memberOf(draw: Draw, role: "member" | "admin") {
  const own = ownChats(draw).filter((row) => row.role === "owner");
  if (own.length === 0) return undefined;
  const chat = draw.rng.pick(own);
  const inside = draw.db.where(chatMembers, { chat: chat.id, role });
  const person = draw.person(inside.map((row) => row.person));
  const row = inside.find((member) => member.person === person?.value.id);
  return person && row ? { chat, person, row } : undefined;
}

const promote: Deed = {
  name: "make-admin",
  app: "messages",
  draw: (draw) => {
    const found = memberOf(draw, "member");
    if (!found) return undefined;
    const { chat, person, row } = found;
    const [c, p] = [js(chat.name), person.words];
    return {
      sentences: [
        `Make ${p} an admin of my group chat ${c}`,
        `Let ${p} be an admin in the group chat ${c}`,
        `Promote ${p} to admin in my group chat ${c}`,
        `Give ${p} the role of admin in the group chat ${c}`,
        `Name ${p} an admin of the group chat ${c}`,
      ],
      apply: (db) => {
        db.update(chatMembers, row.id, { role: "admin" });
      },
      cells: [`apis.messages.makeAdmin({chat:${c},person:${person.code}})`],
      uses: [person],
    };
  },
};

const putOut: Deed = {
  name: "remove-member",
  app: "messages",
  draw: (draw) => {
    const found = memberOf(draw, draw.rng.pick(["member", "admin"] as const));
    if (!found) return undefined;
    const { chat, person, row } = found;
    const [c, p] = [js(chat.name), person.words];
    return {
      sentences: [
        `Put ${p} out of my group chat ${c}`,
        `Remove ${p} from the group chat ${c}`,
        `Take ${p} out of my group chat ${c}`,
        `Throw ${p} out of the group chat ${c}`,
        `Exclude ${p} from the group chat ${c}`,
      ],
      apply: (db) => {
        db.update(chatMembers, row.id, { role: "removed" });
      },
      cells: [`apis.messages.removeMember({chat:${c},person:${person.code}})`],
      uses: [person],
    };
  },
};

/** Only an owner who has handed over may leave. */
const handOver: Deed = {
  name: "hand-over-and-leave",
  app: "messages",
  draw: (draw) => {
    const found = memberOf(draw, draw.rng.pick(["member", "admin"] as const));
    if (!found) return undefined;
    const { chat, person, row } = found;
    const [c, p] = [js(chat.name), person.words];
    return {
      sentences: [
        `Hand my group chat ${c} over to ${p} and then leave it`,
        `Make ${p} the owner of my group chat ${c}, then leave the chat`,
        `I want to leave my group chat ${c}; first hand it over to ${p}`,
        `Leave the group chat ${c} after handing it over to ${p}`,
        `Let ${p} own my group chat ${c}, and after that leave it`,
      ],
      apply: (db) => {
        db.update(chatMembers, row.id, { role: "owner" });
        db.update(chats, chat.id, { role: "removed" });
      },
      cells: [
        `apis.messages.handOver({chat:${c},person:${person.code}});apis.messages.leaveChat({chat:${c}})`,
      ],
      uses: [person],
    };
  },
};

const announce: Deed = {
  name: "announce",
  app: "messages",
  draw: (draw) => {
    const own = ownChats(draw).filter((row) => row.role === "owner" && !row.announcements);
    if (own.length === 0) return undefined;
    const { id, name } = draw.rng.pick(own);
    const c = js(name);
    return {
      sentences: [
        `See to it that only admins and I may post in my group chat ${c}`,
        `In my group chat ${c}, let nobody but admins and me post`,
        `Restrict posting in the group chat ${c} to its admins and me`,
        `Make my group chat ${c} one in which only admins and I may post`,
        `From now on, only the admins and I should be able to post in the group chat ${c}`,
      ],
      apply: (db) => {
        db.update(chats, id, { announcements: true });
      },
      cells: [`apis.messages.announce({chat:${c},only:true})`],
    };
  },
};

/** The text was sent a few minutes before the start. */
const edit: Deed = {
  name: "edit",
  app: "messages",
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    const person = draw.person(unblocked(draw));
    if (!person) return undefined;
    const slip = draw.rng.pick(["see you at the statoin", "thnak you", "yse, gladly", "on my wya"]);
    const [p, t, variable] = [person.words, text.words, draw.variable("m")];
    const at = `2026-03-12T08:${draw.rng.integer(50, 57)}:30Z`;
    return {
      sentences: [
        `Change the message that I just sent to ${p} to ${t}`,
        `Edit my last message to ${p} so that it says ${t}`,
        `The message I sent to ${p} minutes ago is wrong; edit it to ${t}`,
        `Correct the last message that I sent to ${p} to ${t}`,
        `Make my newest message to ${p} read ${t} by editing it`,
      ],
      setup: (db) => {
        const flags = { outgoing: true, reaction: null, starred: false, unread: false };
        db.insert(texts, { ...flags, person: person.value.id, text: slip, replyTo: null, at });
      },
      apply: (db) => {
        const rows = db.where(texts, { person: person.value.id, outgoing: true, text: slip });
        db.insert(revisions, { message: rows.at(-1)!.id, before: slip });
        db.update(texts, rows.at(-1)!.id, { text: text.value });
      },
      cells: [
        `var ${variable}=apis.messages.sent({to:${person.code},size:1}).items[0];print(${variable});apis.messages.edit({id:${variable}.id,text:${text.code}})`,
      ],
      uses: [text, person],
    };
  },
};

const sendDraft: Deed = {
  name: "send-draft",
  app: "messages",
  draw: (draw) => {
    const all = draw.db.all(textDrafts);
    const person = draw.person(all.map((row) => row.person));
    const draft = all.find((row) => row.person === person?.value.id);
    if (!person || !draft || contactOf(draw.db, person.value).blocked) return undefined;
    const p = person.words;
    return {
      sentences: [
        `Send my message draft to ${p}`,
        `Send the draft that I have for ${p} in Messages`,
        `Let the message that I drafted to ${p} go out now`,
        `The message draft to ${p} is ready: send it`,
        `Take my draft to ${p} in Messages and send it`,
      ],
      apply: (db) => {
        writeText(db, draft.person, draft.text);
        db.remove(textDrafts, draft.id);
      },
      cells: [
        `apis.messages.sendDraft({id:apis.messages.drafts({to:${person.code}}).items[0].id})`,
      ],
      uses: [person],
    };
  },
};

const unstar: Deed = {
  name: "unstar",
  app: "messages",
  draw: (draw) => {
    const starred = draw.db.where(texts, { outgoing: false, starred: true });
    const once = starred.filter(
      (row) => starred.filter(({ person }) => person === row.person).length === 1,
    );
    const person = draw.person(once.map((row) => row.person));
    const row = once.find((text) => text.person === person?.value.id);
    if (!person || !row) return undefined;
    const p = person.words;
    return {
      sentences: [
        `Take the star off the message from ${p} that has one`,
        `Unstar the starred message from ${p}`,
        `Remove the star from the one message by ${p} that carries it`,
        `The starred message from ${p} should lose its star`,
        `Clear the star of the only starred message from ${p}`,
      ],
      apply: (db) => {
        db.update(texts, row.id, { starred: false });
      },
      cells: [
        `apis.messages.unstar({id:apis.messages.list({from:${person.code},starred:true}).items[0].id})`,
      ],
      uses: [person],
    };
  },
};

const unpin: Deed = {
  name: "unpin-post",
  app: "messages",
  draw: (draw) => {
    const own = ownChats(draw).filter(({ role }) => role === "owner" || role === "admin");
    const pinned = own.flatMap(({ id, name }) => {
      const rows = draw.db.where(posts, { chat: id, pinned: true, withdrawn: false });
      return rows.length === 1 ? [{ name, row: rows[0]! }] : [];
    });
    if (pinned.length === 0) return undefined;
    const { name, row } = draw.rng.pick(pinned);
    const c = js(name);
    return {
      sentences: [
        `Unpin the pinned post in my group chat ${c}`,
        `Take the pin off the post that is pinned in the group chat ${c}`,
        `Remove the pin from the pinned post of the group chat ${c}`,
        `The pinned post in the group chat ${c} should be pinned no more`,
        `Let nothing be pinned in my group chat ${c} any more`,
      ],
      apply: (db) => {
        db.update(posts, row.id, { pinned: false });
      },
      cells: [
        `apis.messages.unpinPost({id:apis.messages.posts({chat:${c},pinned:true}).items[0].id})`,
      ],
    };
  },
};

export const messageDeeds: readonly Deed[] = [
  createChat,
  promote,
  putOut,
  handOver,
  announce,
  edit,
  sendDraft,
  unstar,
  unpin,
];
