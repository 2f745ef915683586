/** Collections of group chats, of posts in them and of open polls. */
import {
  type Columns,
  declareColumns,
  defineCollection,
  drawnOnlyIf,
  drawnOnlyIfMixed,
  drawSelectiveValue,
  jsLiteral,
  nouns,
  titleBy,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  type Chat,
  chats,
  type Poll,
  type Post,
  polls,
  posts,
  votes,
} from "../../apps/messages/tables.ts";
import {
  keysWithNameCode,
  markColumn,
  mentionColumn,
  mixedPropertyColumn,
} from "../contacts/contacts-and-messages.ts";
import { isOwnerInChat, nameableChats, otherMembers } from "./chat-rules.ts";

const countUnreadPosts = (db: Reader, chat: number) =>
  db.where(posts, { chat, unread: true }).length;

export const chatCollection = defineCollection<Chat>({
  kind: "chats",
  app: "messages",
  table: chats,
  includes: (row) => row.role !== "removed",
  list: "chats",
  key: "name",
  allowsWhole: true,
  nouns: nouns`group chat that includes me / group chats that include me | chat(s) of mine in
    Messages | group chat(s) of mine | group chat(s) I belong to | chat(s) I belong to`,
  columns: ({ byArgument, atLeast, atMost, drawnClause, alternatives, number, person, text }) => ({
    role: drawnClause(({ rng }, rows) => {
      const roles = rows.map((row) => row.role);
      const role = drawSelectiveValue(rng, roles);
      if (role === undefined) return undefined;
      const roleWithArticle = role === "admin" ? "an admin" : `the ${role}`;
      const roleText = role === "member" ? "a plain member" : roleWithArticle;
      return {
        words: alternatives`in which I am ${roleText} | where my role is "${role}"
          | in which I have the role "${role}" | that have me as ${roleText} | with me as ${roleText}`,
        holds: (row) => row.role === role,
        code: { args: `role:${jsLiteral(role)}` },
      };
    }),
    with: person(
      ({ id }, db) => otherMembers(db, id).map((member) => member.person),
      byArgument("person"),
    )`that $ is in
      | with $ among the members | that have $ in them | to which $ belongs | in which $ is too`,
    muted: markColumn<Chat>("muted")`
      that are muted | which I have muted | that I keep muted | on mute | whose sound is muted`,
    name: text((row) => row.name, { item: "name", noun: "name" }),
    members: number(
      ({ id }, db) => otherMembers(db, id).length,
      { item: "members", noun: "number of members besides me" },
      atLeast("large", { excludes: ["small"] })`with $ or more members besides me
        | that have at least $ members besides me | with at least $ people in them besides me | in
        which there are $ or more others besides me | whose members besides me number $ or more`,
      atMost("small", { excludes: ["large"] })`with $ or fewer members besides me
        | that have at most $ members besides me | with at most $ people in them besides me | in
        which there are $ or fewer others besides me | whose members besides me number $ or fewer`,
    ),
    unread: mixedPropertyColumn(({ id }: Chat, db) => countUnreadPosts(db, id) > 0, {
      test: "x.unread>0",
    })`with unread posts | that have posts I have not read
      | in which posts are unread | where I have unread posts | that hold posts I have yet to read`,
  }),
  title: titleBy<Chat>(
    "name",
    keysWithNameCode("messages.chats"),
    "Sunrise kayaking | Landing B | Lantern parade | Attic sale | Broken heating",
  )`the group chat "$" | my group chat "$" | the chat "$" in Messages | the chat called "$"
    | the group chat named "$"`,
});

type RowInChat = { readonly id: number; readonly chat: number; readonly person: number | null };

const haveSeveralAuthors = (_: unknown, rows: readonly RowInChat[]) =>
  new Set(rows.flatMap(({ person }) => person ?? [])).size > 1;

/** Declares the columns for the chat and the author of posts and polls. */
const chatAndAuthorColumns = <R extends RowInChat>(): Columns<R> =>
  declareColumns<R>(({ byArgument, drawnClause, alternatives, person }) => ({
    chat: drawnOnlyIfMixed(
      drawnClause((draw, rows) => {
        const nameableIds = new Set(nameableChats(draw).map(({ id }) => id));
        const chatIds = rows.map((row) => row.chat).filter((id) => nameableIds.has(id));
        const chat = drawSelectiveValue(draw.rng, chatIds);
        if (chat === undefined) return undefined;
        const { name } = draw.db.get(chats, chat)!;
        return {
          words: alternatives`in the group chat "${name}" | from my group chat "${name}"
            | that stand in the group chat "${name}"
            | which are in the chat "${name}" | of the group chat "${name}"`,
          holds: (row) => row.chat === chat,
          code: { args: `chat:${jsLiteral(name)}` },
        };
      }),
    ),
    from: drawnOnlyIf(
      haveSeveralAuthors,
      person((row) => row.person, byArgument("from"))`
        by $ | from $ | that $ is the author of | whose author is $ | with $ as their author`,
    ),
  }));

const POST_WORDS = [
  "paid",
  "cake",
  "parking",
  "late",
  "book",
  "weather",
  "cups",
  "driving",
  "starts",
];

export const postCollection = defineCollection<Post>({
  kind: "posts",
  app: "messages",
  table: posts,
  includes: (row, db) => !row.withdrawn && isOwnerInChat(db, row.chat),
  list: "posts",
  nouns: nouns`chat post(s) | post(s) in my chats | post in a group chat / posts in group chats
    | post(s) in my group chats | group chat post(s)`,
  columns: ({ byArgument, text }) => ({
    ...chatAndAuthorColumns<Post>(),
    mine: mixedPropertyColumn(
      ({ person }: Post) => person === null,
      { args: "mine:true" },
      { excludes: ["from", "unread"] },
    )`that I wrote myself | by me | of which I am the author | whose author is me
      | that were written by me`,
    pinned: markColumn<Post>("pinned")`
      that are pinned | which somebody pinned | that are pinned there
      | with a pin | which are pinned`,
    unread: markColumn<Post>("unread")`
      that are unread | I have not read yet | that I have yet to read
      | which are still unread | that have not been read`,
    mentions: mentionColumn((row) => row.text, { words: POST_WORDS, code: byArgument("query") }),
    text: text((row) => row.text, { item: "text", noun: "text" }),
  }),
});

const hasVoted = (poll: number, db: Reader) => db.where(votes, { poll, person: null }).length > 0;

export const pollCollection = defineCollection<Poll>({
  kind: "polls",
  app: "messages",
  table: polls,
  includes: (row, db) => !row.closed && isOwnerInChat(db, row.chat),
  list: { api: "polls", args: "closed:false" },
  nouns: nouns`open poll(s) in my chats | open poll(s) in Messages | open group chat poll(s)
    | open poll(s) in my group chats | open chat poll(s)`,
  columns: ({ choice, number }) => ({
    ...chatAndAuthorColumns<Poll>(),
    voted: mixedPropertyColumn(
      ({ id }: Poll, db) => hasVoted(id, db),
      { args: "voted:true" },
      { excludes: ["unvoted"] },
    )`in which I have voted | that have my vote | where I voted | in which my vote counts
      | that I voted in`,
    unvoted: mixedPropertyColumn(
      ({ id }: Poll, db) => !hasVoted(id, db),
      { args: "voted:false" },
      { excludes: ["voted"] },
    )`in which I have not voted | that lack my vote | where I have yet to vote
      | without a vote of mine | that I have not voted in`,
    question: choice((row) => row.question, { item: "question", noun: "question" })`that ask "$"
      | with the question "$"
      | whose question is "$" | in which the question is "$" | that have "$" as their question`,
    votes: number(({ id }, db) => db.where(votes, { poll: id }).length, {
      item: "votes",
      noun: "number of votes",
    }),
  }),
});
