/** Polls in chats: everybody in the chat votes once and may think again until the poll is closed. */
import { z } from "zod";
import {
  either,
  itemOf,
  type Look,
  listOf,
  must,
  type Reader,
  resource,
  rowById,
  when,
  where,
} from "../../../../world/index.ts";
import { contains, line, ofPerson, query, same } from "../shared.ts";
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
} from "./chat-access.ts";
import { chatName, firstId, pollOf, voted } from "./examples.ts";
import { type Poll, polls, votes } from "./tables.ts";

const votesIn = (db: Reader, poll: number) => db.where(votes, { poll });
const ownVote = (db: Reader, poll: number) => db.where(votes, { poll, person: null })[0];

const pollItem = itemOf(polls, {
  question: z.string(),
  id: z.int(),
  chat: chatTitle,
  from: author,
  votes: [z.int(), ({ id }, { db }) => votesIn(db, id).length],
  voted: [z.boolean().describe("whether the owner has voted"), (row, { db }) => voted(db, row)],
  closed: z.boolean(),
});

const ballots = resource({
  table: polls,
  noun: "poll",
  item: pollItem.with({
    mine: [
      z.string().nullable().describe("the owner's choice"),
      ({ id }, { db }) => ownVote(db, id)?.choice ?? null,
    ],
    results: [
      z.array(z.strictObject({ choice: z.string(), votes: z.int() })),
      ({ id, choices }, { db }) =>
        choices.map((choice) => ({
          choice,
          votes: votesIn(db, id).filter((vote) => vote.choice === choice).length,
        })),
    ],
  }),
  find: ({ id }, { db }) => {
    const row = rowById(db, polls, id, { noun: "poll" });
    chatOf(db, row.chat, "member");
    return row;
  },
  example: (db, fits) => ({ id: pollOf(db, fits).id }),
});

function open(args: { readonly id: number }, look: Look): Poll {
  const row = ballots.find(args, look);
  must(!row.closed, 409, `id: poll ${row.id} is closed`);
  return row;
}

export const pollApis = {
  polls: ballots.list("List polls in the chats that the owner is in, the oldest first.", {
    item: pollItem,
    rows: (_, { db }) => db.all(polls).filter(({ chat }) => isIn(db, chat)),
    filters: {
      chat: inChat,
      from: ofPerson("only by this person", "from"),
      closed: either("only closed ones, or only open ones"),
      voted: [
        either("only where the owner has voted, or only others"),
        when((row, { db }) => voted(db, row)),
      ],
      query: [query, where(({ question }, query) => contains(question, query))],
    },
    example: { closed: false },
  }),
  poll: ballots.show("Show a poll with its choices and their votes."),
  votes: listOf(
    itemOf(votes, {
      by: [z.string(), ({ person }, { db }) => authorOf(db, person)],
      choice: z.string(),
    }),
    "List who voted for what in a poll, in the order of the votes.",
    { of: [ballots, "poll"], example: ballots.example },
    votes,
  ),
  startPoll: ballots.add("Ask the members of a chat to choose.", {
    params: {
      chat: chatParam,
      question: line("what is asked"),
      choices: z.array(line("a choice")).min(2).max(6).describe("from 2 to 6 different choices"),
    },
    row: ({ chat, question, choices }, { db }) => {
      const row = chatBy(db, chat, "member");
      expectVoice(row, "chat");
      const isTwice = (one: string, i: number) =>
        choices.slice(0, i).some((other) => same(other, one));
      must(!choices.some(isTwice), 422, "choices: expected different ones, got the same twice");
      return { chat: row.id, person: null, question, choices, closed: false };
    },
    example: (db) => ({
      chat: chatName(db),
      question: "Which day suits you?",
      choices: ["Friday", "Saturday"],
    }),
  }),
  vote: ballots.act("Vote in an open poll, or change the vote.", {
    params: { choice: line("one of the poll's choices") },
    find: open,
    run: ({ id: poll, choices }, args, { db }) => {
      const choice = choices.find((one) => same(one, args.choice));
      must(choice !== undefined, 422, () => {
        const expected = choices.map((one) => `"${one}"`).join(", ");
        return `choice: expected one of ${expected}, got "${args.choice}"`;
      });
      const earlier = ownVote(db, poll);
      const isNew = earlier?.choice !== choice;
      must(isNew, 409, `choice: the owner has voted for "${choice}" already`);
      if (earlier) db.update(votes, earlier.id, { choice });
      else db.insert(votes, { poll, person: null, choice });
    },
    example: (db) => pollOf(db, (row) => !voted(db, row)),
  }),
  unvote: ballots.act("Take back the owner's vote in an open poll.", {
    find: open,
    run: ({ id }, _, { db }) => {
      const earlier = ownVote(db, id);
      must(earlier, 404, `id: the owner has not voted in poll ${id}`);
      db.remove(votes, earlier.id);
    },
    example: (db) => ({ id: firstId(db, polls, (row) => !row.closed && voted(db, row)) }),
  }),
  closePoll: ballots.change(
    "Close a poll: an own one, or any one in a chat that the owner owns or is an admin of.",
    {
      find: open,
      unless: ({ chat, person }, _, { db }) => {
        if (person !== null) chatOf(db, chat, "admin");
      },
      set: { closed: true },
    },
  ),
};
