/** Scenarios about the pay app: payments, payment requests, reminders, and a bill that came by mail. */
import { mails, type Person, payments, reminders, requests } from "../../apps/tables.ts";
import { insertReceivedMail, insertSentMail, LAST_WEEK } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask, type TaskDraw } from "../scenario.ts";
import { FINISH_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { Changes, haveSameMembers, haveSameWords, isDone } from "../verdicts.ts";
import { findHandleCode, formatDollars, insertPayment } from "./insert-scenario-rows.ts";

const payAPerson = defineScenario("pay-a-person", 1, (draw) => {
  const to = draw.rng.pick(draw.people);
  const cents = draw.rng.integer(1105, 6895);
  const note = pickForTask(draw, ["concert ticket", "the old bike pump", "half of the paint"]);
  return {
    instruction: `Send ${to.name} $${formatDollars(cents)} with Pay. The note is "${note}".`,
    goal: (db) => void insertPayment(db, to.id, cents, note),
    *solution() {
      yield `${logInCell("pay")}\n${findHandleCode(to)}`;
      yield `apis.pay.send({ to: person, amount: ${cents / 100}, note: ${quote(note)} });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const before = start.where(payments, { person: to.id }).length;
      const all = end.where(payments, { person: to.id });
      const last = all.at(-1);
      if (!isDone(finish) || new Changes(start, end).rowCount !== 1) return false;
      if (all.length !== before + 1 || last === undefined) return false;
      return last.outgoing && last.cents === cents && haveSameWords(last.note, note);
    },
  };
});

const remindUnpaid = defineScenario("remind-unpaid", 2, (draw) => {
  const what = pickForTask(draw, [
    "canoes on the lake",
    "seats for the puppet play",
    "barbecue by the river",
  ]);
  const [slow, late, paid, told, off] = draw.rng.shuffle(draw.people) as [...TaskDraw["people"]];
  const cents = draw.rng.integer(1205, 3895);
  const asked = [slow, late, paid, told, off].map((person) => person!.id);
  return {
    instruction: `I asked some people for money for "${what}". Remind everyone who has not paid that yet, but nobody whom I have reminded of it before.`,
    setup(db) {
      const common = { outgoing: true, cents, note: what, at: LAST_WEEK };
      const states = ["pending", "pending", "paid", "pending", "cancelled"] as const;
      for (const [i, person] of asked.entries()) {
        const { id } = db.insert(requests, { ...common, person, status: states[i]! });
        if (i === 2) db.insert(payments, { ...common, person, outgoing: false, request: id });
        if (i === 3) db.insert(reminders, { request: id });
      }
      const other = { ...common, note: "tickets for the fair", status: "pending" } as const;
      db.insert(requests, { ...other, person: asked[2]! });
    },
    goal(db) {
      for (const { id, note } of db.where(requests, { outgoing: true, status: "pending" })) {
        const fresh = db.where(reminders, { request: id }).length === 0;
        if (note === what && fresh) db.insert(reminders, { request: id });
      }
    },
    *solution() {
      yield `${logInCell("pay")}\n${readAllPagesCode("open", (page) => `apis.pay.requested({ status: "pending", ${page} })`)}`;
      yield `for (const { id } of open.filter(({ note }) => note === ${quote(what)})) {
  try { apis.pay.remind({ id }); } catch (error) { print(error.message); }
}\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const reached = new Changes(start, end).addedRows(reminders).map(({ request }) => {
        const { person, note } = end.get(requests, request)!;
        return note === what ? person : 0;
      });
      const alone = new Changes(start, end).rowCount === 2;
      return isDone(finish) && alone && haveSameMembers(reached, [slow!.id, late!.id]);
    },
  };
});

const payOneAndDeclineRest = defineScenario("decline-but-one", 2, (draw) => {
  const person = draw.rng.pick(draw.people);
  const notes = draw.common.shuffle(["lemonade stand", "spare key", "window paint", "old atlas"]);
  const kept = pickForTask(draw, notes);
  const amounts = draw.rng.sample([1320, 2475, 890, 3160, 1745], 4);
  return {
    instruction: `${person.name} keeps asking me for money. Pay what they want for "${kept}", and decline everything else that they are still asking for.`,
    setup(db) {
      const common = { person: person.id, outgoing: false, at: LAST_WEEK } as const;
      for (const [i, note] of notes.entries()) {
        db.insert(requests, { ...common, cents: amounts[i]!, note, status: "pending" });
      }
      db.insert(requests, { ...common, cents: 500, note: "stamps", status: "declined" });
      db.insert(requests, {
        ...common,
        outgoing: true,
        cents: 700,
        note: "soup",
        status: "pending",
      });
    },
    goal(db) {
      const open = { person: person.id, outgoing: false, status: "pending" } as const;
      for (const { id, note, cents } of db.where(requests, open)) {
        db.update(requests, id, { status: note === kept ? "paid" : "declined" });
        if (note === kept) insertPayment(db, person.id, cents, note, id);
      }
    },
    *solution() {
      yield `${logInCell("pay")}\n${findHandleCode(person)}
${readAllPagesCode("open", (page) => `apis.pay.requests({ from: person, status: "pending", ${page} })`)}`;
      yield `for (const { id, note } of open) {
  if (note === ${quote(kept)}) apis.pay.approve({ id });
  else apis.pay.decline({ id });
}\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const asked = start.where(requests, {
        person: person.id,
        outgoing: false,
        status: "pending",
      });
      const states = asked.map(({ id, note }) => [note === kept, end.get(requests, id)?.status]);
      const sorted = states.every(([pay, state]) => state === (pay ? "paid" : "declined"));
      const sums = new Changes(start, end).addedRows(payments).map(({ cents }) => cents);
      const price = asked.find(({ note }) => note === kept)?.cents;
      const alone = new Changes(start, end).rowCount === asked.length + 1;
      return isDone(finish) && alone && sorted && haveSameMembers(sums, [price]);
    },
  };
});

const payShareOfBill = defineScenario("share-of-bill", 3, (draw) => {
  const [host, other] = draw.rng.sample(draw.people, 2) as [Person, Person];
  const what = pickForTask(draw, ["the rowing boats", "the pottery evening", "the garden concert"]);
  const [count, word] = pickForTask(draw, [
    [4, "fourth"],
    [5, "fifth"],
    [6, "sixth"],
  ] as const);
  const shareCents = draw.rng.integer(1105, 3290);
  const subject = `The bill for ${what}`;
  const thanks = "Paid just now, thank you!";
  const billText = (cents: number) =>
    `Hello, the bill is here: ${what} came to $${formatDollars(cents * count)} in all. There were ${count} of us, so I get a ${word} of that from each. Best, `;
  const findBillCode = `${logInCell("mail", "pay")}\n${findHandleCode(host)}\n${readAllPagesCode("received", (page) => `apis.mail.list({ from: person, ${page} })`)}
const { id } = received.find(({ subject }) => subject === ${quote(subject)});
const { body } = apis.mail.show({ id });\nprint(body);`;
  const payShareCode = `const cents = Math.round(Number(/\\$(\\d+\\.\\d\\d)/.exec(body)[1]) * 100) / Number(/were (\\d+)/.exec(body)[1]);
apis.pay.send({ to: person, amount: cents / 100, note: ${quote(what)} });`;
  return {
    instruction: `${host.name} has mailed me the bill for ${what}. Pay them my part as the mail says, with the note "${what}", and reply to the mail with "${thanks}"`,
    setup(db) {
      const first = {
        subject: `Estimate for ${what}`,
        body: `I guess $${formatDollars(shareCents * 3)}.`,
      };
      insertReceivedMail(db, host, { ...first, at: LAST_WEEK });
      insertReceivedMail(db, host, { subject, body: billText(shareCents) + host.name });
      insertReceivedMail(db, other, { subject, body: billText(shareCents + 145) + other.name });
    },
    goal(db) {
      insertPayment(db, host.id, shareCents, what);
      const origin = db
        .where(mails, { person: host.id })
        .find((row) => row.subject === subject)!.id;
      insertSentMail(db, host, { subject: `Re: ${subject}`, body: thanks, origin });
    },
    *solution() {
      yield findBillCode;
      yield `${payShareCode}
apis.mail.reply({ id, body: ${quote(thanks)} });\n${FINISH_CODE}`;
    },
    alternatives: [
      function* () {
        yield findBillCode;
        yield `const draft = apis.mail.draftReply({ id, body: ${quote(thanks)} });
${payShareCode}\napis.mail.sendDraft({ id: draft.id });\n${FINISH_CODE}`;
      },
    ],
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [paid] = changes.addedRows(payments);
      const [answer] = changes.addedRows(mails);
      if (!isDone(finish) || changes.rowCount !== 2 || !paid || !answer?.outgoing) return false;
      const asked = answer.origin === null ? undefined : start.get(mails, answer.origin);
      const whole = Number(/came to \$([\d.]+)/.exec(asked?.body ?? "")?.[1]);
      const fair = Math.abs((paid.cents / 100) * count - whole) < 0.005 && paid.outgoing;
      const both =
        paid.person === host.id && answer.person === host.id && asked?.person === host.id;
      return fair && both && haveSameWords(paid.note, what) && haveSameWords(answer.body, thanks);
    },
  };
});

export const payScenarios: readonly HandmadeScenario[] = [
  payAPerson,
  remindUnpaid,
  payOneAndDeclineRest,
  payShareOfBill,
];
