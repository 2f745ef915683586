/** Polls in chats: everybody in the chat votes once and may think again until the poll is closed. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  given,
  handle,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personId,
  query,
  rowBy,
  same,
} from "../shared.ts";
import { authorOf, chatBy, chatOf, chatParam, expectVoice } from "./chat-access.ts";
import { chatName, firstId, pollOf, voted } from "./examples.ts";
import { chats, type Poll, polls, votes } from "./tables.ts";

const pollItem = z.strictObject({
  question: z.string(),
  id: z.int(),
  chat: z.string(),
  from: z.string().describe('a handle, or "owner"'),
  votes: z.int(),
  voted: z.boolean().describe("whether the owner has voted"),
  closed: z.boolean(),
});
const pollView = (db: Reader) => (row: Poll) => ({
  question: row.question,
  id: row.id,
  chat: db.get(chats, row.chat)?.name ?? "removed",
  from: authorOf(db, row.person),
  votes: db.where(votes, { poll: row.id }).length,
  voted: voted(db, row),
  closed: row.closed,
});

const id = idOf("poll");

const list = defineApi({
  summary: "List polls in the chats that the owner is in, the oldest first.",
  params: z.strictObject({
    chat: chatParam.optional(),
    from: handle("only by this person").optional(),
    closed: z.boolean().optional().describe("only closed ones, or only open ones"),
    voted: z.boolean().optional().describe("only where the owner has voted, or only others"),
    query: query.optional(),
    ...paging,
  }),
  returns: pageOf(pollItem),
  example: () => ({ closed: false }),
  handler: ({ db }, { chat, from, closed, query = "", voted: mine, ...page }) => {
    const only = chat === undefined ? undefined : chatBy(db, chat, "member").id;
    const inside = (row: Poll) => db.get(chats, row.chat)?.role !== "removed";
    const match = given({ chat: only, person: personId(db, from, "from"), closed });
    const rows = db
      .where(polls, match)
      .filter((row) => inside(row) && contains(row.question, query))
      .filter((row) => mine === undefined || voted(db, row) === mine);
    return paged(rows, page, pollView(db));
  },
});

const resultReturn = pollItem.extend({
  mine: z.string().nullable().describe("the owner's choice"),
  results: z.array(z.strictObject({ choice: z.string(), votes: z.int() })),
});

const result = (db: Reader) => (row: Poll) => {
  const cast = db.where(votes, { poll: row.id });
  return {
    ...pollView(db)(row),
    mine: cast.find(({ person }) => person === null)?.choice ?? null,
    results: row.choices.map((choice) => ({
      choice,
      votes: cast.filter((vote) => vote.choice === choice).length,
    })),
  };
};

function pollBy(db: Reader, id: number): Poll {
  const row = rowBy(db, polls, id, "poll");
  chatOf(db, row.chat, "member");
  return row;
}

function openPoll(db: Reader, id: number): Poll {
  const row = pollBy(db, id);
  if (!row.closed) return row;
  throw new ApiError(409, `id: poll ${id} is closed`);
}

const show = defineApi({
  summary: "Show a poll with its choices and their votes.",
  params: z.strictObject({ id }),
  returns: resultReturn,
  example: (db) => ({ id: pollOf(db).id }),
  handler: ({ db }, { id }) => result(db)(pollBy(db, id)),
});

const voters = defineApi({
  summary: "List who voted for what in a poll, in the order of the votes.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(z.strictObject({ by: z.string(), choice: z.string() })),
  example: (db) => ({ id: pollOf(db).id }),
  handler: ({ db }, { id, ...page }) => {
    const rows = db.where(votes, { poll: pollBy(db, id).id });
    return paged(rows, page, ({ person, choice }) => ({ by: authorOf(db, person), choice }));
  },
});

const start = defineApi({
  summary: "Ask the members of a chat to choose.",
  params: z.strictObject({
    chat: chatParam,
    question: line("what is asked"),
    choices: z.array(line("a choice")).min(2).max(6).describe("from 2 to 6 different choices"),
  }),
  returns: resultReturn,
  example: (db) => ({
    chat: chatName(db),
    question: "Which day suits you?",
    choices: ["Friday", "Saturday"],
  }),
  handler: ({ db }, { chat, question, choices }) => {
    const row = chatBy(db, chat, "member");
    expectVoice(row, "chat");
    if (choices.some((choice, i) => choices.slice(0, i).some((other) => same(other, choice)))) {
      throw new ApiError(422, "choices: expected different ones, got the same twice");
    }
    const poll = { chat: row.id, person: null, question, choices, closed: false };
    return result(db)(db.insert(polls, poll));
  },
});

const vote = defineApi({
  summary: "Vote in an open poll, or change the vote.",
  params: z.strictObject({ id, choice: line("one of the poll's choices") }),
  returns: resultReturn,
  example: (db) => pollOf(db, (row) => !voted(db, row)),
  handler: ({ db }, args) => {
    const row = openPoll(db, args.id);
    const choice = row.choices.find((one) => same(one, args.choice));
    if (choice === undefined) {
      const expected = row.choices.map((one) => `"${one}"`).join(", ");
      throw new ApiError(422, `choice: expected one of ${expected}, got "${args.choice}"`);
    }
    const [earlier] = db.where(votes, { poll: row.id, person: null });
    if (earlier?.choice === choice) {
      throw new ApiError(409, `choice: the owner has voted for "${choice}" already`);
    }
    if (earlier) db.update(votes, earlier.id, { choice });
    else db.insert(votes, { poll: row.id, person: null, choice });
    return result(db)(row);
  },
});

const unvote = defineApi({
  summary: "Take back the owner's vote in an open poll.",
  params: z.strictObject({ id }),
  returns: resultReturn,
  example: (db) => ({ id: firstId(db, polls, (row) => !row.closed && voted(db, row)) }),
  handler: ({ db }, { id }) => {
    const row = openPoll(db, id);
    const [earlier] = db.where(votes, { poll: id, person: null });
    if (!earlier) throw new ApiError(404, `id: the owner has not voted in poll ${id}`);
    db.remove(votes, earlier.id);
    return result(db)(row);
  },
});

const close = defineApi({
  summary: "Close a poll: an own one, or any one in a chat that the owner owns or is an admin of.",
  params: z.strictObject({ id }),
  returns: resultReturn,
  example: (db) => ({ id: pollOf(db).id }),
  handler: ({ db }, { id }) => {
    const row = openPoll(db, id);
    if (row.person !== null) chatOf(db, row.chat, "admin");
    return result(db)(db.update(polls, id, { closed: true }));
  },
});

export const pollApis = {
  polls: list,
  poll: show,
  votes: voters,
  startPoll: start,
  vote,
  unvote,
  closePoll: close,
};
