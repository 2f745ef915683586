/** Actions on received mail: on all mails, and on mails that contain an amount. */
import { actions, oneOf, taskValue, wordList } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import { snoozes } from "../../apps/mail/tables.ts";
import { type Mail, mails, notes, payments, todoLists, todos } from "../../apps/tables.ts";
import { NOW, TODAY } from "../../population/time.ts";
import { isReachable } from "../reachable-people.ts";
import {
  amountCode,
  centsInText,
  dayCode,
  dayInText,
  idsOfCopyReceivers,
  insertSentMail,
} from "./mails-and-columns.ts";

const drawTodayOrLater = taskValue("day", (day) => day >= TODAY);
const LABELS = wordList("to read | done | house | money | someday | project | ask again");

function insertReply(db: Writer, mail: Mail, body: string, others?: readonly number[]): void {
  const { person, id: origin } = mail;
  insertSentMail(db, { person, subject: `Re: ${mail.subject}`, body, origin }, others);
}

const canPayAmount = ({ body, person }: Mail, db: Reader) =>
  centsInText(body) > 0 && isReachable(db, person);
const findInboxList = (db: Reader) => db.where(todoLists, { name: "inbox" })[0];

/** The names of the actions on every kind of received mail. */
const ANY_MAIL_ACTIONS = "archive trash star label forward reply snooze note-from-mail";

const MAILS_LIST = {
  kind: {
    mails: `${ANY_MAIL_ACTIONS} reply-all`,
    bills: `${ANY_MAIL_ACTIONS} pay-amount-of-mail todo-of-mail answer-amount`,
  },
  app: "mail",
  table: mails,
  difficult: "note-from-mail reply-all pay-amount-of-mail todo-of-mail answer-amount",
  otherApps: { notes: "note-from-mail", pay: "pay-amount-of-mail", todo: "todo-of-mail" },
} as const;

export const mailActions = actions<Mail>(MAILS_LIST, (kit) => ({
  // Mails move only from the inbox to the archive and from there to the trash, so no task has two actions that move the
  // same mail.
  archive: kit.sets("folder", "archive", { when: { folder: "inbox" }, api: "archive" })`Archive #
    | Move # to the archive
    | Put # into the archive | Send # to the archive folder | Have # moved into the archive`,
  trash: kit.sets("folder", "trash", {
    when: ({ folder }) => folder === "inbox" || folder === "archive",
    api: "remove",
  })`Move # to the trash | Throw # into the trash | Put # into the trash
    | Send # to the trash folder | Have # moved into the trash`,
  star: kit.changesTo("starred", true, {
    api: "star",
  })`Star # | Put a star on # | Let # have a star | Give a star to # | Add a star to #`,
  label: kit.setsToDrawn("label", oneOf(LABELS), {
    api: "label",
  })`Label # as "$" | Give the label "$" to #
    | Put the label "$" on # | Use the label "$" for # | Set the label to "$" for #`,
  forward: kit.actionWithPerson(({ value: { id: person }, code }, draw) => {
    if (!isReachable(draw.db, person)) return undefined;
    return kit.applies(
      (db, { id, subject, body }) =>
        insertSentMail(db, { person, subject: `Fwd: ${subject}`, body, origin: id }),
      { when: (_, db) => isReachable(db, person), api: "forward", args: `to:${code}` },
    );
  })`Forward # to $ | Send # on to $ by forwarding | Let $ have # as forwarded mail
    | Pass # on to $ as forwarded mail | Use forwarding to send # to $`,
  reply: kit.actionWithValue("text", ({ value, code }) =>
    kit.applies((db, row) => insertReply(db, row, value), {
      when: ({ person }, db) => isReachable(db, person),
      api: "reply",
      args: `body:${code}`,
    }),
  )`Reply to # with the text $ | Answer # by mail with $ | Send $ as a reply to #
    | Write $ in reply to # | Answer # with $`,
  snooze: kit.actionWithOne(drawTodayOrLater, ({ value: until, code }) =>
    kit.applies(
      (db, { id }) => {
        db.insert(snoozes, { mail: id, until });
        db.update(mails, id, { folder: "archive" });
      },
      {
        when: ({ id, folder }, db) =>
          folder === "inbox" && db.where(snoozes, { mail: id }).length === 0,
        api: "snooze",
        args: `until:${code}`,
      },
    ),
  )`Snooze # until $ | Put # on snooze until $ | Let # sleep until $ by snoozing
    | Snooze # until $ | Let # be snoozed until $`,
  "note-from-mail": kit.addsRow(
    notes,
    ({ subject, body }) => ({ title: subject, text: body, tag: null, pinned: false }),
    { call: "const m=apis.mail.show({id:x});apis.notes.add({title:m.subject,text:m.body})" },
  )`Keep # as a note, with the subject as title and the body as text | One by one, save # as a
    note, with the subject as its title and the body as its text | For #, make a note with the
    mail's subject as title and its body as text | Copy # into my notes, one note for each mail,
    with the subject as the title and the body as the text | Make a note of #, one for each mail,
    with the subject as the title and the body as the text`,
  "reply-all": kit.actionWithValue("text", ({ value, code }) =>
    kit.applies((db, row) => insertReply(db, row, value, idsOfCopyReceivers(db, row.id)), {
      when: ({ id, person }, db) => {
        const copied = idsOfCopyReceivers(db, id);
        return copied.length > 0 && [person, ...copied].every((one) => isReachable(db, one));
      },
      api: "replyAll",
      args: `body:${code}`,
    }),
  )`Reply to # with $, so that the sender and everyone with a copy gets it | Answer # with $, as a
    reply to all | Write a reply to all that says $ to # | Reply to all of those who got #, and
    let the text be $ | Send a reply to all with the text $ for #`,
  "pay-amount-of-mail": kit.addsRow(
    payments,
    ({ person, subject, body }) => {
      const how = { outgoing: true, cents: centsInText(body), note: subject, request: null };
      return { person: person!, ...how, at: NOW };
    },
    {
      when: canPayAmount,
      call: `const m=apis.mail.show({id:x});apis.pay.send({to:m.from,amount:${amountCode("m.body")},note:m.subject})`,
    },
  )`Pay each sender the amount in the mail, with the mail's subject as the note, for #
    | Settle #: pay each sender the amount in the text, with the subject as the note
    | One by one, pay the sender the amount named in the text and note the subject, for #
    | For #, pay the sender the amount in the text, with the subject as the note
    | For #, send the sender the amount in the mail by Pay, with the subject as the note`,
  "todo-of-mail": kit.addsRow(
    todos,
    ({ subject, body }, db) => {
      return { title: subject, list: findInboxList(db)!.id, due: dayInText(body), done: false };
    },
    {
      when: ({ body }, db) => dayInText(body) >= TODAY && findInboxList(db) !== undefined,
      call: `const m=apis.mail.show({id:x});apis.todo.add({title:m.subject,due:${dayCode("m.body")}})`,
    },
  )`Add a todo titled like the subject and due on the day in the text for #
    | One by one, add a todo with the subject as title and the day in the text as due day for #
    | For #, make a todo titled like the mail's subject and due on the day in its text
    | Put # on my todo list, titled like the subject and due on the day in the text
    | Make a todo of #, with the subject as the title and the day in the text as the due day`,
  "answer-amount": kit.applies(
    (db, row) => insertReply(db, row, `got it: $${(centsInText(row.body) / 100).toFixed(2)}`),
    {
      when: canPayAmount,
      call: `const m=apis.mail.show({id:x});apis.mail.reply({id:x,body:"got it: $"+${amountCode("m.body")}.toFixed(2)})`,
    },
  )`Reply with "got it: " and the amount in the mail, as in "got it: $12.50", to #
    | One by one, reply with "got it: " and the amount in the text, as in "got it: $12.50", to #
    | Confirm # by a reply of "got it: " and the amount, as in "got it: $12.50"
    | Answer # by mail with "got it: " and the amount in the text, as in "got it: $12.50"
    | In reply to #, write "got it: " and the amount in the text, as in "got it: $12.50"`,
}));
