/** Polls in chats: everybody in the chat votes once and may think again until the poll is closed. */

import {
  contains,
  countOf,
  either,
  firstId,
  itemOf,
  type Look,
  line,
  listing,
  must,
  query,
  resource,
  same,
  through,
  when,
  where,
} from "bowline/resources";
import { z } from "bowline/world";
import { ofPerson, rowBy } from "../shared.ts";
import {
  authorOf,
  chatBy,
  chatOf,
  chatParam,
  expectVoice,
  inChat,
  insideIds,
} from "./chat-access.ts";
import { chatName, pollOf, voted } from "./examples.ts";
import { chats, type Poll, polls, votes } from "./tables.ts";

const pollItem = itemOf(polls, {
  ...polls.fields("question", "id"),
  chat: through(chats, "chat", "name", "removed"),
  from: [z.string().describe('a handle, or "owner"'), ({ person }, { db }) => authorOf(db, person)],
  votes: countOf(votes, "poll"),
  voted: [z.boolean().describe("whether the owner has voted"), (row, { db }) => voted(db, row)],
  closed: z.boolean(),
});

const castIn = (poll: Poll, { db }: Look) => db.where(votes, { poll: poll.id });
const mine = (poll: Poll, look: Look) => castIn(poll, look).find(({ person }) => person === null);

const resultItem = pollItem.with({
  mine: [
    z.string().nullable().describe("the owner's choice"),
    (row, look) => mine(row, look)?.choice ?? null,
  ],
  results: [
    z.array(z.strictObject({ choice: z.string(), votes: z.int() })),
    (row, look) =>
      row.choices.map((choice) => ({
        choice,
        votes: castIn(row, look).filter((vote) => vote.choice === choice).length,
      })),
  ],
});

function pollBy(id: number, { db }: Look): Poll {
  const row = rowBy(db, polls, id, "poll");
  chatOf(db, row.chat, "member");
  return row;
}

const anyPoll = resource({
  noun: "poll",
  item: resultItem,
  find: ({ id }, look) => pollBy(id, look),
  example: (db, fits) => ({ id: pollOf(db, fits).id }),
});
const openPoll = resource({
  noun: "poll",
  item: resultItem,
  find: ({ id }, look) => {
    const row = pollBy(id, look);
    must(!row.closed, 409, `id: poll ${id} is closed`);
    return row;
  },
  example: (db, fits) => ({ id: pollOf(db, fits).id }),
});

const voteItem = itemOf(votes, {
  by: [z.string(), ({ person }, { db }) => authorOf(db, person)],
  choice: z.string(),
});

export const pollApis = {
  polls: anyPoll.list("List polls in the chats that the owner is in, the oldest first.", {
    item: pollItem,
    filters: {
      chat: inChat,
      from: ofPerson("only by this person", "from"),
      closed: either("only closed ones, or only open ones"),
      voted: [
        either("only where the owner has voted, or only others"),
        when((row, { db }) => voted(db, row)),
      ],
      query: [query, where(({ question }, words) => contains(question, words))],
    },
    rows: (_, { db }) => {
      const inside = insideIds(db);
      return db.all(polls).filter(({ chat }) => inside.has(chat));
    },
    example: { closed: false },
  }),
  poll: anyPoll.show("Show a poll with its choices and their votes."),
  votes: listing("List who voted for what in a poll, in the order of the votes.", {
    item: voteItem,
    of: [anyPoll, "poll"],
    example: anyPoll.example,
  }),
  startPoll: anyPoll.add("Ask the members of a chat to choose.", {
    params: {
      chat: chatParam,
      question: line("what is asked"),
      choices: z.array(line("a choice")).min(2).max(6).describe("from 2 to 6 different choices"),
    },
    row: ({ chat, question, choices }, { db }) => {
      const row = chatBy(db, chat, "member");
      expectVoice(row, "chat");
      const twice = choices.some((choice, i) =>
        choices.slice(0, i).some((other) => same(other, choice)),
      );
      must(!twice, 422, "choices: expected different ones, got the same twice");
      return { chat: row.id, person: null, question, choices, closed: false };
    },
    example: (db) => ({
      chat: chatName(db),
      question: "Which day suits you?",
      choices: ["Friday", "Saturday"],
    }),
  }),
  vote: openPoll.act("Vote in an open poll, or change the vote.", {
    params: { choice: line("one of the poll's choices") },
    run: (row, args, context) => {
      const { db } = context;
      const choice = row.choices.find((one) => same(one, args.choice));
      const expected = row.choices.map((one) => `"${one}"`).join(", ");
      must(choice, 422, `choice: expected one of ${expected}, got "${args.choice}"`);
      const earlier = mine(row, context);
      const isNew = earlier?.choice !== choice;
      must(isNew, 409, `choice: the owner has voted for "${choice}" already`);
      if (earlier) db.update(votes, earlier.id, { choice });
      else db.insert(votes, { poll: row.id, person: null, choice });
      return row;
    },
    example: (db) => pollOf(db, (row) => !voted(db, row)),
  }),
  unvote: openPoll.act("Take back the owner's vote in an open poll.", {
    run: (row, _, context) => {
      const earlier = mine(row, context);
      must(earlier, 404, `id: the owner has not voted in poll ${row.id}`);
      context.db.remove(votes, earlier.id);
      return row;
    },
    example: (db) => ({ id: firstId(db, polls, (row) => !row.closed && voted(db, row)) }),
  }),
  closePoll: openPoll.change(
    "Close a poll: an own one, or any one in a chat that the owner owns or is an admin of.",
    {
      set: { closed: true },
      unless: (row, _, { db }) => row.person !== null && chatOf(db, row.chat, "admin"),
    },
  ),
};
