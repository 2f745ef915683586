/** Single tasks at the bank: moving or sending money, and adding a standing order, savings goal, account or budget. */
import {
  amountBetween,
  customIngredient,
  type DrawContext,
  dayInWords,
  deed,
  deeds,
  drawSelectiveValue,
  oneOf,
  taskValue,
  wordList,
} from "bowline/goals";
import { accounts, budgets, CATEGORIES, goals, orders } from "../../apps/bank/tables.ts";
import { dayFromStart } from "../../population/time.ts";
import {
  availableCents,
  drawCompany,
  findAccountByName,
  insertMoneyMove,
  insertTransfer,
} from "./lookups.ts";

const NAMES = ["Everyday", "Rainy day", "Household", "Travel fund"];

/** Draws one of the accounts with these names. */
const drawAccountNamed = (names: readonly string[]) => (draw: DrawContext) =>
  findAccountByName(draw, draw.rng.pick(names));
const drawDailyAccount = drawAccountNamed(NAMES.slice(0, 3));
const drawSmallAmount = amountBetween(700, 12_000);

/** Draws a category that has no budget. */
const drawCategoryWithoutBudget = customIngredient(({ rng, db }) => {
  const categoriesWithBudget = new Set(db.all(budgets).map((row) => row.category));
  return drawSelectiveValue(
    rng,
    CATEGORIES.filter((one) => !categoriesWithBudget.has(one)),
  );
});

export const bankDeeds = deeds("bank", {
  move: deed(
    { money: taskValue("money"), names: customIngredient(({ rng }) => rng.sample(NAMES, 2)) },
    (
      {
        money,
        names: {
          value: [a, b],
        },
      },
      draw,
    ) => {
      const [from, to] = [findAccountByName(draw, a!), findAccountByName(draw, b!)];
      if (!from || !to || availableCents(draw.db, from.value) < money.value) return undefined;
      return {
        extraWords: { from: from.words, to: to.words },
        apply: (db) => insertMoneyMove(db, from.value, to.value, money.value),
        call: `apis.bank.move({from:${from.code},to:${to.code},amount:${money.code}})`,
        uses: [from, to],
      };
    },
  )`Move $money from my bank account $from to $to
    | Let the bank move $money from the account $from to the account $to
    | Shift $money from $from to $to at my bank
    | Have $money moved from my account $from to my account $to at the bank
    | In the Bank app, move $money out of $from into $to`,
  "transfer-noted": deed(
    {
      text: taskValue("text"),
      account: drawDailyAccount,
      payee: drawCompany,
      money: drawSmallAmount,
    },
    ({ text, account, payee, money }, { db: startState }) => {
      if (availableCents(startState, account.value) < money.value) return undefined;
      const line = { account: account.value, cents: -money.value, payee: payee.words };
      return {
        apply: (db) => insertTransfer(db, { ...line, note: text.value }),
        call: `apis.bank.transfer({from:${account.code},payee:${payee.code},amount:${money.code},note:${text.code}})`,
      };
    },
  )`Transfer $money from my bank account $account to $payee with the note $text
    | Make a bank transfer of $money from $account to $payee, noting $text
    | Let the bank transfer $money from the account $account to $payee; the note is $text
    | From my bank account $account, transfer $money to $payee under the note $text
    | Send $payee a bank transfer of $money out of the account $account that has the note $text`,
  "standing-order": deed(
    {
      day: taskValue("day"),
      account: drawDailyAccount,
      payee: drawCompany,
      money: drawSmallAmount,
      every: oneOf(["week", "month"] as const),
    },
    ({ day, account, payee, money, every }) => {
      const sides = { account: account.value, payee: payee.value.id };
      const terms = { cents: money.value, every: every.value, next: day.value };
      return {
        apply: (db) => void db.insert(orders, { ...sides, ...terms, note: "", status: "active" }),
        call: `apis.bank.addOrder({from:${account.code},payee:${payee.code},amount:${money.code},every:${every.code},next:${day.code}})`,
      };
    },
  )`Add a standing order of $money every $every from my bank account $account to $payee, starting on
      $day
    | Set up a standing order: $money to $payee every $every, from the account $account, first on
      $day
    | Let my bank account $account pay $payee $money every $every by a standing order that starts on
      $day
    | Start a standing order on $day that pays $money every $every from the account $account to
      $payee
    | From $day on, let a standing order pay $payee $money every $every out of my account $account`,
  "add-goal": deed(
    {
      money: taskValue("money"),
      account: drawAccountNamed(["Rainy day", "Travel fund"]),
      name: oneOf(wordList("Skis | Violin | Coffee machine | Tent | Camera | Bookcase")),
      deadline: customIngredient(({ rng }) => dayFromStart(rng.integer(30, 200)), dayInWords),
    },
    ({ money, account, name, deadline }) => {
      const row = { name: name.value, account: account.value, target: money.value };
      const state = { deadline: deadline.value, saved: 0, closed: false };
      return {
        apply: (db) => void db.insert(goals, { ...row, ...state }),
        call: `apis.bank.addGoal({name:${name.code},account:${account.code},target:${money.code},deadline:${deadline.code}})`,
      };
    },
  )`Add a savings goal "$name" with the target $money and the deadline $deadline to my account
      $account
    | Start a savings goal called "$name" in the account $account: target $money, deadline $deadline
    | In my bank account $account, add the savings goal "$name" of $money with the deadline
      $deadline
    | Make a new savings goal "$name" of $money in the account $account, due on $deadline
    | Let my account $account have a savings goal "$name" with a target of $money by $deadline`,
  "open-account": deed(
    {
      name: oneOf(wordList("Sailing money | Garden money | Gift box | Emergency | Music")),
      kind: oneOf(["current", "savings", "joint"] as const),
    },
    ({ name: { value: name, code }, kind }, { db: startState }) => {
      if (startState.where(accounts, { name }).length > 0) return undefined;
      const empty = { holder: null, role: "spend", opening: 0, cents: 0, closed: false } as const;
      return {
        apply: (db) => void db.insert(accounts, { name, kind: kind.value, ...empty }),
        call: `apis.bank.openAccount({name:${code},kind:${kind.code}})`,
      };
    },
  )`Open a $kind account called "$name" at my bank
    | Open a new $kind bank account with the name "$name"
    | At my bank, open a $kind account and call it "$name"
    | Let the bank open a $kind account named "$name"
    | Get me a new $kind account "$name" at the bank`,
  "new-budget": deed(
    { money: taskValue("money"), category: drawCategoryWithoutBudget },
    ({ money, category }) => ({
      apply: (db) => void db.insert(budgets, { category: category.value, cents: money.value }),
      call: `apis.bank.setBudget({category:${category.code},amount:${money.code}})`,
    }),
  )`Add a monthly budget of $money for the bank category "$category"
    | Set up a monthly budget for "$category" of $money at my bank
    | At the bank, set a monthly budget of $money for the category "$category"
    | Let the bank have a monthly budget of $money for "$category"
    | Make a new monthly budget at the bank: $money for "$category"`,
});
