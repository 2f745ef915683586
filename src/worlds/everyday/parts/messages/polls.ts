/** Open polls in group chats. */

import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Forms,
  type Relation,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { chats, type Poll, polls, votes } from "../../apps/messages/tables.ts";
import { oneOfSome } from "../bounds.ts";
import { each, every, js } from "../contacts/common.ts";
import { act, byPerson, distinct, inChat, isInside, rules } from "./chat-rules.ts";

const votesOf = (db: Reader, poll: number) => db.where(votes, { poll }).length;
const votedIn = (db: Reader, poll: number) => db.where(votes, { poll, person: null }).length > 0;

function pollVoted(name: "voted" | "unvoted", words: Forms): Clause<Poll> {
  const wanted = name === "voted";
  return {
    name,
    excludes: [wanted ? "unvoted" : "voted"],
    draw: ({ db }, rows) => {
      const count = rows.filter(({ id }) => votedIn(db, id) === wanted).length;
      if (count === 0 || count === rows.length) return undefined;
      const holds = ({ id }: Poll, reader: Reader) => votedIn(reader, id) === wanted;
      return { words, holds, code: { args: `voted:${wanted}` } };
    },
  };
}

const question: Clause<Poll> = {
  name: "question",
  draw: ({ rng }, rows) => {
    const asked = oneOfSome(
      rng,
      rows.map((row) => row.question),
    );
    if (asked === undefined) return undefined;
    const q = js(asked);
    return {
      words: [
        `that ask ${q}`,
        `with the question ${q}`,
        `whose question is ${q}`,
        `in which the question is ${q}`,
        `that have ${q} as their question`,
      ],
      holds: (row) => row.question === asked,
      code: { test: `x.question===${q}` },
    };
  },
};

export const pollsPart: Collection = collection<Poll>({
  name: "polls",
  kind: "polls",
  app: "messages",
  table: polls,
  base: (row, db) => !row.closed && isInside(db, row.chat),
  nouns: [
    { one: "open poll in my chats", many: "open polls in my chats" },
    { one: "open poll in Messages", many: "open polls in Messages" },
    { one: "open group chat poll", many: "open group chat polls" },
    { one: "open poll in my group chats", many: "open polls in my group chats" },
    { one: "open chat poll", many: "open chat polls" },
  ],
  list: { api: "messages.polls", args: "closed:false" },
  key: "id",
  whole: false,
  clauses: [
    inChat<Poll>(),
    byPerson<Poll>(),
    pollVoted("voted", [
      "in which I have voted",
      "that have my vote",
      "where I voted",
      "in which my vote counts",
      "that I voted in",
    ]),
    pollVoted("unvoted", [
      "in which I have not voted",
      "that lack my vote",
      "where I have yet to vote",
      "without a vote of mine",
      "that I have not voted in",
    ]),
    question,
  ],
  fields: [
    {
      name: "question",
      unit: "text",
      noun: "question",
      value: (row) => row.question,
      code: "x.question",
    },
    {
      name: "votes",
      unit: "number",
      noun: "number of votes",
      value: ({ id }, db) => votesOf(db, id),
      code: "x.votes",
    },
  ],
});

export const pollRelations: readonly Relation[] = [
  {
    name: "voters",
    from: "polls",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the other voters of ${noun}`,
      (noun) => `everyone but me among the voters of ${noun}`,
      (noun) => `all voters besides me of ${noun}`,
      (noun) => `the people except me among the voters of ${noun}`,
      (noun) => `whoever but me is among the voters of ${noun}`,
    ],
    map: (db, ids) =>
      distinct(ids.flatMap((poll) => db.where(votes, { poll }).map(({ person }) => person))),
    cells: (from, to) =>
      each(`${every("messages.votes", "id:k")}.map(x=>x.by).filter(x=>x!=="owner")`, from, to),
  },
];
const close = act("polls", "close", () => ({
  frames: [
    (noun) => `Close ${noun}`,
    (noun) => `Let ${noun} be closed`,
    (noun) => `Have ${noun} closed`,
    (noun) => `Set ${noun} to closed`,
    (noun) => `Bring the voting in ${noun} to a close`,
  ],
  permits: (db, id) => {
    const row = db.get(polls, id)!;
    return !row.closed && (row.person === null || rules(db.get(chats, row.chat)?.role));
  },
  apply: (db, id) => db.update(polls, id, { closed: true }),
  call: (x) => `apis.messages.closePoll({id:${x}})`,
}));

const NTH = ["first", "second"] as const;

/** Its choice is found in each poll. */
const vote = act("polls", "vote", ({ rng }) => {
  const nth = rng.integer(0, 1);
  const n = NTH[nth];
  return {
    frames: [
      (noun) => `Vote for the ${n} choice in ${noun}`,
      (noun) => `In ${noun}, vote for the choice that is listed ${n}`,
      (noun) => `Give my vote in ${noun} to the ${n} choice`,
      (noun) => `Cast my vote for the ${n} listed choice in ${noun}`,
      (noun) => `Let me vote for the ${n} of the choices in ${noun}`,
    ],
    permits: (db, id) => {
      const row = db.get(polls, id)!;
      const [vote] = db.where(votes, { poll: id, person: null });
      return !row.closed && vote?.choice !== row.choices[nth];
    },
    apply: (db, poll) => {
      const choice = db.get(polls, poll)!.choices[nth]!;
      const [vote] = db.where(votes, { poll, person: null });
      if (vote) db.update(votes, vote.id, { choice });
      else db.insert(votes, { poll, person: null, choice });
    },
    call: (x) =>
      `const c=apis.messages.poll({id:${x}}).results[${nth}].choice;apis.messages.vote({id:${x},choice:c})`,
  };
});

export const pollActions: readonly Action[] = [close, vote];
