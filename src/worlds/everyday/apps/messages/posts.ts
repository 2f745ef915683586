/** What is written in chats. Posts stay: a withdrawn one is no longer shown, but its row tells that it was sent. */
import { z } from "zod";
import {
  defineApi,
  either,
  itemOf,
  type Look,
  must,
  resource,
  when,
  where,
} from "../../../../world/index.ts";
import { contains, dayOf, newestFirst, ofPerson, prose, query } from "../shared.ts";
import {
  author,
  authorOf,
  chatBy,
  chatOf,
  chatParam,
  chatTitle,
  expectVoice,
  inChat,
  isIn,
  postBy,
} from "./chat-access.ts";
import { chatName, postId } from "./examples.ts";
import { expectFresh } from "./later.ts";
import { posts } from "./tables.ts";

const board = resource({
  table: posts,
  noun: "post",
  item: itemOf(posts, {
    text: z.string(),
    id: z.int(),
    from: author,
    chat: chatTitle,
    day: [z.string(), ({ at }) => dayOf(at)],
    pinned: z.boolean(),
    unread: z.boolean(),
  }),
  find: ({ id }, { db }) => postBy(db, id, "member"),
  example: (db, fits) => ({ id: postId(db, fits) }),
});

const text = prose("the text");
const asAdmin = ({ id }: { readonly id: number }, { db }: Look) => postBy(db, id, "admin");

/** A post as it is written. */
function written(chat: number, text: string, replyTo: number | null, at: string) {
  const flags = { pinned: false, withdrawn: false, unread: false };
  return { chat, person: null, text, replyTo, ...flags, at };
}

export const postApis = {
  posts: board.list("List posts in the chats that the owner is in, newest first.", {
    rows: (_, { db }) => db.where(posts, { withdrawn: false }).filter(({ chat }) => isIn(db, chat)),
    filters: {
      chat: inChat,
      from: ofPerson("only by this person", "from"),
      mine: [
        either("only the owner's, or only those of others"),
        when(({ person }) => person === null),
      ],
      pinned: either("only pinned ones, or only others"),
      unread: either("only unread ones, or only read ones"),
      query: [query, where(({ text }, query) => contains(text, query))],
    },
    order: newestFirst,
    example: (db) => ({ chat: chatName(db) }),
  }),
  showPost: board.change(
    "Show a post with its time and the post that it answers, and mark it as read.",
    {
      item: board.item.with({
        time: [z.string(), ({ at }) => at.slice(11, 16)],
        answers: [
          z.string().nullable(),
          ({ replyTo }, { db }) => {
            const first = replyTo === null ? undefined : db.get(posts, replyTo);
            return first && !first.withdrawn ? first.text : null;
          },
        ],
      }),
      set: { unread: false },
      fits: () => true,
    },
  ),
  post: board.add("Post in a chat.", {
    params: { chat: chatParam, text },
    row: ({ chat: name, text }, { db, now }) => {
      const chat = chatBy(db, name, "member");
      expectVoice(chat, "chat");
      return written(chat.id, text, null, now);
    },
    example: (db) => ({ chat: chatName(db), text: "I am bringing bread and cheese." }),
  }),
  answer: board.add("Answer a post in its chat.", {
    params: { ...board.keys, text },
    row: ({ id, text }, { db, now }) => {
      const { chat } = postBy(db, id, "member");
      expectVoice(chatOf(db, chat, "member"), "id");
      return written(chat, text, id, now);
    },
    example: (db) => ({ id: postId(db, ({ person }) => person !== null), text: "Sounds good." }),
  }),
  withdraw: board.act("Withdraw an own post within 15 minutes; nobody sees its text any more.", {
    unless: (row, { id }, { db, now }) => {
      const by = () => `id: expected an own post, ${id} is by ${authorOf(db, row.person)}`;
      must(row.person === null, 403, by);
      expectFresh(row, now);
    },
    run: (row, { id }, { db }) => {
      db.update(posts, id, { withdrawn: true, pinned: false });
      return row;
    },
    fits: ({ person }) => person === null,
  }),
  pinPost: board.change("Pin a post in a chat that the owner owns or is an admin of.", {
    find: asAdmin,
    set: { pinned: true },
    already: "is already pinned",
  }),
  unpinPost: board.change("Unpin a post in a chat that the owner owns or is an admin of.", {
    find: asAdmin,
    set: { pinned: false },
    already: "is not pinned",
  }),
  readChat: defineApi({
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
  }),
};
