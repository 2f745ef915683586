/** Posts of group chats. */
import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Relation,
} from "../../../../goals/index.ts";
import { chats, type Post, posts } from "../../apps/messages/tables.ts";
import { every, has, js, someWord, wordForms } from "../contacts/common.ts";
import { act, byPerson, distinct, inChat, isInside, mayPost, rules } from "./chat-rules.ts";
import { writePost } from "./writes.ts";

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
  excludes: ["from", "unread"],
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

export const postRelations: readonly Relation[] = [
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
];
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

export const postActions: readonly Action[] = [answer, pin];
