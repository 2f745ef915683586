/** What can be done to texts: received ones answered, passed on, marked, removed and paid for; waiting ones called off or moved. */
import { type Action, actions, js } from "../../../../goals/index.ts";
import { scheduledTexts } from "../../apps/messages/tables.ts";
import { payments, type Text, texts, wallet } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { reachable, unblocked } from "../contact.ts";
import { AT } from "../contacts/common.ts";
import { there } from "../contacts/facts.ts";
import { centsIn } from "./texts.ts";
import { writeText } from "./writes.ts";

const received = actions(
  { kind: "texts", app: "messages", table: texts },
  ({ does, drawn, removes, sets, taking }) => ({
    reply: taking(
      "text",
      ({ value, words, code }) =>
        does((db, { id, person }) => writeText(db, person, value, id), {
          when: ({ person }, db) => reachable(db, person),
          api: "reply",
          args: `text:${code}`,
        })`Reply to # with ${words} | Answer # with ${words} | Send ${words} as a reply to #
        | Write ${words} as the answer to # | Respond to # with ${words}`,
    ),
    forward: drawn((draw) => {
      const named = draw.person(unblocked(draw));
      if (!named) return undefined;
      const { value, words, code } = named;
      return does((db, { text }) => writeText(db, value.id, text), {
        when: (_, db) => reachable(db, value.id),
        api: "forward",
        args: `to:${code}`,
        uses: [named],
      })`Forward # to ${words} | Send # on to ${words} | Pass # on to ${words}
        | Let ${words} have a forward of # | Relay # to ${words}`;
    }),
    react: drawn(({ rng }) => {
      const reaction = rng.pick(["like", "love", "laugh", "sad"]);
      const when = (text: Text) => text.reaction !== reaction;
      return sets("reaction", reaction, { when, api: "react", args: `kind:${js(reaction)}` })`
        React to # with "${reaction}" | Put the reaction "${reaction}" on #
        | Give # the reaction "${reaction}" | Use "${reaction}" as my reaction to #
        | Let my reaction to # be "${reaction}"`;
    }),
    star: sets("starred", true, { when: ({ starred }) => !starred, api: "star" })`Star #
      | Put a star on # | Mark # with a star | Give # a star | Add a star to #`,
    remove: removes({ when: there, api: "remove" })`Remove # | Delete # | Discard # | Get rid of #
      | Throw away #`,
  }),
);

/** The amount and whom to pay stand in the message. */
const paid = actions(
  { kind: "texts", app: "pay", table: texts, difficulty: 2 },
  ({ adds, drawn }) => ({
    reimburse: drawn(({ rng }) => {
      const note = rng.pick(["my share", "thank you", "as agreed", "for everything"]);
      const payment = ({ person, text }: Text) => ({ person, cents: centsIn(text), note });
      const rest = { outgoing: true, request: null, at: AT };
      return adds(payments, (text) => ({ ...payment(text), ...rest }), {
        when: (text, db) => {
          const { person, cents } = payment(text);
          return reachable(db, person) && cents > 0 && cents * 9 < (db.all(wallet)[0]?.cents ?? 0);
        },
        call: `const m=apis.messages.show({id:x});apis.pay.send({to:m.from,amount:Number(/\\$(\\d+\\.\\d\\d)/.exec(m.text)[1]),note:${js(note)}})`,
      })`Pay the sender of # the amount named in it, with the Pay note "${note}"
        | For #, pay the sender the amount named there, with the note "${note}" in Pay
        | Use Pay to send the sender of # the amount that it names, noting "${note}"
        | With the Pay note "${note}", pay whoever sent # the amount named in it
        | Settle #: pay the amount named in it to its sender, with the Pay note "${note}"`;
    }),
  }),
);

const scheduled = actions(
  { kind: "scheduled texts", app: "messages", table: scheduledTexts },
  ({ sets, taking }) => ({
    unschedule: sets("cancelled", true, {
      when: ({ cancelled }) => !cancelled,
      api: "unschedule",
    })`Cancel # | Call off # | Withdraw # from the schedule | Take # off the schedule
      | Have # cancelled`,
    reschedule: taking(
      "day",
      ({ value: day, words, code }) =>
        sets("day", day, {
          when: (row) => !row.cancelled && row.day !== day && day > TODAY,
          api: "reschedule",
          args: `day:${code}`,
        })`Move # to ${words}, at the same time of day
        | Reschedule # to ${words} without changing the time of day
        | Let # leave on ${words} instead, at the old time of day
        | Put # off or forward to ${words}, with the time of day unchanged
        | Change the day of # to ${words} but not the time`,
    ),
  }),
);

export const textActions: readonly Action[] = [...received, ...paid, ...scheduled];
