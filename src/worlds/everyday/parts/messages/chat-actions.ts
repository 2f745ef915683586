/** What can be done in chats and to their posts and polls; a role decides what is allowed. */
import { type Action, actions, js } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { chatMembers, chats, polls, posts, votes } from "../../apps/messages/tables.ts";
import { reachable, unblocked } from "../contact.ts";
import { mayPost, rules } from "./chat-rules.ts";
import { writePost } from "./writes.ts";

const POLLS = [
  ["Who brings the tent?", ["nobody yet", "the neighbours", "the hosts"]],
  ["Which colour for the banner?", ["red", "green", "blue"]],
  ["Shall we meet monthly?", ["yes", "no"]],
  ["Tea or coffee?", ["tea", "coffee", "both"]],
] as const;

const inChats = actions(
  { kind: "chats", app: "messages", table: chats, key: "chat" },
  ({ adds, does, drawn, sets, taking }) => ({
    post: taking(
      "text",
      ({ value, words, code }) =>
        does((db, { id }) => writePost(db, id, value), {
          when: mayPost,
          api: "post",
          args: `text:${code}`,
        })`Post ${words} in # | Write ${words} in # | Put the post ${words} into #
        | Say ${words} in # | Make a post that says ${words} in #`,
    ),
    mute: sets("muted", true, {
      when: ({ role, muted }) => role !== "removed" && !muted,
      api: "muteChat",
    })`Mute # | Put # on mute | Let # be muted | Set # to muted | Have # muted`,
    leave: sets("role", "removed", {
      when: ({ role }) => role !== "removed" && role !== "owner",
      api: "leaveChat",
    })`Leave # | Let me leave # | Take me out of # | Quit # | Get me out of #`,
    "add-member": drawn((draw) => {
      const named = draw.person(unblocked(draw));
      if (!named) return undefined;
      const { words, code } = named;
      const person = named.value.id;
      return adds(chatMembers, ({ id: chat }) => ({ chat, person, role: "member" }), {
        when: ({ id: chat, role }, db) =>
          rules(role) &&
          reachable(db, person) &&
          db.where(chatMembers, { chat, person }).length === 0,
        api: "addMember",
        args: `person:${code}`,
        uses: [named],
      })`Add ${words} to # | Bring ${words} into # | Make ${words} a member of #
        | Put ${words} into # | Let ${words} join #`;
    }),
    "start-poll": drawn(({ rng }) => {
      const [question, choices] = rng.pick(POLLS);
      const c = choices.map((choice) => js(choice)).join(", ");
      const row = { person: null, question, choices: [...choices], closed: false };
      return adds(polls, ({ id: chat }) => ({ chat, ...row }), {
        when: mayPost,
        api: "startPoll",
        args: `question:${js(question)},choices:${js(choices)}`,
      })`Start a poll with the question "${question}" and the choices ${c} in #
        | In #, start a poll that asks "${question}", with the choices ${c}
        | Ask "${question}" by a poll in #; the choices are ${c}
        | Set up a poll in #: the question is "${question}", the choices are ${c}
        | Put a poll into # with "${question}" as its question and ${c} as its choices`;
    }),
  }),
);

const chatOf = ({ chat }: { readonly chat: number }, db: Reader) => db.get(chats, chat)!;

const toPosts = actions(
  { kind: "posts", app: "messages", table: posts },
  ({ does, sets, taking }) => ({
    answer: taking(
      "text",
      ({ value, words, code }) =>
        does((db, { id, chat }) => writePost(db, chat, value, id), {
          when: (post, db) => !post.withdrawn && mayPost(chatOf(post, db)),
          api: "answer",
          args: `text:${code}`,
        })`Answer # with ${words} | Reply to # with ${words} | Respond to # with ${words}
        | Write ${words} as an answer to # | Give # the answer ${words}`,
    ),
    pin: sets("pinned", true, {
      when: (post, db) => !post.pinned && rules(chatOf(post, db).role),
      api: "pinPost",
    })`Pin # | Put a pin on # | Have # pinned | Let # be pinned | Set # to pinned`,
  }),
);

const toPolls = actions(
  { kind: "polls", app: "messages", table: polls },
  ({ does, drawn, sets }) => ({
    close: sets("closed", true, {
      when: (poll, db) => !poll.closed && (poll.person === null || rules(chatOf(poll, db).role)),
      api: "closePoll",
    })`Close # | Let # be closed | Have # closed | Set # to closed
      | Bring the voting in # to a close`,
    /** Its choice is found in each poll. */
    vote: drawn(({ rng }) => {
      const nth = rng.integer(0, 1);
      const said = nth === 0 ? "first" : "second";
      const mine = (poll: number, db: Reader) => db.where(votes, { poll, person: null })[0];
      return does(
        (db, { id: poll, choices }) => {
          const choice = choices[nth]!;
          const vote = mine(poll, db);
          if (vote) db.update(votes, vote.id, { choice });
          else db.insert(votes, { poll, person: null, choice });
        },
        {
          when: ({ id, closed, choices }, db) => !closed && mine(id, db)?.choice !== choices[nth],
          call: `const c=apis.messages.poll({id:x}).results[${nth}].choice;apis.messages.vote({id:x,choice:c})`,
        },
      )`Vote for the ${said} choice in # | In #, vote for the choice that is listed ${said}
        | Give my vote in # to the ${said} choice | Cast my vote for the ${said} listed choice in #
        | Let me vote for the ${said} of the choices in #`;
    }),
  }),
);

export const chatActions: readonly Action[] = [...inChats, ...toPosts, ...toPolls];
