/** Actions in chats and on their posts and polls. The owner's role decides what is allowed. */
import { actions, customIngredient, jsLiteral, someone } from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  type Chat,
  chatMembers,
  chats,
  type Poll,
  type Post,
  polls,
  posts,
  votes,
} from "../../apps/messages/tables.ts";
import { idsOfUnblockedPeople, isReachable } from "../reachable-people.ts";
import { canManage, canPost } from "./chat-rules.ts";
import { insertPost } from "./insert-rows.ts";

const POLLS = [
  ["Who brings the tent?", ["nobody yet", "the neighbours", "the hosts"]],
  ["Which colour for the banner?", ["red", "green", "blue"]],
  ["Shall we meet monthly?", ["yes", "no"]],
  ["Tea or coffee?", ["tea", "coffee", "both"]],
] as const;

const isInChat = ({ role }: Chat) => role !== "removed";
const CHATS_LIST = { kind: "chats", app: "messages", table: chats, key: "chat" } as const;

const actionsInChats = actions<Chat>(CHATS_LIST, (kit) => ({
  post: kit.actionWithValue("text", ({ value, code }) =>
    kit.applies((db, { id }) => insertPost(db, id, value), {
      when: canPost,
      api: "post",
      args: `text:${code}`,
    }),
  )`Post $ in # | Write $ in # | Put the post $ into # | Say $ in # | Make a post that says $ in #`,
  mute: kit.changesTo("muted", true, { when: isInChat, api: "muteChat" })`Mute # | Put # on mute
    | Let # be muted | Set # to muted | Have # muted`,
  leave: kit.sets("role", "removed", {
    when: ({ role }) => role !== "removed" && role !== "owner",
    api: "leaveChat",
  })`Leave # | Give up my place in # | Take me out of # | Quit # | Get me out of #`,
  "add-member": kit.actionWithOne(
    someone(idsOfUnblockedPeople),
    ({ value: { id: person }, code }) =>
      kit.addsRow(chatMembers, ({ id: chat }) => ({ chat, person, role: "member" }), {
        when: ({ id: chat, role }, db) =>
          canManage(role) &&
          isReachable(db, person) &&
          db.where(chatMembers, { chat, person }).length === 0,
        api: "addMember",
        args: `person:${code}`,
      }),
  )`Add $ to # | Bring $ into # | Make $ a member of # | Put $ into # | Let $ join #`,
  "start-poll": kit.drawnAction(({ rng }) => {
    const [question, choices] = rng.pick(POLLS);
    const choicesText = choices.map((choice) => jsLiteral(choice)).join(", ");
    const row = { person: null, question, choices: [...choices], closed: false };
    return kit.addsRow(polls, ({ id: chat }) => ({ chat, ...row }), {
      when: canPost,
      api: "startPoll",
      args: `question:${jsLiteral(question)},choices:${jsLiteral(choices)}`,
    })`Start a poll with the question "${question}" and the choices ${choicesText} in #
      | In #, start a poll that asks "${question}", with the choices ${choicesText}
      | Ask "${question}" by a poll in #; the choices are ${choicesText}
      | Set up a poll in #: the question is "${question}", the choices are ${choicesText}
      | Put a poll into # with "${question}" as its question and ${choicesText} as its choices`;
  }),
}));

const chatOfRow = ({ chat }: { readonly chat: number }, db: Reader) => db.get(chats, chat)!;

const POSTS_LIST = { kind: "posts", app: "messages", table: posts } as const;

const postActions = actions<Post>(POSTS_LIST, ({ changesTo, applies, actionWithValue }) => ({
  answer: actionWithValue("text", ({ value, code }) =>
    applies((db, { id, chat }) => insertPost(db, chat, value, id), {
      when: (post, db) => !post.withdrawn && canPost(chatOfRow(post, db)),
      api: "answer",
      args: `text:${code}`,
    }),
  )`Answer # with $ | Reply to # with $ | Respond to # with $ | Write $ as an answer to #
    | Give the answer $ to #`,
  pin: changesTo("pinned", true, {
    when: (post, db) => canManage(chatOfRow(post, db).role),
    api: "pinPost",
  })`Pin # | Put a pin on # | Have # pinned | Let # be pinned | Set # to pinned`,
}));

const OPEN_POLLS_LIST = {
  kind: "polls",
  app: "messages",
  table: polls,
  when: { closed: false },
} as const;
const ownVote = (poll: number, db: Reader) => db.where(votes, { poll, person: null })[0];
const drawFirstOrSecond = customIngredient(
  ({ rng }) => rng.integer(0, 1),
  (at) => (at === 0 ? "first" : "second"),
);

const pollActions = actions<Poll>(OPEN_POLLS_LIST, ({ applies, actionWithOne, sets }) => ({
  close: sets("closed", true, {
    when: (poll, db) => poll.person === null || canManage(chatOfRow(poll, db).role),
    api: "closePoll",
  })`Close # | Let # be closed | Have # closed | Set # to closed
    | Bring the voting in # to a close`,
  /** Votes in each poll for its first or second choice. */
  vote: actionWithOne(drawFirstOrSecond, ({ value: at, code }) =>
    applies(
      (db, { id: poll, choices }) => {
        const choice = choices[at]!;
        const vote = ownVote(poll, db);
        if (vote) db.update(votes, vote.id, { choice });
        else db.insert(votes, { poll, person: null, choice });
      },
      {
        when: ({ id, choices }, db) => ownVote(id, db)?.choice !== choices[at],
        call: `const c=apis.messages.poll({id:x}).results[${code}].choice;apis.messages.vote({id:x,choice:c})`,
      },
    ),
  )`Vote for the $ choice in # | In #, vote for the choice that is listed $
    | Give my vote in # to the $ choice
    | Cast my vote for the $ listed choice in # | Let my vote in # go to the choice listed $`,
}));

export const chatActions = [...actionsInChats, ...postActions, ...pollActions];
