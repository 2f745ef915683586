/** What is written in chats. Posts stay: a withdrawn one is no longer shown, but its row tells that it was sent. */

import {
  contains,
  either,
  itemOf,
  must,
  newestFirst,
  prose,
  query,
  resource,
  through,
  when,
  where,
} from "bowline/resources";
import { type CallContext, defineApi, z } from "bowline/world";
import { ofPerson, onDay } from "../shared.ts";
import {
  authorOf,
  chatBy,
  chatOf,
  chatParam,
  expectVoice,
  inChat,
  insideIds,
  postBy,
} from "./chat-access.ts";
import { chatName, postId } from "./examples.ts";
import { expectFresh } from "./fresh.ts";
import { type Chat, type ChatRole, chats, type Post, posts } from "./tables.ts";

const postItem = itemOf(posts, {
  ...posts.fields("text", "id"),
  from: [z.string().describe('a handle, or "owner"'), ({ person }, { db }) => authorOf(db, person)],
  chat: through(chats, "chat", "name", "removed"),
  day: onDay,
  ...posts.fields("pinned", "unread"),
});

const openItem = postItem.with({
  time: [z.string(), ({ at }) => at.slice(11, 16)],
  answers: [
    z.string().nullable(),
    ({ replyTo }, { db }) => {
      const first = replyTo === null ? undefined : db.get(posts, replyTo);
      return first && !first.withdrawn ? first.text : null;
    },
  ],
});

/** Posts in chats in which the owner has at least this role. */
const postsAs = (needed: ChatRole) =>
  resource({
    noun: "post",
    item: postItem,
    find: ({ id }, { db }) => postBy(db, id, needed),
    example: (db, fits) => ({ id: postId(db, fits) }),
  });
const post = postsAs("member");
const ruledPost = postsAs("admin");

const text = prose("the text");

function write({ db, now }: CallContext, chat: Chat, text: string, replyTo: number | null): Post {
  const flags = { pinned: false, withdrawn: false, unread: false };
  return db.insert(posts, { chat: chat.id, person: null, text, replyTo, ...flags, at: now });
}

const readChat = defineApi({
  summary: "Mark all posts of a chat as read; returns how many were unread.",
  params: z.strictObject({ chat: chatParam }),
  returns: z.strictObject({ read: z.int() }),
  example: (db) => ({ chat: chatName(db) }),
  handler: ({ db }, args) => {
    const { id: chat } = chatBy(db, args.chat, "member");
    const rows = db.where(posts, { chat, unread: true });
    for (const { id } of rows) db.update(posts, id, { unread: false });
    return { read: rows.length };
  },
});

export const postApis = {
  posts: post.list("List posts in the chats that the owner is in, newest first.", {
    filters: {
      chat: inChat,
      from: ofPerson("only by this person", "from"),
      mine: [
        either("only the owner's, or only those of others"),
        when(({ person }) => person === null),
      ],
      pinned: either("only pinned ones, or only others"),
      unread: either("only unread ones, or only read ones"),
      query: [query, where(({ text }, words) => contains(text, words))],
    },
    rows: (_, { db }) => {
      const inside = insideIds(db);
      return db.where(posts, { withdrawn: false }).filter(({ chat }) => inside.has(chat));
    },
    order: newestFirst,
    example: (db) => ({ chat: chatName(db) }),
  }),
  showPost: post.change(
    "Show a post with its time and the post that it answers, and mark it as read.",
    { set: { unread: false }, item: openItem, fits: () => true },
  ),
  post: post.add("Post in a chat.", {
    params: { chat: chatParam, text },
    row: ({ chat, text }, context) => {
      const row = chatBy(context.db, chat, "member");
      expectVoice(row, "chat");
      return write(context, row, text, null);
    },
    example: (db) => ({ chat: chatName(db), text: "I am bringing bread and cheese." }),
  }),
  answer: post.act("Answer a post in its chat.", {
    params: { text },
    run: (first, { text }, context) => {
      const chat = chatOf(context.db, first.chat, "member");
      expectVoice(chat, "id");
      return write(context, chat, text, first.id);
    },
    example: { text: "Sounds good." },
    fits: ({ person }) => person !== null,
  }),
  withdraw: post.act("Withdraw an own post within 15 minutes; nobody sees its text any more.", {
    run: (row, _, { db, now }) => {
      const author = authorOf(db, row.person);
      must(row.person === null, 403, `id: expected an own post, ${row.id} is by ${author}`);
      expectFresh(row, now);
      db.update(posts, row.id, { withdrawn: true, pinned: false });
      return row;
    },
    fits: ({ person }) => person === null,
  }),
  pinPost: ruledPost.set(
    "Pin a post in a chat that the owner owns or is an admin of.",
    { pinned: true },
    "is already pinned",
  ),
  unpinPost: ruledPost.set(
    "Unpin a post in a chat that the owner owns or is an admin of.",
    { pinned: false },
    "is not pinned",
  ),
  readChat,
};
