/** Group chats: by role, member, size, and what waits in them. */

import {
  type Action,
  type Clause,
  type Collection,
  collection,
  eachOf,
  type Relation,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Chat, chatMembers, chats, polls, posts } from "../../apps/messages/tables.ts";
import { atLeast, atMost, oneOfSome } from "../bounds.ts";
import { unblocked } from "../contact.ts";
import { each, every, js, reachable } from "../contacts/common.ts";
import { act, distinct, isInside, mayPost, othersIn, rules } from "./chat-rules.ts";
import { writePost } from "./writes.ts";

const role: Clause<Chat> = {
  name: "role",
  draw: ({ rng }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.map((row) => row.role),
    );
    if (chosen === undefined) return undefined;
    const [a, is] = chosen === "admin" ? ["an admin", "admin"] : [`the ${chosen}`, chosen];
    const as = chosen === "member" ? "a plain member" : a;
    return {
      words: [
        `in which I am ${as}`,
        `where my role is "${is}"`,
        `in which I have the role "${is}"`,
        `that have me as ${as}`,
        `with me as ${as}`,
      ],
      holds: (row) => row.role === chosen,
      code: { args: `role:${js(chosen)}` },
    };
  },
};

const withPerson: Clause<Chat> = {
  name: "with",
  draw: (draw, rows) => {
    const ids = rows.flatMap(({ id }) => othersIn(draw.db, id).map(({ person }) => person));
    const person = draw.person(ids);
    if (!person) return undefined;
    const p = person.words;
    return {
      words: [
        `that ${p} is in`,
        `with ${p} among the members`,
        `that have ${p} in them`,
        `to which ${p} belongs`,
        `in which ${p} is too`,
      ],
      holds: ({ id }, db) => othersIn(db, id).some((row) => row.person === person.value.id),
      code: { args: `person:${person.code}` },
      uses: [person],
    };
  },
};

const muted: Clause<Chat> = {
  name: "muted",
  draw: (_, rows) => {
    const count = rows.filter((row) => row.muted).length;
    if (count === 0 || count === rows.length) return undefined;
    return {
      words: [
        "that are muted",
        "which I have muted",
        "that I keep muted",
        "on mute",
        "whose sound is muted",
      ],
      holds: (row) => row.muted,
      code: { args: "muted:true" },
    };
  },
};

function sized(name: "large" | "small", edge: typeof atLeast): Clause<Chat> {
  return {
    name,
    excludes: ["large", "small"].filter((other) => other !== name),
    draw: ({ rng, db }, rows) => {
      const size = edge(
        rng,
        rows.map(({ id }) => othersIn(db, id).length),
      );
      if (size === undefined) return undefined;
      const than = name === "large" ? `${size} or more` : `${size} or fewer`;
      const bound = name === "large" ? `at least ${size}` : `at most ${size}`;
      return {
        words: [
          `with ${than} members besides me`,
          `that have ${bound} members besides me`,
          `with ${bound} people in them besides me`,
          `in which there are ${than} others besides me`,
          `whose members besides me number ${than}`,
        ],
        holds: ({ id }, db) =>
          name === "large" ? othersIn(db, id).length >= size : othersIn(db, id).length <= size,
        code: { test: `x.members${name === "large" ? ">" : "<"}=${size}` },
      };
    },
  };
}

const waiting: Clause<Chat> = {
  name: "unread",
  draw: ({ db }, rows) => {
    const count = rows.filter(({ id }) => unreadIn(db, id) > 0).length;
    if (count === 0 || count === rows.length) return undefined;
    return {
      words: [
        "with unread posts",
        "that have posts I have not read",
        "in which posts are unread",
        "where I have unread posts",
        "that hold posts I have yet to read",
      ],
      holds: ({ id }, db) => unreadIn(db, id) > 0,
      code: { test: "x.unread>0" },
    };
  },
};
const unreadIn = (db: Reader, chat: number) => db.where(posts, { chat, unread: true }).length;

export const chatsPart: Collection = collection<Chat>({
  name: "chats",
  kind: "chats",
  app: "messages",
  table: chats,
  base: (row) => row.role !== "removed",
  nouns: [
    { one: "group chat that includes me", many: "group chats that include me" },
    { one: "chat of mine in Messages", many: "chats of mine in Messages" },
    { one: "group chat of mine", many: "group chats of mine" },
    { one: "group chat I belong to", many: "group chats I belong to" },
    { one: "chat I belong to", many: "chats I belong to" },
  ],
  list: { api: "messages.chats" },
  key: "name",
  whole: true,
  clauses: [role, withPerson, muted, sized("large", atLeast), sized("small", atMost), waiting],
  fields: [
    { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
    {
      name: "members",
      unit: "number",
      noun: "number of members besides me",
      value: ({ id }, db) => othersIn(db, id).length,
      code: "x.members",
    },
  ],
  title: {
    of: (row) => row.name,
    nouns: (name) => [
      `the group chat ${js(name)}`,
      `my group chat ${js(name)}`,
      `the chat ${js(name)} in Messages`,
      `the chat called ${js(name)}`,
      `the group chat named ${js(name)}`,
    ],
    cells: (name, out) => [
      `var ${out}=${every("messages.chats", "")}.map(x=>x.name).filter(x=>x===${js(name)});print(${out})`,
    ],
    missing: ["Sunrise kayaking", "Landing B", "Lantern parade", "Attic sale", "Broken heating"],
  },
});

export const chatRelations: readonly Relation[] = [
  {
    name: "chat-members",
    from: "chats",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the other members of ${noun}`,
      (noun) => `everybody besides me among the members of ${noun}`,
      (noun) => `all members other than me of ${noun}`,
      (noun) => `the people except me among the members of ${noun}`,
      (noun) => `everyone but me among the members of ${noun}`,
    ],
    each: eachOf("besides me is a member of"),
    map: (db, ids) =>
      distinct(ids.flatMap((chat) => othersIn(db, chat).map(({ person }) => person))),
    cells: (from, to) =>
      each(`${every("messages.chatMembers", "chat:k")}.map(x=>x.handle)`, from, to),
  },
  {
    name: "admins",
    from: "chats",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the other admins of ${noun}`,
      (noun) => `everybody besides me among the admins of ${noun}`,
      (noun) => `all admins other than me of ${noun}`,
      (noun) => `the people except me among the admins of ${noun}`,
      (noun) => `whoever but me is among the admins of ${noun}`,
    ],
    map: (db, ids) =>
      distinct(
        ids.flatMap((chat) =>
          db.where(chatMembers, { chat, role: "admin" }).map(({ person }) => person),
        ),
      ),
    cells: (from, to) =>
      each(`${every("messages.chatMembers", 'chat:k,role:"admin"')}.map(x=>x.handle)`, from, to),
  },
  {
    name: "shared-chats",
    from: "people",
    to: "chats",
    app: "messages",
    words: [
      (noun) => `the group chats that I share with ${noun}`,
      (noun) => `those group chats of mine that include ${noun}`,
      (noun) => `the chats in Messages that I have in common with ${noun}`,
      (noun) => `all group chats that I am in together with ${noun}`,
      (noun) => `my group chats in which I meet ${noun}`,
    ],
    map: (db, ids) => {
      const found = ids.flatMap((person) => db.where(chatMembers, { person }));
      const here = found.filter((row) => row.role !== "removed" && isInside(db, row.chat));
      return distinct(here.map(({ chat }) => chat));
    },
    cells: (from, to) => each(`${every("messages.chats", "person:k")}.map(x=>x.name)`, from, to),
  },
];
const post = act(
  "chats",
  "post",
  (draw) => {
    const text = draw.value("text");
    const t = text.words;
    return {
      frames: [
        (noun) => `Post ${t} in ${noun}`,
        (noun) => `Write ${t} in ${noun}`,
        (noun) => `Put the post ${t} into ${noun}`,
        (noun) => `Say ${t} in ${noun}`,
        (noun) => `Make a post that says ${t} in ${noun}`,
      ],
      permits: (db, id) => mayPost(db.get(chats, id)),
      apply: (db, id) => writePost(db, id, text.value),
      call: (x) => `apis.messages.post({chat:${x},text:${text.code}})`,
      uses: [text],
    };
  },
  "text",
);

const mute = act("chats", "mute", () => ({
  frames: [
    (noun) => `Mute ${noun}`,
    (noun) => `Put ${noun} on mute`,
    (noun) => `Let ${noun} be muted`,
    (noun) => `Set ${noun} to muted`,
    (noun) => `Have ${noun} muted`,
  ],
  permits: (db, id) => isInside(db, id) && !db.get(chats, id)!.muted,
  apply: (db, id) => db.update(chats, id, { muted: true }),
  call: (x) => `apis.messages.muteChat({chat:${x}})`,
}));

const leave = act("chats", "leave", () => ({
  frames: [
    (noun) => `Leave ${noun}`,
    (noun) => `Let me leave ${noun}`,
    (noun) => `Take me out of ${noun}`,
    (noun) => `Quit ${noun}`,
    (noun) => `Get me out of ${noun}`,
  ],
  permits: (db, id) => isInside(db, id) && db.get(chats, id)!.role !== "owner",
  apply: (db, id) => db.update(chats, id, { role: "removed" }),
  call: (x) => `apis.messages.leaveChat({chat:${x}})`,
}));

const invite = act("chats", "add-member", (draw) => {
  const person = draw.person(unblocked(draw));
  if (!person) return undefined;
  const [p, other] = [person.words, person.value.id];
  return {
    frames: [
      (noun) => `Add ${p} to ${noun}`,
      (noun) => `Bring ${p} into ${noun}`,
      (noun) => `Make ${p} a member of ${noun}`,
      (noun) => `Put ${p} into ${noun}`,
      (noun) => `Let ${p} join ${noun}`,
    ],
    permits: (db, chat) =>
      rules(db.get(chats, chat)?.role) &&
      reachable(db, other) &&
      db.where(chatMembers, { chat, person: other }).length === 0,
    apply: (db, chat) => db.insert(chatMembers, { chat, person: other, role: "member" }),
    call: (x) => `apis.messages.addMember({chat:${x},person:${person.code}})`,
    uses: [person],
  };
});

const ASKED = [
  ["Who brings the tent?", ["nobody yet", "the neighbours", "the hosts"]],
  ["Which colour for the banner?", ["red", "green", "blue"]],
  ["Shall we meet monthly?", ["yes", "no"]],
  ["Tea or coffee?", ["tea", "coffee", "both"]],
] as const;

const ask = act("chats", "start-poll", ({ rng }) => {
  const [question, choices] = rng.pick(ASKED);
  const c = choices.map((choice) => js(choice)).join(", ");
  const q = js(question);
  return {
    frames: [
      (noun) => `Start a poll with the question ${q} and the choices ${c} in ${noun}`,
      (noun) => `In ${noun}, start a poll that asks ${q}, with the choices ${c}`,
      (noun) => `Ask ${q} by a poll in ${noun}; the choices are ${c}`,
      (noun) => `Set up a poll in ${noun}: the question is ${q}, the choices are ${c}`,
      (noun) => `Put a poll into ${noun} with ${q} as its question and ${c} as its choices`,
    ],
    permits: (db, id) => mayPost(db.get(chats, id)),
    apply: (db, chat) =>
      db.insert(polls, { chat, person: null, question, choices: [...choices], closed: false }),
    call: (x) => `apis.messages.startPoll({chat:${x},question:${q},choices:${js(choices)}})`,
  };
});

export const chatActions: readonly Action[] = [post, mute, leave, invite, ask];
