/** What the bank knows that other parts may need: amounts, days and notes that stand there, and its sums. */
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
import { spentOn } from "./lookups.ts";

const SHOPS = wordList(
  `Greenleaf Market | Corner Deli | Bluebird Cafe | Noodle Corner | City Metro | Taxi Line
  | Page Turner Books | Daily Basket`,
);

/** A row of which some others have the id; it is drawn like a value of a clause. */
function someRow<R extends { readonly id: number }>({ rng }: DrawContext, rows: readonly R[]) {
  const id = drawSelectiveValue(
    rng,
    rows.map((row) => row.id),
  );
  return rows.find((row) => row.id === id);
}

/** A company with one order in force, which fits, and an expression for that order. */
const companyOrder = (fits: (row: StandingOrder) => boolean) => (draw: DrawContext) => {
  const active = draw.db.where(orders, { status: "active" });
  const sole = ({ payee }: StandingOrder) =>
    active.filter((other) => other.payee === payee).length === 1;
  const row = someRow(
    draw,
    active.filter(
      (one) => sole(one) && one.cents < 20_000 && draw.db.get(payees, one.payee)!.person === null,
    ),
  );
  if (!row || !fits(row)) return undefined;
  const { name } = draw.db.get(payees, row.payee)!;
  const code = `(()=>{let p=1,r,f;do{r=apis.bank.orders({status:"active",size:20,page:p++});f=r.items.find(x=>x.payee===${jsLiteral(name)})}while(!f&&r.more);return f})()`;
  return { row, order: `my active standing order to ${name}`, code };
};

const shopPayment = ({ rng, db }: DrawContext) => {
  const payee = rng.pick(SHOPS);
  const rows = db.where(transactions, { payee });
  const at = rows
    .map((row) => row.at)
    .toSorted()
    .at(-1);
  const [last, tied] = rows.filter((row) => row.at === at);
  return tied ? undefined : last;
};

const goalAhead = (draw: DrawContext) => {
  const open = draw.db.where(goals, { closed: false });
  return someRow(
    draw,
    open.filter(({ deadline }) => deadline !== null && deadline > TODAY),
  );
};

export const bankSources = sources("bank", {
  "latest-payment": source.money("v", shopPayment, ({ cents, payee }) => ({
    value: Math.abs(cents),
    words: `the amount of my latest bank transaction with ${payee}`,
    code: `apis.bank.transactions({payee:${jsLiteral(payee)}}).items[0].amount`,
  })),
  "order-amount": source.money(
    "v",
    companyOrder(() => true),
    ({ row, order, code }) => ({
      value: row.cents,
      words: `the amount of ${order}`,
      code: `${code}.amount`,
    }),
  ),
  "order-day": source.day(
    "v",
    companyOrder(({ next }) => next > TODAY),
    ({ row, order, code }) => ({
      value: row.next,
      words: `the next date of ${order}`,
      code: `${code}.next`,
    }),
  ),
  deadline: source.day("v", goalAhead, ({ name, deadline }) => ({
    value: deadline!,
    words: `the deadline of my savings goal ${jsLiteral(name)}`,
    code: `apis.bank.goals({size:20}).items.find(x=>x.name===${jsLiteral(name)}).deadline`,
  })),
  "order-note": source.text(
    "v",
    companyOrder(({ note }) => note !== ""),
    ({ row, order, code }) => ({
      value: row.note,
      words: `the note of ${order}`,
      code: `${code}.note`,
    }),
  ),
});

const idOf = (db: Reader, name: string) => db.where(accounts, { name })[0]?.id ?? 0;
const byName = (name: string) =>
  `apis.bank.accounts({size:20}).items.find(x=>x.name===${jsLiteral(name)})`;

const balanceOf = (name: string) =>
  fact(
    "money",
    (db) => (db.get(accounts, idOf(db, name))?.cents ?? 0) / 100,
    `${byName(name)}.balance`,
  )`the balance of my bank account "${name}" | the money on my bank account "${name}"
    | what I have on the bank account "${name}" | the balance of the account "${name}" at my bank
    | my balance on the bank account "${name}"`;

const spentThisMonth = (category: Category) =>
  fact(
    "money",
    (db) => spentOn(db, category) / 100,
    `apis.bank.budgets({category:${jsLiteral(category)}}).items[0].spent`,
  )`what I spent this month in the bank category ${category}
    | my spending on ${category} this month by the bank's count
    | the amount that the bank counts for ${category} this month
    | this month's spending in the bank category ${category}
    | the spending on ${category} in this month's bank budget`;

const outInFebruary = (name: string) =>
  fact(
    "money",
    (db) =>
      db
        .where(transactions, { account: idOf(db, name) })
        .filter((row) => row.cents < 0 && row.at.startsWith("2026-02"))
        .reduce((sum, row) => sum - row.cents, 0) / 100,
    `apis.bank.statement({account:${byName(name)}.id,month:"2026-02"}).out`,
  )`what went out of my bank account "${name}" in February 2026
    | the money that left the bank account "${name}" in February 2026
    | the outgoing total of the bank account "${name}" in February 2026
    | the "out" of the February 2026 statement of the bank account "${name}"
    | the sum that went out of the bank account "${name}" during February 2026`;

export const bankFacts = facts("bank", {
  "balance Everyday": balanceOf("Everyday"),
  "balance Rainy day": balanceOf("Rainy day"),
  "balance Household": balanceOf("Household"),
  "balance Travel fund": balanceOf("Travel fund"),
  "spent groceries": spentThisMonth("groceries"),
  "spent eating out": spentThisMonth("eating out"),
  "spent transport": spentThisMonth("transport"),
  "spent health": spentThisMonth("health"),
  "february Everyday": outInFebruary("Everyday"),
  "february Household": outInFebruary("Household"),
});
