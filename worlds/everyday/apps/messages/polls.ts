/**
 * Defines the APIs of polls in chats. Each member of the chat has one vote, which may be changed until the poll is
 * closed.
 */

import {
  booleanParam,
  containsIgnoringCase,
  countReferencingRows,
  defineItem,
  equalIgnoringCase,
  filterWhere,
  filterWhether,
  listApi,
  queryParam,
  refuseUnless,
  resource,
  shortTextParam,
  textOfReferencedRow,
  type ViewContext,
} from "bowline/resources";
import { z } from "bowline/world";
import { leavingOut, personColumnFilter, requireRow } from "../shared.ts";
import {
  authorName,
  chatFilter,
  chatParam,
  joinedChatIds,
  requireChat,
  requireChatById,
  requireRightToPost,
} from "./chat-access.ts";
import { exampleChatName, examplePoll, hasVoted } from "./examples.ts";
import { chats, type Poll, polls, votes } from "./tables.ts";

const pollItem = defineItem(polls, {
  ...polls.fields("question", "id"),
  chat: textOfReferencedRow(chats, "chat", "name", "removed"),
  from: [
    z.string().describe('a handle, or "owner"'),
    ({ person }, { db }) => authorName(db, person),
  ],
  votes: countReferencingRows(votes, "poll"),
  voted: [z.boolean().describe("whether the owner has voted"), (row, { db }) => hasVoted(db, row)],
  closed: z.boolean(),
});

const votesOfPoll = (poll: Poll, { db }: ViewContext) => db.where(votes, { poll: poll.id });
const ownVote = (poll: Poll, context: ViewContext) =>
  votesOfPoll(poll, context).find(({ person }) => person === null);

const pollResultItem = pollItem.with({
  mine: [
    z.string().nullable().describe("the owner's choice"),
    (row, context) => ownVote(row, context)?.choice ?? null,
  ],
  results: [
    z.array(z.strictObject({ choice: z.string(), votes: z.int() })),
    (row, context) =>
      row.choices.map((choice) => ({
        choice,
        votes: votesOfPoll(row, context).filter((vote) => vote.choice === choice).length,
      })),
  ],
});

function requirePoll(id: number, { db }: ViewContext): Poll {
  const row = requireRow(db, polls, id, "poll");
  requireChatById(db, row.chat, "member");
  return row;
}

const anyPoll = resource({
  noun: "poll",
  item: pollResultItem,
  find: ({ id }, context) => requirePoll(id, context),
  example: (db, fits) => ({ id: examplePoll(db, fits).id }),
});
const openPoll = resource({
  noun: "poll",
  item: pollResultItem,
  find: ({ id }, context) => {
    const row = requirePoll(id, context);
    refuseUnless(!row.closed, 409, `id: poll ${id} is closed`);
    return row;
  },
  example: (db, fits) => ({ id: examplePoll(db, fits).id }),
});

const voteItem = defineItem(votes, {
  by: [z.string(), ({ person }, { db }) => authorName(db, person)],
  choice: z.string(),
});

export const pollApis = {
  polls: anyPoll.list(
    leavingOut(
      "List polls, closed ones too, in the chats that the owner is in, the oldest first.",
      "those of chats that the owner left are",
    ),
    {
      item: pollItem,
      filters: {
        chat: chatFilter,
        from: personColumnFilter("only by this person", "from"),
        closed: booleanParam("only closed ones, or only open ones"),
        voted: [
          booleanParam("only where the owner has voted, or only others"),
          filterWhether((row, { db }) => hasVoted(db, row)),
        ],
        query: [
          queryParam,
          filterWhere(({ question }, words) => containsIgnoringCase(question, words)),
        ],
      },
      rows: (_, { db }) => {
        const joinedIds = joinedChatIds(db);
        return db.all(polls).filter(({ chat }) => joinedIds.has(chat));
      },
      example: { closed: false },
    },
  ),
  poll: anyPoll.show("Show a poll with its choices and their votes."),
  votes: listApi("List who voted for what in a poll, in the order of the votes.", {
    item: voteItem,
    parent: [anyPoll, "poll"],
    example: anyPoll.example,
  }),
  startPoll: anyPoll.add("Ask the members of a chat to choose.", {
    params: {
      chat: chatParam,
      question: shortTextParam("what is asked"),
      choices: z
        .array(shortTextParam("a choice"))
        .min(2)
        .max(6)
        .describe("from 2 to 6 different choices"),
    },
    row: ({ chat, question, choices }, { db }) => {
      const row = requireChat(db, chat, "member");
      requireRightToPost(row, "chat");
      const hasRepeats = choices.some((choice, i) =>
        choices.slice(0, i).some((other) => equalIgnoringCase(other, choice)),
      );
      refuseUnless(!hasRepeats, 422, "choices: expected different ones, got the same twice");
      return { chat: row.id, person: null, question, choices, closed: false };
    },
    example: (db) => ({
      chat: exampleChatName(db),
      question: "Which day suits you?",
      choices: ["Friday", "Saturday"],
    }),
  }),
  vote: openPoll.act("Vote in an open poll, or change the vote.", {
    params: { choice: shortTextParam("one of the poll's choices") },
    run: (row, args, context) => {
      const { db } = context;
      const choice = row.choices.find((one) => equalIgnoringCase(one, args.choice));
      const expected = row.choices.map((one) => `"${one}"`).join(", ");
      refuseUnless(choice, 422, `choice: expected one of ${expected}, got "${args.choice}"`);
      const earlier = ownVote(row, context);
      const isNew = earlier?.choice !== choice;
      refuseUnless(isNew, 409, `choice: the owner has voted for "${choice}" already`);
      if (earlier) db.update(votes, earlier.id, { choice });
      else db.insert(votes, { poll: row.id, person: null, choice });
      return row;
    },
    example: (db) => examplePoll(db, (row) => !hasVoted(db, row)),
  }),
  closePoll: openPoll.change(
    "Close a poll: an own one, or any one in a chat that the owner owns or is an admin of.",
    {
      set: { closed: true },
      checkRow: (row, _, { db }) => row.person !== null && requireChatById(db, row.chat, "admin"),
    },
  ),
};
