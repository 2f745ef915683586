/** How the bank's things are found by their names, what it allows, and what transfers leave behind. */
import {
  type DrawContext,
  drawSelectiveValue,
  jsLiteral,
  lookedUpValue,
  type Value,
} from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import {
  type Account,
  accounts,
  type Category,
  goals,
  type Payee,
  payees,
  transactions,
} from "../../apps/bank/tables.ts";
import { TODAY } from "../../population/time.ts";
import { reachable } from "../contact.ts";
import { AT } from "../pay/writes.ts";

/** An id that a cell finds by a name. */
export const foundBy = (
  draw: DrawContext,
  value: number,
  words: string,
  code: string,
): Value<number> => lookedUpValue(draw, "bank", "b", { value, words, code });

/** `"Everyday"` */
const accountNamed = (draw: DrawContext, { id, name }: Account) =>
  foundBy(
    draw,
    id,
    jsLiteral(name),
    `apis.bank.accounts({size:20}).items.find(x=>x.name===${jsLiteral(name)}).id`,
  );

export function accountCalled(draw: DrawContext, name: string): Value<number> | undefined {
  const [row] = draw.db.where(accounts, { name, closed: false });
  return row && accountNamed(draw, row);
}

/** An account of the owner's choice among several. */
export function someAccount(draw: DrawContext, ids: readonly number[]): Value<number> | undefined {
  const rows = draw.db.where(accounts, { closed: false }).filter((row) => ids.includes(row.id));
  const several = new Set(ids).size > 1 && rows.length > 0;
  return several ? accountNamed(draw, draw.rng.pick(rows)) : undefined;
}

/** An account that some of the rows have. */
export function accountOfSome(
  draw: DrawContext,
  ids: readonly number[],
): Value<number> | undefined {
  const id = drawSelectiveValue(draw.rng, ids);
  const account = id === undefined ? undefined : draw.db.get(accounts, id);
  return account && accountNamed(draw, account);
}

/** A payee that is no person. */
export function company(draw: DrawContext): Value<Payee> | undefined {
  const rows = draw.db.where(payees, { person: null, removed: false });
  if (rows.length === 0) return undefined;
  const row = draw.rng.pick(rows);
  const code = `apis.bank.payees({name:${jsLiteral(row.name)}}).items.find(x=>x.name===${jsLiteral(row.name)}).id`;
  return { ...foundBy(draw, row.id, row.name, code), value: row };
}

export const nameOf = (db: Reader, account: number) => db.get(accounts, account)!.name;

export const spends = ({ role, closed }: Account) => role === "spend" && !closed;
export const maySpend = (db: Reader, account: number) => spends(db.get(accounts, account)!);

/** Cents that may leave an account. */
export function free(db: Reader, account: number): number {
  const held = db.where(goals, { account }).reduce((sum, goal) => sum + goal.saved, 0);
  return db.get(accounts, account)!.cents - held;
}

export const mayPay = (db: Reader, { removed, person }: Payee) =>
  !removed && (person === null || reachable(db, person));

/** Money that went out in the month of today. */
export const thisMonth = ({ at, cents }: { at: string; cents: number }) =>
  cents < 0 && at.startsWith(TODAY.slice(0, 7));

/** Cents that went out this month from accounts that the owner may spend from. */
export const spentOn = (db: Reader, category: Category) =>
  db
    .where(transactions, { category })
    .filter((row) => thisMonth(row) && db.get(accounts, row.account)!.role === "spend")
    .reduce((sum, row) => sum - row.cents, 0);

interface Line {
  readonly account: number;
  readonly cents: number;
  readonly payee: string;
  readonly note: string;
}

export function writeLine(db: Writer, line: Line): void {
  db.insert(transactions, { ...line, category: "transfers", card: null, at: AT });
}

export function writeMove(db: Writer, from: number, to: number, cents: number): void {
  writeLine(db, { account: to, cents, payee: nameOf(db, from), note: "" });
  writeLine(db, { account: from, cents: -cents, payee: nameOf(db, to), note: "" });
}
