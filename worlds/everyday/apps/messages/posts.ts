/**
 * Defines the APIs of posts in chats. Posts are kept: a withdrawn post is no longer shown, but its row tells that it
 * was sent.
 */

import {
  booleanParam,
  containsIgnoringCase,
  defineItem,
  filterWhere,
  filterWhether,
  longTextParam,
  newestFirst,
  queryParam,
  refuseUnless,
  resource,
  textOfReferencedRow,
} from "bowline/resources";
import { type CallContext, z } from "bowline/world";
import { dayField, personColumnFilter } from "../shared.ts";
import {
  authorName,
  chatFilter,
  chatParam,
  joinedChatIds,
  requireChat,
  requireChatById,
  requirePost,
  requireRightToPost,
} from "./chat-access.ts";
import { exampleChatName, examplePostId } from "./examples.ts";
import { requireRecentlySent } from "./recently-sent.ts";
import { type Chat, type ChatRole, chats, type Post, posts } from "./tables.ts";

const postItem = defineItem(posts, {
  ...posts.fields("text", "id"),
  from: [
    z.string().describe('a handle, or "owner"'),
    ({ person }, { db }) => authorName(db, person),
  ],
  chat: textOfReferencedRow(chats, "chat", "name", "removed"),
  day: dayField,
  ...posts.fields("pinned", "unread"),
});

const postDetailsItem = postItem.with({
  time: [z.string(), ({ at }) => at.slice(11, 16)],
  answers: [
    z.string().nullable(),
    ({ replyTo }, { db }) => {
      const first = replyTo === null ? undefined : db.get(posts, replyTo);
      return first && !first.withdrawn ? first.text : null;
    },
  ],
});

/** Makes a resource of the posts in chats in which the owner has at least this role. */
const postResource = (needed: ChatRole) =>
  resource({
    noun: "post",
    item: postItem,
    find: ({ id }, { db }) => requirePost(db, id, needed),
    example: (db, fits) => ({ id: examplePostId(db, fits) }),
  });
const post = postResource("member");
const administeredPost = postResource("admin");

const text = longTextParam("the text");

function insertPost(
  { db, now }: CallContext,
  chat: Chat,
  text: string,
  replyTo: number | null,
): Post {
  const flags = { pinned: false, withdrawn: false, unread: false };
  return db.insert(posts, { chat: chat.id, person: null, text, replyTo, ...flags, at: now });
}

export const postApis = {
  posts: post.list(
    "List posts in the chats that the owner is in, newest first; withdrawn ones are left out.",
    {
      filters: {
        chat: chatFilter,
        from: personColumnFilter("only by this person", "from"),
        mine: [
          booleanParam("only the owner's, or only those of others"),
          filterWhether(({ person }) => person === null),
        ],
        pinned: booleanParam("only pinned ones, or only others"),
        unread: booleanParam("only unread ones, or only read ones"),
        query: [queryParam, filterWhere(({ text }, words) => containsIgnoringCase(text, words))],
      },
      rows: (_, { db }) => {
        const joinedIds = joinedChatIds(db);
        return db.where(posts, { withdrawn: false }).filter(({ chat }) => joinedIds.has(chat));
      },
      order: newestFirst,
      example: (db) => ({ chat: exampleChatName(db) }),
    },
  ),
  showPost: post.change(
    "Show a post with its time and the post that it answers, and mark it as read.",
    { set: { unread: false }, item: postDetailsItem, isExample: () => true },
  ),
  post: post.add("Post in a chat.", {
    params: { chat: chatParam, text },
    row: ({ chat, text }, context) => {
      const row = requireChat(context.db, chat, "member");
      requireRightToPost(row, "chat");
      return insertPost(context, row, text, null);
    },
    example: (db) => ({ chat: exampleChatName(db), text: "I am bringing bread and cheese." }),
  }),
  answer: post.act("Answer a post in its chat.", {
    params: { text },
    run: (first, { text }, context) => {
      const chat = requireChatById(context.db, first.chat, "member");
      requireRightToPost(chat, "id");
      return insertPost(context, chat, text, first.id);
    },
    example: { text: "Sounds good." },
    isExample: ({ person }) => person !== null,
  }),
  withdraw: post.act("Withdraw an own post within 15 minutes; nobody sees its text any more.", {
    run: (row, _, { db, now }) => {
      const author = authorName(db, row.person);
      refuseUnless(row.person === null, 403, `id: expected an own post, ${row.id} is by ${author}`);
      requireRecentlySent(row, now);
      db.update(posts, row.id, { withdrawn: true, pinned: false });
      return row;
    },
    isExample: ({ person }) => person === null,
  }),
  pinPost: administeredPost.set(
    "Pin a post in a chat that the owner owns or is an admin of.",
    { pinned: true },
    "is already pinned",
  ),
  unpinPost: administeredPost.set(
    "Unpin a post in a chat that the owner owns or is an admin of.",
    { pinned: false },
    "is not pinned",
  ),
};
