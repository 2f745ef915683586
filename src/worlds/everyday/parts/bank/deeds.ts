/** Single things done at the bank: money moved or sent, a standing order, a goal, an account, a budget. */
import {
  type Draw,
  dayWords,
  deeds,
  dollars,
  done,
  doneWith,
  js,
  listOf,
  moneyWords,
  oneOfSome,
} from "../../../../goals/index.ts";
import { accounts, budgets, CATEGORIES, goals, orders } from "../../apps/bank/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { accountCalled, company, free, writeLine, writeMove } from "./lookups.ts";

const NAMES = ["Everyday", "Rainy day", "Household", "Travel fund"] as const;

/** From one of three accounts to a company. */
const companyAndAccount = (draw: Draw) =>
  [accountCalled(draw, draw.rng.pick(NAMES.slice(0, 3))), company(draw)] as const;

export const bankDeeds = deeds("bank", {
  move: doneWith("money", (money, draw) => {
    const [a, b] = draw.rng.sample(NAMES, 2);
    const [from, to] = [accountCalled(draw, a!), accountCalled(draw, b!)];
    if (!from || !to || free(draw.db, from.value) < money.value) return undefined;
    const [m, f, t] = [money.words, from.words, to.words];
    return done({
      apply: (db) => writeMove(db, from.value, to.value, money.value),
      cells: [`apis.bank.move({from:${from.code},to:${to.code},amount:${money.code}})`],
      uses: [from, to],
    })`Move ${m} from my bank account ${f} to ${t}
      | Let the bank move ${m} from the account ${f} to the account ${t}
      | Shift ${m} from ${f} to ${t} at my bank
      | Have ${m} moved from my account ${f} to my account ${t} at the bank
      | In the Bank app, move ${m} out of ${f} into ${t}`;
  }),
  "transfer-noted": doneWith("text", (text, draw) => {
    const [from, payee] = companyAndAccount(draw);
    const cents = draw.rng.integer(700, 12_000);
    if (!from || !payee || free(draw.db, from.value) < cents) return undefined;
    const line = { account: from.value, cents: -cents, payee: payee.value.name, note: text.value };
    const [m, f, p, t] = [moneyWords(cents), from.words, payee.words, text.words];
    return done({
      apply: (db) => writeLine(db, line),
      cells: [
        `apis.bank.transfer({from:${from.code},payee:${payee.code},amount:${dollars(cents)},note:${text.code}})`,
      ],
      uses: [from, payee],
    })`Transfer ${m} from my bank account ${f} to ${p} with the note ${t}
      | Make a bank transfer of ${m} from ${f} to ${p}, noting ${t}
      | Let the bank transfer ${m} from the account ${f} to ${p}; the note is ${t}
      | From my bank account ${f}, transfer ${m} to ${p} under the note ${t}
      | Send ${p} a bank transfer of ${m} out of the account ${f} that has the note ${t}`;
  }),
  "standing-order": doneWith("day", (day, draw) => {
    const [from, payee] = companyAndAccount(draw);
    if (!from || !payee) return undefined;
    const cents = draw.rng.integer(700, 12_000);
    const every = draw.rng.pick(["week", "month"] as const);
    const terms = { cents, every, next: day.value, note: "", status: "active" } as const;
    const sides = { account: from.value, payee: payee.value.id };
    const [m, f, p, d] = [moneyWords(cents), from.words, payee.words, day.words];
    return done({
      apply: (db) => void db.insert(orders, { ...sides, ...terms }),
      cells: [
        `apis.bank.addOrder({from:${from.code},payee:${payee.code},amount:${dollars(cents)},every:"${every}",next:${day.code}})`,
      ],
      uses: [from, payee],
    })`
      Add a standing order of ${m} every ${every} from my bank account ${f} to ${p}, starting on
        ${d}
      | Set up a standing order: ${m} to ${p} every ${every}, from the account ${f}, first on ${d}
      | Let my bank account ${f} pay ${p} ${m} every ${every} by a standing order that starts on
        ${d}
      | Start a standing order on ${d} that pays ${m} every ${every} from the account ${f} to ${p}
      | From ${d} on, let a standing order pay ${p} ${m} every ${every} out of my account ${f}`;
  }),
  "add-goal": doneWith("money", (money, draw) => {
    const account = accountCalled(draw, draw.rng.pick(["Rainy day", "Travel fund"]));
    if (!account) return undefined;
    const name = draw.rng.pick(listOf("Skis | Violin | Coffee machine | Tent | Camera | Bookcase"));
    const deadline = dayAfter(draw.rng.integer(30, 200));
    const row = { name, account: account.value, target: money.value, deadline };
    const [m, a, d] = [money.words, account.words, dayWords(deadline)];
    return done({
      apply: (db) => void db.insert(goals, { ...row, saved: 0, closed: false }),
      cells: [
        `apis.bank.addGoal({name:"${name}",account:${account.code},target:${money.code},deadline:${js(deadline)}})`,
      ],
      uses: [account],
    })`Add a savings goal "${name}" with the target ${m} and the deadline ${d} to my account ${a}
      | Start a savings goal called "${name}" in the account ${a}: target ${m}, deadline ${d}
      | In my bank account ${a}, add the savings goal "${name}" of ${m} with the deadline ${d}
      | Make a new savings goal "${name}" of ${m} in the account ${a}, due on ${d}
      | Let my account ${a} have a savings goal "${name}" with a target of ${m} by ${d}`;
  }),
  "open-account": ({ rng, db }) => {
    const name = rng.pick(listOf("Sailing money | Garden money | Gift box | Emergency | Music"));
    const kind = rng.pick(["current", "savings", "joint"] as const);
    if (db.where(accounts, { name }).length > 0) return undefined;
    const empty = { holder: null, role: "spend", opening: 0, cents: 0, closed: false } as const;
    return done({
      apply: (writer) => void writer.insert(accounts, { name, kind, ...empty }),
      cells: [`apis.bank.openAccount({name:"${name}",kind:"${kind}"})`],
    })`Open a ${kind} account called "${name}" at my bank
      | Open a new ${kind} bank account with the name "${name}"
      | At my bank, open a ${kind} account and call it "${name}"
      | Let the bank open a ${kind} account named "${name}"
      | Get me a new ${kind} account "${name}" at the bank`;
  },
  "new-budget": doneWith("money", (money, { rng, db }) => {
    const taken = new Set(db.all(budgets).map((row) => row.category));
    const category = oneOfSome(
      rng,
      CATEGORIES.filter((one) => !taken.has(one)),
    );
    if (category === undefined) return undefined;
    return done({
      apply: (writer) => void writer.insert(budgets, { category, cents: money.value }),
      cells: [`apis.bank.setBudget({category:${js(category)},amount:${money.code}})`],
    })`Add a monthly budget of ${money.words} for the bank category "${category}"
      | Set up a monthly budget for "${category}" of ${money.words} at my bank
      | At the bank, set a monthly budget of ${money.words} for the category "${category}"
      | Let the bank have a monthly budget of ${money.words} for "${category}"
      | Make a new monthly budget at the bank: ${money.words} for "${category}"`;
  }),
});
