/** Group chats, what is posted in them, and their polls; what the owner's role allows. */
import type { Reader } from "../../../../world/index.ts";
import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Draw,
  type Effect,
  type Relation,
} from "../../algebra/parts.ts";
import {
  type Chat,
  type ChatRole,
  chatMembers,
  chats,
  type Poll,
  type Post,
  polls,
  posts,
  votes,
} from "../../apps/messages/tables.ts";
import { atLeast, atMost, oneOfSome } from "../bounds.ts";
import { each, every, has, js, reachable, someWord, wordForms } from "../contacts/common.ts";
import { writePost } from "./writes.ts";

const isInside = (db: Reader, chat: number) => {
  const row = db.get(chats, chat);
  return row !== undefined && row.role !== "removed";
};
const othersIn = (db: Reader, chat: number) =>
  db.where(chatMembers, { chat }).filter(({ role }) => role !== "removed");
const rules = (role: ChatRole | undefined) => role === "owner" || role === "admin";
const mayPost = (row: Chat | undefined) =>
  row !== undefined && row.role !== "removed" && (!row.announcements || rules(row.role));

/** Chats whose members may be named, and with them the chat. */
export function ownChats(draw: Draw): readonly Chat[] {
  const own = new Set(draw.people.map(({ id }) => id));
  return draw.db.all(chats).filter(({ id }) => {
    const inside = draw.db.where(chatMembers, { chat: id });
    return inside.length > 0 && inside.every(({ person }) => own.has(person));
  });
}

// --- chats ---

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
      superlatives: {
        most: ["largest", "biggest", "most populous", "fullest", "most crowded"],
        least: ["smallest", "tiniest", "least populous", "emptiest", "least crowded"],
      },
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

// --- posts ---

type InChat = { readonly id: number; readonly chat: number; readonly person: number | null };

/** A clause that names the chat. */
function inChat<R extends InChat>(): Clause<R> {
  return {
    name: "chat",
    draw: (draw, rows) => {
      const own = new Set(ownChats(draw).map(({ id }) => id));
      const chat = oneOfSome(
        draw.rng,
        rows.map((row) => row.chat).filter((id) => own.has(id)),
      );
      const name = chat === undefined ? undefined : draw.db.get(chats, chat)?.name;
      if (name === undefined || rows.every((row) => row.chat === chat)) return undefined;
      const c = js(name);
      return {
        words: [
          `in the group chat ${c}`,
          `from my group chat ${c}`,
          `that stand in the group chat ${c}`,
          `which are in the chat ${c}`,
          `of the group chat ${c}`,
        ],
        holds: (row) => row.chat === chat,
        code: { args: `chat:${c}` },
      };
    },
  };
}

function byPerson<R extends InChat>(): Clause<R> {
  return {
    name: "from",
    draw: (draw, rows) => {
      const ids = rows.flatMap(({ person }) => person ?? []);
      const person = new Set(ids).size > 1 ? draw.person(ids) : undefined;
      if (!person) return undefined;
      const p = person.words;
      return {
        words: [
          `by ${p}`,
          `from ${p}`,
          `that ${p} is the author of`,
          `whose author is ${p}`,
          `with ${p} as their author`,
        ],
        holds: (row) => row.person === person.value.id,
        code: { args: `from:${person.code}` },
        uses: [person],
      };
    },
  };
}

function postFlag(name: "pinned" | "unread", words: readonly string[]): Clause<Post> {
  return {
    name,
    draw: (_, rows) => {
      const count = rows.filter((row) => row[name]).length;
      if (count === 0 || count === rows.length) return undefined;
      const [a, b, c, d, e] = words as [string, string, string, string, string];
      return {
        words: [a, b, c, d, e],
        holds: (row) => row[name],
        code: { args: `${name}:true` },
      };
    },
  };
}

const TOPICS = ["paid", "cake", "parking", "late", "book", "weather", "cups", "driving", "starts"];

const topic: Clause<Post> = {
  name: "mentions",
  draw: (draw, rows) => {
    const word = someWord(
      draw,
      rows.map(({ text }) => text),
      TOPICS,
    );
    if (word === undefined) return undefined;
    return {
      words: wordForms(word),
      holds: ({ text }) => has(text, word),
      code: { args: `query:${js(word)}` },
    };
  },
};

const mine: Clause<Post> = {
  name: "mine",
  excludes: ["from"],
  draw: (_, rows) => {
    const count = rows.filter(({ person }) => person === null).length;
    if (count === 0 || count === rows.length) return undefined;
    return {
      words: [
        "that I wrote myself",
        "by me",
        "of which I am the author",
        "whose author is me",
        "that were written by me",
      ],
      holds: ({ person }) => person === null,
      code: { args: "mine:true" },
    };
  },
};

export const postsPart: Collection = collection<Post>({
  name: "posts",
  kind: "posts",
  app: "messages",
  table: posts,
  base: (row, db) => !row.withdrawn && isInside(db, row.chat),
  nouns: [
    { one: "chat post", many: "chat posts" },
    { one: "post in my chats", many: "posts in my chats" },
    { one: "post in a group chat", many: "posts in group chats" },
    { one: "post in my group chats", many: "posts in my group chats" },
    { one: "group chat post", many: "group chat posts" },
  ],
  list: { api: "messages.posts" },
  key: "id",
  whole: false,
  clauses: [
    inChat<Post>(),
    byPerson<Post>(),
    mine,
    postFlag("pinned", [
      "that are pinned",
      "which somebody pinned",
      "that are pinned there",
      "with a pin",
      "which are pinned",
    ]),
    postFlag("unread", [
      "that are unread",
      "I have not read yet",
      "that I have yet to read",
      "which are still unread",
      "that have not been read",
    ]),
    topic,
  ],
  fields: [{ name: "text", unit: "text", noun: "text", value: (row) => row.text, code: "x.text" }],
});

// --- polls ---

const votesOf = (db: Reader, poll: number) => db.where(votes, { poll }).length;
const votedIn = (db: Reader, poll: number) => db.where(votes, { poll, person: null }).length > 0;

function pollFlag(
  name: "open" | "closed" | "voted" | "unvoted",
  args: string,
  holds: (row: Poll, db: Reader) => boolean,
  words: readonly string[],
): Clause<Poll> {
  const pairs: Record<string, string> = { open: "closed", closed: "open", voted: "unvoted" };
  return {
    name,
    excludes: [pairs[name] ?? "voted"],
    draw: ({ db }, rows) => {
      const count = rows.filter((row) => holds(row, db)).length;
      if (count === 0 || count === rows.length) return undefined;
      const [a, b, c, d, e] = words as [string, string, string, string, string];
      return { words: [a, b, c, d, e], holds, code: { args } };
    },
  };
}

export const pollsPart: Collection = collection<Poll>({
  name: "polls",
  kind: "polls",
  app: "messages",
  table: polls,
  base: (row, db) => isInside(db, row.chat),
  nouns: [
    { one: "poll in my chats", many: "polls in my chats" },
    { one: "poll in Messages", many: "polls in Messages" },
    { one: "group chat poll", many: "group chat polls" },
    { one: "poll in my group chats", many: "polls in my group chats" },
    { one: "chat poll", many: "chat polls" },
  ],
  list: { api: "messages.polls" },
  key: "id",
  whole: false,
  clauses: [
    inChat<Poll>(),
    byPerson<Poll>(),
    pollFlag("open", "closed:false", (row) => !row.closed, [
      "that are open",
      "which are still open",
      "that are not closed",
      "which nobody has closed yet",
      "that have not been closed",
    ]),
    pollFlag("closed", "closed:true", (row) => row.closed, [
      "that are closed",
      "which are closed by now",
      "that have been closed",
      "which somebody has closed",
      "that were closed",
    ]),
    pollFlag("voted", "voted:true", (row, db) => votedIn(db, row.id), [
      "in which I have voted",
      "that have my vote",
      "where I voted",
      "in which my vote counts",
      "that I voted in",
    ]),
    pollFlag("unvoted", "voted:false", (row, db) => !votedIn(db, row.id), [
      "in which I have not voted",
      "that lack my vote",
      "where I have yet to vote",
      "without a vote of mine",
      "that I have not voted in",
    ]),
  ],
  fields: [
    {
      name: "question",
      unit: "text",
      noun: "question",
      value: (row) => row.question,
      code: "x.question",
    },
    {
      name: "votes",
      unit: "number",
      noun: "number of votes",
      value: ({ id }, db) => votesOf(db, id),
      code: "x.votes",
      superlatives: {
        most: ["most voted", "most answered", "best attended", "most popular", "busiest"],
        least: ["least voted", "least answered", "worst attended", "least popular", "quietest"],
      },
    },
  ],
});

// --- relations ---

const distinct = (ids: readonly (number | null)[]) => [...new Set(ids.filter((id) => id !== null))];

export const chatRelations: readonly Relation[] = [
  {
    name: "chat-members",
    from: "chats",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the other members of ${noun}`,
      (noun) => `everybody besides me who is in ${noun}`,
      (noun) => `the people who are with me in ${noun}`,
      (noun) => `all others in ${noun}`,
      (noun) => `everyone but me in ${noun}`,
    ],
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
      (noun) => `everybody besides me who is an admin in ${noun}`,
      (noun) => `the people with the role "admin" in ${noun}`,
      (noun) => `all other admins in ${noun}`,
      (noun) => `whoever but me is an admin of ${noun}`,
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
    name: "authors",
    from: "posts",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the authors of ${noun}, other than me`,
      (noun) => `everyone but me who wrote one of ${noun}`,
      (noun) => `the people besides me behind ${noun}`,
      (noun) => `those except me who wrote ${noun}`,
      (noun) => `whoever but me is an author of ${noun}`,
    ],
    map: (db, ids) => distinct(ids.map((id) => db.get(posts, id)!.person)),
    cells: (from, to) => [
      `var ${to}=[...new Set(${every("messages.posts", "mine:false")}.filter(x=>${from}.includes(x.id)).map(x=>x.from))];print(${to})`,
    ],
  },
  {
    name: "voters",
    from: "polls",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the people besides me who voted in ${noun}`,
      (noun) => `the other voters of ${noun}`,
      (noun) => `everyone but me who voted in ${noun}`,
      (noun) => `those except me with a vote in ${noun}`,
      (noun) => `whoever but me has voted in ${noun}`,
    ],
    map: (db, ids) =>
      distinct(ids.flatMap((poll) => db.where(votes, { poll }).map(({ person }) => person))),
    cells: (from, to) =>
      each(`${every("messages.votes", "id:k")}.map(x=>x.by).filter(x=>x!=="owner")`, from, to),
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

// --- actions ---

const act = (
  kind: string,
  name: string,
  draw: (draw: Draw) => Effect | undefined,
  takes?: Action["takes"],
): Action => ({ name, kind, app: "messages", difficulty: 1, draw, ...(takes && { takes }) });

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
  const person = draw.person(draw.people.filter(({ blocked }) => !blocked).map(({ id }) => id));
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

const answer = act(
  "posts",
  "answer",
  (draw) => {
    const text = draw.value("text");
    const t = text.words;
    return {
      frames: [
        (noun) => `Answer ${noun} with ${t}`,
        (noun) => `Reply to ${noun} with ${t}`,
        (noun) => `Respond to ${noun} with ${t}`,
        (noun) => `Write ${t} as an answer to ${noun}`,
        (noun) => `Give ${noun} the answer ${t}`,
      ],
      permits: (db, id) => {
        const row = db.get(posts, id)!;
        return !row.withdrawn && mayPost(db.get(chats, row.chat));
      },
      apply: (db, id) => writePost(db, db.get(posts, id)!.chat, text.value, id),
      call: (x) => `apis.messages.answer({id:${x},text:${text.code}})`,
      uses: [text],
    };
  },
  "text",
);

const pin = act("posts", "pin", () => ({
  frames: [
    (noun) => `Pin ${noun}`,
    (noun) => `Put a pin on ${noun}`,
    (noun) => `Have ${noun} pinned`,
    (noun) => `Let ${noun} be pinned`,
    (noun) => `Set ${noun} to pinned`,
  ],
  permits: (db, id) => {
    const row = db.get(posts, id)!;
    return !row.pinned && rules(db.get(chats, row.chat)?.role);
  },
  apply: (db, id) => db.update(posts, id, { pinned: true }),
  call: (x) => `apis.messages.pinPost({id:${x}})`,
}));

const close = act("polls", "close", () => ({
  frames: [
    (noun) => `Close ${noun}`,
    (noun) => `Let ${noun} be closed`,
    (noun) => `Have ${noun} closed`,
    (noun) => `Set ${noun} to closed`,
    (noun) => `Bring the voting in ${noun} to a close`,
  ],
  permits: (db, id) => {
    const row = db.get(polls, id)!;
    return !row.closed && (row.person === null || rules(db.get(chats, row.chat)?.role));
  },
  apply: (db, id) => db.update(polls, id, { closed: true }),
  call: (x) => `apis.messages.closePoll({id:${x}})`,
}));

const NTH = ["first", "second"] as const;

/** Its choice is found in each poll. */
const vote = act("polls", "vote", ({ rng }) => {
  const nth = rng.integer(0, 1);
  const n = NTH[nth];
  return {
    frames: [
      (noun) => `Vote for the ${n} choice in ${noun}`,
      (noun) => `In ${noun}, vote for the choice that is listed ${n}`,
      (noun) => `Give my vote in ${noun} to the ${n} choice`,
      (noun) => `Cast my vote for the ${n} listed choice in ${noun}`,
      (noun) => `Let me vote for the ${n} of the choices in ${noun}`,
    ],
    permits: (db, id) => {
      const row = db.get(polls, id)!;
      const [vote] = db.where(votes, { poll: id, person: null });
      return !row.closed && vote?.choice !== row.choices[nth];
    },
    apply: (db, poll) => {
      const choice = db.get(polls, poll)!.choices[nth]!;
      const [vote] = db.where(votes, { poll, person: null });
      if (vote) db.update(votes, vote.id, { choice });
      else db.insert(votes, { poll, person: null, choice });
    },
    call: (x) =>
      `const c=apis.messages.poll({id:${x}}).results[${nth}].choice;apis.messages.vote({id:${x},choice:c})`,
  };
});

export const chatActions: readonly Action[] = [
  post,
  mute,
  leave,
  invite,
  ask,
  answer,
  pin,
  close,
  vote,
];
