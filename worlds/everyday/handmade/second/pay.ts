/** Pay: what is sent, asked for, declined and reminded of, and a bill that came by mail. */
import { mails, type Person, payments, reminders, requests } from "../../apps/tables.ts";
import { DONE, logIn, pages, quoted } from "../cells.ts";
import { Changes, sameMembers, sameWords, silent } from "../changes.ts";
import { LAST_WEEK, receivedMail, sentMail } from "../rows.ts";
import { type Draw, errand, type HandmadeScenario, turn } from "../scenario.ts";
import { handleFrom, inDollars, outgoing } from "./plants.ts";

const payAPerson = errand("pay-a-person", 1, (draw) => {
  const to = draw.rng.pick(draw.people);
  const cents = draw.rng.integer(1105, 6895);
  const note = turn(draw, ["concert ticket", "the old bike pump", "half of the paint"]);
  return {
    instruction: `Send ${to.name} $${inDollars(cents)} with Pay. The note is "${note}".`,
    goal: (db) => void outgoing(db, to.id, cents, note),
    *solution() {
      yield `${logIn("pay")}\n${handleFrom(to)}`;
      yield `apis.pay.send({ to: person, amount: ${cents / 100}, note: ${quoted(note)} });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const before = start.where(payments, { person: to.id }).length;
      const all = end.where(payments, { person: to.id });
      const last = all.at(-1);
      if (!silent(finish) || new Changes(start, end).count !== 1) return false;
      if (all.length !== before + 1 || last === undefined) return false;
      return last.outgoing && last.cents === cents && sameWords(last.note, note);
    },
  };
});

const remindUnpaid = errand("remind-unpaid", 2, (draw) => {
  const what = turn(draw, [
    "canoes on the lake",
    "seats for the puppet play",
    "barbecue by the river",
  ]);
  const [slow, late, paid, told, off] = draw.rng.shuffle(draw.people) as [...Draw["people"]];
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
      yield `${logIn("pay")}\n${pages("open", (page) => `apis.pay.requested({ status: "pending", ${page} })`)}`;
      yield `for (const { id } of open.filter(({ note }) => note === ${quoted(what)})) {
  try { apis.pay.remind({ id }); } catch (error) { print(error.message); }
}\n${DONE}`;
    },
    verdict(end, start, finish) {
      const reached = new Changes(start, end).added(reminders).map(({ request }) => {
        const { person, note } = end.get(requests, request)!;
        return note === what ? person : 0;
      });
      const alone = new Changes(start, end).count === 2;
      return silent(finish) && alone && sameMembers(reached, [slow!.id, late!.id]);
    },
  };
});

const declineButOne = errand("decline-but-one", 2, (draw) => {
  const person = draw.rng.pick(draw.people);
  const notes = draw.common.shuffle(["lemonade stand", "spare key", "window paint", "old atlas"]);
  const kept = turn(draw, notes);
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
        if (note === kept) outgoing(db, person.id, cents, note, id);
      }
    },
    *solution() {
      yield `${logIn("pay")}\n${handleFrom(person)}
${pages("open", (page) => `apis.pay.requests({ from: person, status: "pending", ${page} })`)}`;
      yield `for (const { id, note } of open) {
  if (note === ${quoted(kept)}) apis.pay.approve({ id });
  else apis.pay.decline({ id });
}\n${DONE}`;
    },
    verdict(end, start, finish) {
      const asked = start.where(requests, {
        person: person.id,
        outgoing: false,
        status: "pending",
      });
      const states = asked.map(({ id, note }) => [note === kept, end.get(requests, id)?.status]);
      const sorted = states.every(([pay, state]) => state === (pay ? "paid" : "declined"));
      const sums = new Changes(start, end).added(payments).map(({ cents }) => cents);
      const price = asked.find(({ note }) => note === kept)?.cents;
      const alone = new Changes(start, end).count === asked.length + 1;
      return silent(finish) && alone && sorted && sameMembers(sums, [price]);
    },
  };
});

const shareOfBill = errand("share-of-bill", 3, (draw) => {
  const [host, other] = draw.rng.sample(draw.people, 2) as [Person, Person];
  const what = turn(draw, ["the rowing boats", "the pottery evening", "the garden concert"]);
  const [count, word] = turn(draw, [
    [4, "fourth"],
    [5, "fifth"],
    [6, "sixth"],
  ] as const);
  const each = draw.rng.integer(1105, 3290);
  const subject = `The bill for ${what}`;
  const thanks = "Paid just now, thank you!";
  const bill = (parts: number) =>
    `Hello, the bill is here: ${what} came to $${inDollars(parts * count)} in all. There were ${count} of us, so I get a ${word} of that from each. Best, `;
  const find = `${logIn("mail", "pay")}\n${handleFrom(host)}\n${pages("received", (page) => `apis.mail.list({ from: person, ${page} })`)}
const { id } = received.find(({ subject }) => subject === ${quoted(subject)});
const { body } = apis.mail.show({ id });\nprint(body);`;
  const settle = `const cents = Math.round(Number(/\\$(\\d+\\.\\d\\d)/.exec(body)[1]) * 100) / Number(/were (\\d+)/.exec(body)[1]);
apis.pay.send({ to: person, amount: cents / 100, note: ${quoted(what)} });`;
  return {
    instruction: `${host.name} has mailed me the bill for ${what}. Pay them my part as the mail says, with the note "${what}", and reply to the mail with "${thanks}"`,
    setup(db) {
      const first = { subject: `Estimate for ${what}`, body: `I guess $${inDollars(each * 3)}.` };
      receivedMail(db, host, { ...first, at: LAST_WEEK });
      receivedMail(db, host, { subject, body: bill(each) + host.name });
      receivedMail(db, other, { subject, body: bill(each + 145) + other.name });
    },
    goal(db) {
      outgoing(db, host.id, each, what);
      const origin = db
        .where(mails, { person: host.id })
        .find((row) => row.subject === subject)!.id;
      sentMail(db, host, { subject: `Re: ${subject}`, body: thanks, origin });
    },
    *solution() {
      yield find;
      yield `${settle}
apis.mail.reply({ id, body: ${quoted(thanks)} });\n${DONE}`;
    },
    alternatives: [
      function* () {
        yield find;
        yield `const draft = apis.mail.draftReply({ id, body: ${quoted(thanks)} });
${settle}\napis.mail.sendDraft({ id: draft.id });\n${DONE}`;
      },
    ],
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const [paid] = seen.added(payments);
      const [answer] = seen.added(mails);
      if (!silent(finish) || seen.count !== 2 || !paid || !answer?.outgoing) return false;
      const asked = answer.origin === null ? undefined : start.get(mails, answer.origin);
      const whole = Number(/came to \$([\d.]+)/.exec(asked?.body ?? "")?.[1]);
      const fair = Math.abs((paid.cents / 100) * count - whole) < 0.005 && paid.outgoing;
      const both =
        paid.person === host.id && answer.person === host.id && asked?.person === host.id;
      return fair && both && sameWords(paid.note, what) && sameWords(answer.body, thanks);
    },
  };
});

export const pay: readonly HandmadeScenario[] = [
  payAPerson,
  remindUnpaid,
  declineButOne,
  shareOfBill,
];
