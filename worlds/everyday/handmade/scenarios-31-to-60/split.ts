/**
 * Scenarios about groups that split expenses: adding an expense, settling debts, paying back, and finding who paid
 * most.
 */

import type { Reader, Writer } from "bowline/world";
import {
  expenseShares,
  expenses,
  type Settlement,
  settlements,
  splitGroups,
} from "../../apps/split/tables.ts";
import { type Person, payments, texts } from "../../apps/tables.ts";
import { insertSentText, LAST_WEEK } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask } from "../scenario.ts";
import { FINISH_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { answerEqualsText, Changes, haveSameMembers, haveSameWords, isDone } from "../verdicts.ts";
import {
  findHandleCode,
  formatDollars,
  insertPayment,
  insertSplitGroup,
} from "./insert-scenario-rows.ts";

const NAMES = ["Sunday walkers", "Attic cinema", "Market stall"];

/** Writes statements that find a group's id. */
const findGroupCode = (name: string) =>
  `${readAllPagesCode("groups", (page) => `apis.split.groups({ ${page} })`)}
const group = groups.find(({ name }) => name === ${quote(name)}).id;`;

/** Returns equal shares for these people; null stands for the owner. */
const equalShares = (cents: number, ...people: readonly (Person | null)[]) =>
  people.map((one) => [one?.id ?? null, cents] as const);

const findGroupId = (db: Reader, name: string) => db.where(splitGroups, { name })[0]!.id;

function insertSettlement(db: Writer, row: Omit<Settlement, "id" | "undone" | "at">) {
  db.insert(settlements, { ...row, undone: false, at: LAST_WEEK });
}

/**
 * Computes what a person of a group owes the owner, in cents. A negative number means that the owner owes the person.
 */
function computeDebt(db: Reader, group: number, person: number): number {
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

const addExpense = defineScenario("add-expense", 1, (draw) => {
  const name = pickForTask(draw, NAMES);
  const people = draw.rng.sample(draw.people, 3);
  const what = pickForTask(draw, ["pizza", "soup and bread", "dumplings"]);
  const part = draw.rng.integer(705, 1995);
  return {
    instruction: `On 10 March I paid $${formatDollars(part * 4)} for ${what} for all of us in the split group "${name}". Add it there as "${what}", under food, split equally.`,
    setup: (db) => void insertSplitGroup(db, name, people),
    goal(db) {
      const row = {
        group: findGroupId(db, name),
        what,
        cents: part * 4,
        payer: null,
        addedBy: null,
      };
      const kind = { category: "food", day: "2026-03-10", method: "equal" } as const;
      const { id } = db.insert(expenses, { ...row, ...kind, removed: false });
      for (const person of [null, ...people.map((one) => one.id)]) {
        db.insert(expenseShares, { expense: id, person, cents: part });
      }
    },
    *solution() {
      yield `${logInCell("split")}\n${findGroupCode(name)}`;
      yield `apis.split.add({ group, what: ${quote(what)}, amount: ${(part * 4) / 100}, category: "food", day: "2026-03-10" });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [row, ...more] = end.where(expenses, { group: findGroupId(end, name) });
      if (!isDone(finish) || !row || more.length > 0 || changes.rowCount !== 5) return false;
      const bearers = end.where(expenseShares, { expense: row.id });
      const fair = bearers.length === 4 && bearers.every(({ cents }) => cents === row.cents / 4);
      const right = row.cents === part * 4 && row.payer === null && row.category === "food";
      return fair && right && row.day.endsWith("03-10") && haveSameWords(row.what, what);
    },
  };
});

const cashSettlement = defineScenario("cash-settlement", 2, (draw) => {
  const name = pickForTask(draw, NAMES);
  const people = draw.rng.sample(draw.people, 3) as [Person, Person, Person];
  const [payer, other] = people;
  const [rent, oars, snacks] = [2130, 1845, 960].map((cents) => cents + draw.rng.integer(0, 90));
  return {
    instruction: `${payer.name} has just given me in cash all that they owed me in the split group "${name}". Record that in split.`,
    setup(db) {
      const group = insertSplitGroup(db, name, people, [
        { what: "rent", payer: null, shares: equalShares(rent!, ...people) },
        { what: "oars", payer: null, shares: equalShares(oars!, payer, other) },
        { what: "snacks", payer: payer.id, shares: equalShares(snacks!, null, payer) },
      ]);
      const common = { group: group.id, outgoing: false, payment: null } as const;
      insertSettlement(db, { ...common, person: payer.id, cents: 615 });
      const elsewhere = { what: "parking", payer: null, shares: [[payer.id, 740]] } as const;
      insertSplitGroup(db, `${name} of last year`, [payer, other], [elsewhere]);
    },
    goal(db) {
      const row = { group: findGroupId(db, name), person: payer.id, outgoing: false };
      const cents = rent! + oars! - snacks! - 615;
      insertSettlement(db, { ...row, cents, payment: null });
    },
    *solution() {
      yield `${logInCell("split")}\n${findGroupCode(name)}\n${findHandleCode(payer)}`;
      yield `const debts = apis.split.balance({ person }).groups;
const { owesMe } = debts.find((debt) => debt.group === group);
apis.split.recordReceived({ group, from: person, amount: owesMe });\n${FINISH_CODE}`;
    },
    alternatives: [
      function* () {
        yield `${logInCell("split")}\n${findGroupCode(name)}\n${findHandleCode(payer)}
${readAllPagesCode("debts", (page) => `apis.split.balances({ group, way: "owes me", ${page} })`)}`;
        yield `const { amount } = debts.find((debt) => debt.person === person);
apis.split.recordReceived({ group, from: person, amount });\n${FINISH_CODE}`;
      },
    ],
    verdict(end, start, finish) {
      const isEven = computeDebt(end, findGroupId(end, name), payer.id) === 0;
      const [row, ...more] = new Changes(start, end).addedRows(settlements);
      const alone = more.length === 0 && new Changes(start, end).rowCount === 1;
      return isDone(finish) && isEven && alone && row?.outgoing === false && row.payment === null;
    },
  };
});

const payBackGroup = defineScenario("pay-back-group", 3, (draw) => {
  const name = pickForTask(draw, NAMES);
  const people = draw.rng.sample(draw.people, 4) as [Person, Person, Person, Person];
  const [host, driver, debtor, even] = people;
  const [fee, fuel, cake] = [2410, 1685, 530].map((cents) => cents + draw.rng.integer(0, 95));
  return {
    instruction: `I want to owe nothing in the split group "${name}" any more. Send everyone there what I owe them with Pay, with the note "${name}", and record each of these payments in split, linked to the payment.`,
    setup(db) {
      const group = insertSplitGroup(db, name, people, [
        { what: "entrance fee", payer: host.id, shares: equalShares(fee!, null, driver) },
        { what: "fuel", payer: driver.id, shares: equalShares(fuel!, null, even) },
        { what: "cake", payer: null, shares: equalShares(cake!, host, debtor) },
        { what: "map", payer: even.id, shares: equalShares(480, null, even) },
        { what: "flat tyre", payer: driver.id, shares: [[null, 9900]], removed: true },
      ]);
      const common = { group: group.id, outgoing: true, payment: null } as const;
      insertSettlement(db, { ...common, person: even.id, cents: 480 });
      insertSettlement(db, { ...common, person: driver.id, cents: 350 });
    },
    goal(db) {
      const group = findGroupId(db, name);
      for (const [person, cents] of [
        [host.id, fee! - cake!],
        [driver.id, fuel! - 350],
      ] as const) {
        const payment = insertPayment(db, person, cents, name).id;
        insertSettlement(db, { group, person, outgoing: true, cents, payment });
      }
    },
    *solution() {
      yield `${logInCell("split", "pay")}\n${findGroupCode(name)}`;
      yield `${readAllPagesCode("debts", (page) => `apis.split.balances({ group, way: "I owe", ${page} })`)}\nprint(debts);`;
      yield `for (const { person, amount } of debts) {
  const { id } = apis.pay.send({ to: person, amount, note: ${quote(name)} });
  apis.split.recordPaid({ group, to: person, amount, payment: id });
}\n${FINISH_CODE}`;
    },
    alternatives: [
      function* () {
        yield `${logInCell("pay", "split")}\n${findGroupCode(name)}
${readAllPagesCode("debts", (page) => `apis.split.balances({ group, ${page} })`)}`;
        yield `const mine = debts.filter(({ way }) => way === "I owe");
const sent = mine.map(({ person, amount }) => apis.pay.send({ to: person, amount, note: ${quote(name)} }));
for (const [i, { person, amount }] of mine.entries()) {
  apis.split.recordPaid({ group, to: person, amount, payment: sent[i].id });
}\n${FINISH_CODE}`;
      },
    ],
    verdict(end, start, finish) {
      const group = findGroupId(end, name);
      const debtsAreSettled = people.every(
        ({ id }) => computeDebt(end, group, id) === Math.max(0, computeDebt(start, group, id)),
      );
      const sent = new Changes(start, end).addedRows(payments);
      const linked = sent.every(
        ({ id, person, cents, note }) =>
          end.where(settlements, { group, person, cents }).some((s) => s.payment === id) &&
          haveSameWords(note, name),
      );
      const alone = new Changes(start, end).rowCount === 4 && sent.length === 2;
      return (
        isDone(finish) && debtsAreSettled && linked && alone && sent.every((row) => row.outgoing)
      );
    },
  };
});

const whoPaidMost = defineScenario("who-paid-most", 3, (draw) => {
  const name = pickForTask(draw, NAMES);
  const people = draw.rng.sample(draw.people, 3) as [Person, Person, Person];
  const [steady, once, undone] = people;
  const unit = draw.rng.integer(805, 1290);
  const thanks = "Thanks for paying so often!";
  const equalSharesOfAll = (cents: number) => equalShares(cents, null, ...people);
  return {
    instruction: `Leaving me aside, who has paid the most for the split group "${name}" in all? Send them the message "${thanks}" and give me their full name as the answer.`,
    setup(db) {
      insertSplitGroup(db, name, people, [
        { what: "chairs", payer: steady.id, shares: equalSharesOfAll(unit) },
        { what: "lamp", payer: once.id, shares: equalSharesOfAll(unit * 2) },
        { what: "table", payer: null, shares: equalSharesOfAll(unit * 4) },
        { what: "cups", payer: steady.id, shares: equalSharesOfAll(unit + 30) },
        { what: "rug", payer: undone.id, shares: equalSharesOfAll(unit * 3), removed: true },
        { what: "nails", payer: undone.id, shares: equalSharesOfAll(unit - 200) },
        { what: "curtain", payer: steady.id, shares: equalSharesOfAll(unit - 250) },
      ]);
    },
    goal(db) {
      insertSentText(db, steady, thanks);
      return { answer: steady.name, guesses: [once.name, undone.name] };
    },
    *solution() {
      yield `${logInCell("split")}\n${findGroupCode(name)}\n${readAllPagesCode("expenses", (page) => `apis.split.expenses({ group, ${page} })`)}`;
      yield `const paid = {};
for (const { payer, amount } of expenses) if (payer !== "me") paid[payer] = (paid[payer] ?? 0) + amount;
const [[most]] = Object.entries(paid).sort((a, b) => b[1] - a[1]);
print(paid, most);`;
      yield `apis.messages.send({ to: most, text: ${quote(thanks)} });
apis.me.finishTask({ answer: apis.contacts.show({ person: most }).name });`;
    },
    verdict(end, start, finish) {
      const totalPaid = ({ id }: Person) =>
        end
          .where(expenses, { group: findGroupId(end, name), payer: id })
          .reduce((sum, { cents, removed }) => (removed ? sum : sum + cents), 0);
      const best = people.toSorted((a, b) => totalPaid(b) - totalPaid(a))[0]!;
      const said = new Changes(start, end).addedRows(texts);
      const told = said.map(
        ({ person, text }) => person === best.id && haveSameWords(text, thanks),
      );
      const quiet = new Changes(start, end).rowCount === 1 && said[0]?.replyTo === null;
      return answerEqualsText(finish, best.name) && quiet && haveSameMembers(told, [true]);
    },
  };
});

export const splitScenarios: readonly HandmadeScenario[] = [
  addExpense,
  cashSettlement,
  payBackGroup,
  whoPaidMost,
];
