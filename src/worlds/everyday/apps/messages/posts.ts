/** What is written in chats. Posts stay: a withdrawn one is no longer shown, but its row tells that it was sent. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  dayOf,
  handle,
  idOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  personId,
  prose,
  query,
} from "../shared.ts";
import { authorOf, chatBy, chatOf, chatParam, expectVoice, postBy } from "./chat-access.ts";
import { chatName, postId } from "./examples.ts";
import { expectFresh } from "./fresh.ts";
import { type Chat, chats, type Post, posts } from "./tables.ts";

const postItem = z.strictObject({
  text: z.string(),
  id: z.int(),
  from: z.string().describe('a handle, or "owner"'),
  chat: z.string(),
  day: z.string(),
  pinned: z.boolean(),
  unread: z.boolean(),
});
const postView = (db: Reader) => (row: Post) => ({
  text: row.text,
  id: row.id,
  from: authorOf(db, row.person),
  chat: db.get(chats, row.chat)?.name ?? "removed",
  day: dayOf(row.at),
  pinned: row.pinned,
  unread: row.unread,
});

const id = idOf("post");
const text = prose("the text");

const list = defineApi({
  summary: "List posts in the chats that the owner is in, newest first.",
  params: z.strictObject({
    chat: chatParam.optional(),
    from: handle("only by this person").optional(),
    mine: z.boolean().optional().describe("only the owner's, or only those of others"),
    pinned: z.boolean().optional().describe("only pinned ones, or only others"),
    unread: z.boolean().optional().describe("only unread ones, or only read ones"),
    query: query.optional(),
    ...paging,
  }),
  returns: pageOf(postItem),
  example: (db) => ({ chat: chatName(db) }),
  handler: ({ db }, { chat, from, mine, pinned, unread, query = "", ...page }) => {
    const only = chat === undefined ? undefined : chatBy(db, chat, "member").id;
    const author = personId(db, from, "from");
    const inside = new Set(
      db.all(chats).flatMap(({ id, role }) => (role === "removed" ? [] : [id])),
    );
    const rows = only === undefined ? db.all(posts) : db.where(posts, { chat: only });
    const found = rows.filter(
      (row) =>
        !row.withdrawn &&
        inside.has(row.chat) &&
        (author === undefined || row.person === author) &&
        (mine === undefined || (row.person === null) === mine) &&
        (pinned === undefined || row.pinned === pinned) &&
        (unread === undefined || row.unread === unread) &&
        contains(row.text, query),
    );
    return paged(newestFirst(found), page, postView(db));
  },
});

const show = defineApi({
  summary: "Show a post with its time and the post that it answers, and mark it as read.",
  params: z.strictObject({ id }),
  returns: postItem.extend({ time: z.string(), answers: z.string().nullable() }),
  example: (db) => ({ id: postId(db) }),
  handler: ({ db }, { id }) => {
    const row = db.update(posts, postBy(db, id, "member").id, { unread: false });
    const first = row.replyTo === null ? undefined : db.get(posts, row.replyTo);
    const answers = first && !first.withdrawn ? first.text : null;
    return { ...postView(db)(row), time: row.at.slice(11, 16), answers };
  },
});

function write({ db, now }: CallContext, chat: Chat, text: string, replyTo: number | null) {
  const flags = { pinned: false, withdrawn: false, unread: false };
  return postView(db)(
    db.insert(posts, { chat: chat.id, person: null, text, replyTo, ...flags, at: now }),
  );
}

const post = defineApi({
  summary: "Post in a chat.",
  params: z.strictObject({ chat: chatParam, text }),
  returns: postItem,
  example: (db) => ({ chat: chatName(db), text: "I am bringing bread and cheese." }),
  handler: (context, { chat, text }) => {
    const row = chatBy(context.db, chat, "member");
    expectVoice(row, "chat");
    return write(context, row, text, null);
  },
});

const answer = defineApi({
  summary: "Answer a post in its chat.",
  params: z.strictObject({ id, text }),
  returns: postItem,
  example: (db) => ({ id: postId(db, ({ person }) => person !== null), text: "Sounds good." }),
  handler: (context, { id, text }) => {
    const first = postBy(context.db, id, "member");
    const chat = chatOf(context.db, first.chat, "member");
    expectVoice(chat, "id");
    return write(context, chat, text, id);
  },
});

const withdraw = defineApi({
  summary: "Withdraw an own post within 15 minutes; nobody sees its text any more.",
  params: z.strictObject({ id }),
  returns: postItem,
  example: (db) => ({ id: postId(db, ({ person }) => person === null) }),
  handler: ({ db, now }, { id }) => {
    const row = postBy(db, id, "member");
    if (row.person !== null) {
      throw new ApiError(403, `id: expected an own post, ${id} is by ${authorOf(db, row.person)}`);
    }
    expectFresh(row, now);
    db.update(posts, id, { withdrawn: true, pinned: false });
    return postView(db)(row);
  },
});

function pinning(db: CallContext["db"], id: number, pinned: boolean) {
  if (postBy(db, id, "admin").pinned === pinned) {
    throw new ApiError(409, `id: post ${id} is ${pinned ? "already" : "not"} pinned`);
  }
  return postView(db)(db.update(posts, id, { pinned }));
}

const pinPost = defineApi({
  summary: "Pin a post in a chat that the owner owns or is an admin of.",
  params: z.strictObject({ id }),
  returns: postItem,
  example: (db) => ({ id: postId(db, ({ pinned }) => !pinned) }),
  handler: ({ db }, { id }) => pinning(db, id, true),
});

const unpinPost = defineApi({
  summary: "Unpin a post in a chat that the owner owns or is an admin of.",
  params: z.strictObject({ id }),
  returns: postItem,
  example: (db) => ({ id: postId(db, ({ pinned }) => pinned) }),
  handler: ({ db }, { id }) => pinning(db, id, false),
});

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
  posts: list,
  showPost: show,
  post,
  answer,
  withdraw,
  pinPost,
  unpinPost,
  readChat,
};
