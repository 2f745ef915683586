/** Groups that split: adding, settling, paying back, and reading who paid. */

import type { Reader, Writer } from "bowline/world";
import {
  expenseShares,
  expenses,
  type Settlement,
  settlements,
  splitGroups,
} from "../../apps/split/tables.ts";
import { type Person, payments, texts } from "../../apps/tables.ts";
import { DONE, logIn, pages, quoted } from "../cells.ts";
import { Changes, saidText, sameMembers, sameWords, silent } from "../changes.ts";
import { LAST_WEEK, sentText } from "../rows.ts";
import { errand, type HandmadeScenario, turn } from "../scenario.ts";
import { groupThatSplits, handleFrom, inDollars, outgoing } from "./plants.ts";

const NAMES = ["Sunday walkers", "Attic cinema", "Market stall"];

/** A statement that finds a group's id. */
const groupFrom = (name: string) =>
  `${pages("groups", (page) => `apis.split.groups({ ${page} })`)}
const group = groups.find(({ name }) => name === ${quoted(name)}).id;`;

/** The same for each of them; null: the owner. */
const each = (cents: number, ...people: readonly (Person | null)[]) =>
  people.map((one) => [one?.id ?? null, cents] as const);

const groupId = (db: Reader, name: string) => db.where(splitGroups, { name })[0]!.id;

function settled(db: Writer, row: Omit<Settlement, "id" | "undone" | "at">) {
  db.insert(settlements, { ...row, undone: false, at: LAST_WEEK });
}

/** Follows every cent between the owner and one person of a group; positive: the person owes. */
function owed(db: Reader, group: number, person: number): number {
  let cents = 0;
  for (const { id, payer, removed } of db.where(expenses, { group })) {
    if (removed) continue;
    for (const share of db.where(expenseShares, { expense: id })) {
      if (payer === null && share.person === person) cents += share.cents;
      if (payer === person && share.person === null) cents -= share.cents;
    }
  }
  for (const row of db.where(settlements, { group, person, undone: false })) {
    cents += row.outgoing ? row.cents : -row.cents;
  }
  return cents;
}

const addExpense = errand("add-expense", 1, (draw) => {
  const name = turn(draw, NAMES);
  const people = draw.rng.sample(draw.people, 3);
  const what = turn(draw, ["pizza", "soup and bread", "dumplings"]);
  const part = draw.rng.integer(705, 1995);
  return {
    instruction: `On 10 March I paid $${inDollars(part * 4)} for ${what} for all of us in the split group "${name}". Add it there as "${what}", under food, split equally.`,
    setup: (db) => void groupThatSplits(db, name, people),
    goal(db) {
      const row = { group: groupId(db, name), what, cents: part * 4, payer: null, addedBy: null };
      const kind = { category: "food", day: "2026-03-10", method: "equal" } as const;
      const { id } = db.insert(expenses, { ...row, ...kind, removed: false });
      for (const person of [null, ...people.map((one) => one.id)]) {
        db.insert(expenseShares, { expense: id, person, cents: part });
      }
    },
    *solution() {
      yield `${logIn("split")}\n${groupFrom(name)}`;
      yield `apis.split.add({ group, what: ${quoted(what)}, amount: ${(part * 4) / 100}, category: "food", day: "2026-03-10" });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const [row, ...more] = end.where(expenses, { group: groupId(end, name) });
      if (!silent(finish) || !row || more.length > 0 || seen.count !== 5) return false;
      const bearers = end.where(expenseShares, { expense: row.id });
      const fair = bearers.length === 4 && bearers.every(({ cents }) => cents === row.cents / 4);
      const right = row.cents === part * 4 && row.payer === null && row.category === "food";
      return fair && right && row.day.endsWith("03-10") && sameWords(row.what, what);
    },
  };
});

const cashSettlement = errand("cash-settlement", 2, (draw) => {
  const name = turn(draw, NAMES);
  const people = draw.rng.sample(draw.people, 3) as [Person, Person, Person];
  const [payer, other] = people;
  const [rent, oars, snacks] = [2130, 1845, 960].map((cents) => cents + draw.rng.integer(0, 90));
  return {
    instruction: `${payer.name} has just given me in cash all that they owed me in the split group "${name}". Record that in split.`,
    setup(db) {
      const group = groupThatSplits(db, name, people, [
        { what: "rent", payer: null, shares: each(rent!, ...people) },
        { what: "oars", payer: null, shares: each(oars!, payer, other) },
        { what: "snacks", payer: payer.id, shares: each(snacks!, null, payer) },
      ]);
      const common = { group: group.id, outgoing: false, payment: null } as const;
      settled(db, { ...common, person: payer.id, cents: 615 });
      const elsewhere = { what: "parking", payer: null, shares: [[payer.id, 740]] } as const;
      groupThatSplits(db, `${name} of last year`, [payer, other], [elsewhere]);
    },
    goal(db) {
      const row = { group: groupId(db, name), person: payer.id, outgoing: false };
      const cents = rent! + oars! - snacks! - 615;
      settled(db, { ...row, cents, payment: null });
    },
    *solution() {
      yield `${logIn("split")}\n${groupFrom(name)}\n${handleFrom(payer)}`;
      yield `const debts = apis.split.balance({ person }).groups;
const { owesMe } = debts.find((debt) => debt.group === group);
apis.split.recordReceived({ group, from: person, amount: owesMe });\n${DONE}`;
    },
    alternatives: [
      function* () {
        yield `${logIn("split")}\n${groupFrom(name)}\n${handleFrom(payer)}
${pages("debts", (page) => `apis.split.balances({ group, way: "owes me", ${page} })`)}`;
        yield `const { amount } = debts.find((debt) => debt.person === person);
apis.split.recordReceived({ group, from: person, amount });\n${DONE}`;
      },
    ],
    verdict(end, start, finish) {
      const even = owed(end, groupId(end, name), payer.id) === 0;
      const [row, ...more] = new Changes(start, end).added(settlements);
      const alone = more.length === 0 && new Changes(start, end).count === 1;
      return silent(finish) && even && alone && row?.outgoing === false && row.payment === null;
    },
  };
});

const payBackGroup = errand("pay-back-group", 3, (draw) => {
  const name = turn(draw, NAMES);
  const people = draw.rng.sample(draw.people, 4) as [Person, Person, Person, Person];
  const [host, driver, debtor, even] = people;
  const [fee, fuel, cake] = [2410, 1685, 530].map((cents) => cents + draw.rng.integer(0, 95));
  return {
    instruction: `I want to owe nothing in the split group "${name}" any more. Send everyone there what I owe them with Pay, with the note "${name}", and record each of these payments in split, linked to the payment.`,
    setup(db) {
      const group = groupThatSplits(db, name, people, [
        { what: "entrance fee", payer: host.id, shares: each(fee!, null, driver) },
        { what: "fuel", payer: driver.id, shares: each(fuel!, null, even) },
        { what: "cake", payer: null, shares: each(cake!, host, debtor) },
        { what: "map", payer: even.id, shares: each(480, null, even) },
        { what: "flat tyre", payer: driver.id, shares: [[null, 9900]], removed: true },
      ]);
      const common = { group: group.id, outgoing: true, payment: null } as const;
      settled(db, { ...common, person: even.id, cents: 480 });
      settled(db, { ...common, person: driver.id, cents: 350 });
    },
    goal(db) {
      const group = groupId(db, name);
      for (const [person, cents] of [
        [host.id, fee! - cake!],
        [driver.id, fuel! - 350],
      ] as const) {
        const payment = outgoing(db, person, cents, name).id;
        settled(db, { group, person, outgoing: true, cents, payment });
      }
    },
    *solution() {
      yield `${logIn("split", "pay")}\n${groupFrom(name)}`;
      yield `${pages("debts", (page) => `apis.split.balances({ group, way: "I owe", ${page} })`)}\nprint(debts);`;
      yield `for (const { person, amount } of debts) {
  const { id } = apis.pay.send({ to: person, amount, note: ${quoted(name)} });
  apis.split.recordPaid({ group, to: person, amount, payment: id });
}\n${DONE}`;
    },
    alternatives: [
      function* () {
        yield `${logIn("pay", "split")}\n${groupFrom(name)}
${pages("debts", (page) => `apis.split.balances({ group, ${page} })`)}`;
        yield `const mine = debts.filter(({ way }) => way === "I owe");
const sent = mine.map(({ person, amount }) => apis.pay.send({ to: person, amount, note: ${quoted(name)} }));
for (const [i, { person, amount }] of mine.entries()) {
  apis.split.recordPaid({ group, to: person, amount, payment: sent[i].id });
}\n${DONE}`;
      },
    ],
    verdict(end, start, finish) {
      const group = groupId(end, name);
      const calm = people.every(
        ({ id }) => owed(end, group, id) === Math.max(0, owed(start, group, id)),
      );
      const sent = new Changes(start, end).added(payments);
      const linked = sent.every(
        ({ id, person, cents, note }) =>
          end.where(settlements, { group, person, cents }).some((s) => s.payment === id) &&
          sameWords(note, name),
      );
      const alone = new Changes(start, end).count === 4 && sent.length === 2;
      return silent(finish) && calm && linked && alone && sent.every((row) => row.outgoing);
    },
  };
});

const whoPaidMost = errand("who-paid-most", 3, (draw) => {
  const name = turn(draw, NAMES);
  const people = draw.rng.sample(draw.people, 3) as [Person, Person, Person];
  const [steady, once, undone] = people;
  const unit = draw.rng.integer(805, 1290);
  const thanks = "Thanks for paying so often!";
  const all = (cents: number) => each(cents, null, ...people);
  return {
    instruction: `Leaving me aside, who has paid the most for the split group "${name}" in all? Send them the message "${thanks}" and give me their full name as the answer.`,
    setup(db) {
      groupThatSplits(db, name, people, [
        { what: "chairs", payer: steady.id, shares: all(unit) },
        { what: "lamp", payer: once.id, shares: all(unit * 2) },
        { what: "table", payer: null, shares: all(unit * 4) },
        { what: "cups", payer: steady.id, shares: all(unit + 30) },
        { what: "rug", payer: undone.id, shares: all(unit * 3), removed: true },
        { what: "nails", payer: undone.id, shares: all(unit - 200) },
        { what: "curtain", payer: steady.id, shares: all(unit - 250) },
      ]);
    },
    goal(db) {
      sentText(db, steady, thanks);
      return { answer: steady.name, guesses: [once.name, undone.name] };
    },
    *solution() {
      yield `${logIn("split")}\n${groupFrom(name)}\n${pages("expenses", (page) => `apis.split.expenses({ group, ${page} })`)}`;
      yield `const paid = {};
for (const { payer, amount } of expenses) if (payer !== "me") paid[payer] = (paid[payer] ?? 0) + amount;
const [[most]] = Object.entries(paid).sort((a, b) => b[1] - a[1]);
print(paid, most);`;
      yield `apis.messages.send({ to: most, text: ${quoted(thanks)} });
apis.me.finishTask({ answer: apis.contacts.show({ person: most }).name });`;
    },
    verdict(end, start, finish) {
      const laidOut = ({ id }: Person) =>
        end
          .where(expenses, { group: groupId(end, name), payer: id })
          .reduce((sum, { cents, removed }) => (removed ? sum : sum + cents), 0);
      const best = people.toSorted((a, b) => laidOut(b) - laidOut(a))[0]!;
      const said = new Changes(start, end).added(texts);
      const told = said.map(({ person, text }) => person === best.id && sameWords(text, thanks));
      const quiet = new Changes(start, end).count === 1 && said[0]?.replyTo === null;
      return saidText(finish, best.name) && quiet && sameMembers(told, [true]);
    },
  };
});

export const splitting: readonly HandmadeScenario[] = [
  addExpense,
  cashSettlement,
  payBackGroup,
  whoPaidMost,
];
