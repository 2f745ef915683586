/** Actions on received texts and on scheduled texts. */
import { actions, oneOf, someone, taskValue } from "bowline/goals";
import { type ScheduledText, scheduledTexts } from "../../apps/messages/tables.ts";
import { payments, type Text, texts, wallet } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { ANY_TIME } from "../contacts/contacts-and-messages.ts";
import { anyExistingRow } from "../contacts/facts.ts";
import { idsOfUnblockedPeople, isReachable } from "../reachable-people.ts";
import { insertText } from "./insert-rows.ts";
import { centsInText } from "./texts.ts";

const REACTIONS = ["like", "love", "laugh", "sad"] as const;
const PAYMENT_NOTES = ["my share", "thank you", "as agreed", "for everything"];
const TEXTS_LIST = { kind: "texts", app: "messages", table: texts } as const;
const REIMBURSE_OPTIONS = { difficult: "reimburse", otherApps: { pay: "reimburse" } } as const;

const receivedTextActions = actions<Text>({ ...TEXTS_LIST, ...REIMBURSE_OPTIONS }, (kit) => ({
  reply: kit.actionWithValue("text", ({ value, code }) =>
    kit.applies((db, { id, person }) => insertText(db, person, value, id), {
      when: ({ person }, db) => isReachable(db, person),
      api: "reply",
      args: `text:${code}`,
    }),
  )`Reply to # with $ | Answer # with $ | Send $ as a reply to # | Write $ as the answer to #
    | Respond to # with $`,
  forward: kit.actionWithOne(someone(idsOfUnblockedPeople), ({ value: friend, code }) =>
    kit.applies((db, { text }) => insertText(db, friend.id, text), {
      when: (_, db) => isReachable(db, friend.id),
      api: "forward",
      args: `to:${code}`,
    }),
  )`Forward # to $ | Send # on to $ | Pass # on to $ | Use forwarding to let $ have # | Relay # to
    $`,
  react: kit.setsToDrawn("reaction", oneOf(REACTIONS), { api: "react", arg: "kind" })`
    React to # with "$" | Put the reaction "$" on # | Give the reaction "$" to #
    | Use "$" as my reaction to # | Let my reaction to # be "$"`,
  star: kit.changesTo("starred", true, { api: "star" })`
    Star # | Put a star on # | Let # have a star | Set a star on # | Add a star to #`,
  remove: kit.removesRow({ when: anyExistingRow, api: "remove" })`
    Remove # | Delete # | Discard # | Get rid of # | Throw away #`,
  /** Pays the sender of a message the amount in it. */
  reimburse: kit.actionWithOne(oneOf(PAYMENT_NOTES), ({ value: note, code }) => {
    const rest = { note, outgoing: true, request: null, at: ANY_TIME };
    return kit.addsRow(
      payments,
      ({ person, text }) => ({ person, cents: centsInText(text), ...rest }),
      {
        when: ({ person, text }, db) => {
          const cents = centsInText(text);
          return (
            isReachable(db, person) && cents > 0 && cents * 9 < (db.all(wallet)[0]?.cents ?? 0)
          );
        },
        call: `const m=apis.messages.show({id:x});apis.pay.send({to:m.from,amount:Number(/\\$(\\d+\\.\\d\\d)/.exec(m.text)[1]),note:${code}})`,
      },
    );
  })`For #, pay the sender the amount named in the message, with the Pay note "$" | For #, pay the
    sender the amount named there, with the note "$" in Pay | For #, use Pay to send the sender
    the amount that the message names, noting "$" | Pay the sender the amount named in the
    message, with the Pay note "$", for # | Settle #: pay the sender the amount named in the
    message, with the Pay note "$"`,
}));

const SCHEDULED_LIST = {
  kind: "scheduled texts",
  app: "messages",
  table: scheduledTexts,
  when: { cancelled: false },
} as const;

const scheduledTextActions = actions<ScheduledText>(
  SCHEDULED_LIST,
  ({ changesTo, actionWithOne, sets }) => ({
    unschedule: sets("cancelled", true, { api: "unschedule" })`Cancel # | Call off #
    | Withdraw # from the schedule | Take # off the schedule | Have # cancelled`,
    reschedule: actionWithOne(taskValue("day"), ({ value: day, code }) =>
      changesTo("day", day, { when: () => day > TODAY, api: "reschedule", args: `day:${code}` }),
    )`Move # to $, at the same time of day | Reschedule # to $ without changing the time of day |
      Let # leave on $ instead, at the old time of day | Shift # to $, with the time of day
      unchanged | Change the day of # to $ but not the time`,
  }),
);

export const textActions = [...receivedTextActions, ...scheduledTextActions];
