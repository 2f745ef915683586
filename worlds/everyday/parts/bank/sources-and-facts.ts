/** Values that other parts can look up in the bank (amounts, days and notes), and facts about its sums. */
import {
  type DrawContext,
  drawSelectiveValue,
  fact,
  facts,
  jsLiteral,
  source,
  sources,
  wordList,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  accounts,
  type Category,
  goals,
  orders,
  payees,
  type StandingOrder,
  transactions,
} from "../../apps/bank/tables.ts";
import { TODAY } from "../../population/time.ts";
import { centsSpentThisMonth } from "./lookups.ts";

const SHOPS = wordList(
  `Greenleaf Market | Corner Deli | Bluebird Cafe | Noodle Corner | City Metro | Taxi Line
  | Page Turner Books | Daily Basket`,
);

/** Draws a row that `holds` accepts, in the same way as the kit draws the value of a clause. */
function drawSelectiveRow<R extends { readonly id: number }>(
  { rng }: DrawContext,
  rows: readonly R[],
) {
  const id = drawSelectiveValue(
    rng,
    rows.map((row) => row.id),
  );
  return rows.find((row) => row.id === id);
}

/**
 * Draws a company with exactly one active standing order, for which `fits` returns true. Also returns an expression for
 * the order in code.
 */
const drawCompanyOrder = (fits: (row: StandingOrder) => boolean) => (draw: DrawContext) => {
  const active = draw.db.where(orders, { status: "active" });
  const isOnlyOrderOfPayee = ({ payee }: StandingOrder) =>
    active.filter((other) => other.payee === payee).length === 1;
  const row = drawSelectiveRow(
    draw,
    active.filter(
      (one) =>
        isOnlyOrderOfPayee(one) &&
        one.cents < 20_000 &&
        draw.db.get(payees, one.payee)!.person === null,
    ),
  );
  if (!row || !fits(row)) return undefined;
  const { name } = draw.db.get(payees, row.payee)!;
  const code = `(()=>{let p=1,r,f;do{r=apis.bank.orders({status:"active",size:20,page:p++});f=r.items.find(x=>x.payee===${jsLiteral(name)})}while(!f&&r.more);return f})()`;
  return { row, order: `my active standing order to ${name}`, code };
};

const drawLatestShopPayment = ({ rng, db }: DrawContext) => {
  const payee = rng.pick(SHOPS);
  const rows = db.where(transactions, { payee });
  const at = rows
    .map((row) => row.at)
    .toSorted()
    .at(-1);
  const [last, tied] = rows.filter((row) => row.at === at);
  return tied ? undefined : last;
};

const drawGoalWithFutureDeadline = (draw: DrawContext) => {
  const open = draw.db.where(goals, { closed: false });
  return drawSelectiveRow(
    draw,
    open.filter(({ deadline }) => deadline !== null && deadline > TODAY),
  );
};

export const bankSources = sources("bank", {
  "latest-payment": source.money("v", drawLatestShopPayment, ({ cents, payee }) => ({
    value: Math.abs(cents),
    words: `the amount of my latest bank transaction with ${payee}`,
    code: `apis.bank.transactions({payee:${jsLiteral(payee)}}).items[0].amount`,
  })),
  "order-amount": source.money(
    "v",
    drawCompanyOrder(() => true),
    ({ row, order, code }) => ({
      value: row.cents,
      words: `the amount of ${order}`,
      code: `${code}.amount`,
    }),
  ),
  "order-day": source.day(
    "v",
    drawCompanyOrder(({ next }) => next > TODAY),
    ({ row, order, code }) => ({
      value: row.next,
      words: `the next date of ${order}`,
      code: `${code}.next`,
    }),
  ),
  deadline: source.day("v", drawGoalWithFutureDeadline, ({ name, deadline }) => ({
    value: deadline!,
    words: `the deadline of my savings goal ${jsLiteral(name)}`,
    code: `apis.bank.goals({size:20}).items.find(x=>x.name===${jsLiteral(name)}).deadline`,
  })),
  "order-note": source.text(
    "v",
    drawCompanyOrder(({ note }) => note !== ""),
    ({ row, order, code }) => ({
      value: row.note,
      words: `the note of ${order}`,
      code: `${code}.note`,
    }),
  ),
});

const accountIdByName = (db: Reader, name: string) => db.where(accounts, { name })[0]?.id ?? 0;
const findAccountCode = (name: string) =>
  `apis.bank.accounts({size:20}).items.find(x=>x.name===${jsLiteral(name)})`;

const balanceFact = (name: string) =>
  fact(
    "money",
    (db) => (db.get(accounts, accountIdByName(db, name))?.cents ?? 0) / 100,
    `${findAccountCode(name)}.balance`,
  )`the balance of my bank account "${name}" | the money on my bank account "${name}"
    | what I have on the bank account "${name}" | the balance of the account "${name}" at my bank
    | my balance on the bank account "${name}"`;

const spentThisMonthFact = (category: Category) =>
  fact(
    "money",
    (db) => centsSpentThisMonth(db, category) / 100,
    `apis.bank.budgets({category:${jsLiteral(category)}}).items[0].spent`,
  )`what I spent this month in the bank category ${category}
    | my spending on ${category} this month by the bank's count
    | the amount that the bank counts for ${category} this month
    | this month's spending in the bank category ${category}
    | the spending on ${category} in this month's bank budget`;

const spentInFebruaryFact = (name: string) =>
  fact(
    "money",
    (db) =>
      db
        .where(transactions, { account: accountIdByName(db, name) })
        .filter((row) => row.cents < 0 && row.at.startsWith("2026-02"))
        .reduce((sum, row) => sum - row.cents, 0) / 100,
    `apis.bank.statement({account:${findAccountCode(name)}.id,month:"2026-02"}).out`,
  )`what went out of my bank account "${name}" in February 2026
    | the money that left the bank account "${name}" in February 2026
    | the outgoing total of the bank account "${name}" in February 2026
    | the "out" of the February 2026 statement of the bank account "${name}"
    | the sum that went out of the bank account "${name}" during February 2026`;

export const bankFacts = facts("bank", {
  "balance Everyday": balanceFact("Everyday"),
  "balance Rainy day": balanceFact("Rainy day"),
  "balance Household": balanceFact("Household"),
  "balance Travel fund": balanceFact("Travel fund"),
  "spent groceries": spentThisMonthFact("groceries"),
  "spent eating out": spentThisMonthFact("eating out"),
  "spent transport": spentThisMonthFact("transport"),
  "spent health": spentThisMonthFact("health"),
  "february Everyday": spentInFebruaryFact("Everyday"),
  "february Household": spentInFebruaryFact("Household"),
});
