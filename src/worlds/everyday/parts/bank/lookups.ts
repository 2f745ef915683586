/** How the bank's things are found by their names, in code and on tables. */

import type { Draw, Value } from "../../../../goals/index.ts";
import type { Reader, Writer } from "../../../../world/index.ts";
import {
  type Account,
  accounts,
  type Category,
  goals,
  type Payee,
  payees,
  transactions,
} from "../../apps/bank/tables.ts";
import { AT, js, TODAY } from "../pay/phrases.ts";
import { reachable } from "../pay/writes.ts";

/** An id that a cell finds by a name. `words` are those of the name alone. */
function named(draw: Draw, id: number, words: string, code: string): Value<number> {
  const name = draw.variable("b");
  return {
    value: id,
    words,
    code: name,
    cells: [`var ${name}=${code};print(${name})`],
    apps: ["bank"],
  };
}

/** `my "Everyday" account` */
export function accountNamed(draw: Draw, { id, name }: Account): Value<number> {
  const code = `apis.bank.accounts({size:20}).items.find(x=>x.name===${js(name)}).id`;
  return named(draw, id, js(name), code);
}

export function accountCalled(draw: Draw, name: string): Value<number> | undefined {
  const [row] = draw.db.where(accounts, { name, closed: false });
  return row && accountNamed(draw, row);
}

/** An account of the owner's choice among some. */
export function someAccount(draw: Draw, ids: readonly number[]): Value<number> | undefined {
  const rows = draw.db.where(accounts, { closed: false }).filter((row) => ids.includes(row.id));
  return rows.length > 0 ? accountNamed(draw, draw.rng.pick(rows)) : undefined;
}

/** A payee that is no person. */
export function company(draw: Draw): Value<Payee> | undefined {
  const rows = draw.db.where(payees, { person: null, removed: false });
  if (rows.length === 0) return undefined;
  const row = draw.rng.pick(rows);
  const code = `apis.bank.payees({name:${js(row.name)}}).items.find(x=>x.name===${js(row.name)}).id`;
  return { ...named(draw, row.id, row.name, code), value: row };
}

export const nameOf = (db: Reader, account: number) => db.get(accounts, account)!.name;
export const maySpend = (db: Reader, account: number) => {
  const row = db.get(accounts, account)!;
  return row.role === "spend" && !row.closed;
};

/** Cents that may leave an account. */
export function free(db: Reader, account: number): number {
  const held = db.where(goals, { account }).reduce((sum, goal) => sum + goal.saved, 0);
  return db.get(accounts, account)!.cents - held;
}

export const mayPay = (db: Reader, payee: number) => {
  const row = db.get(payees, payee);
  return row !== undefined && !row.removed && (row.person === null || reachable(db, row.person));
};

/** Money that went out in the month of today. */
export const thisMonth = ({ at, cents }: { at: string; cents: number }) =>
  cents < 0 && at.startsWith(TODAY.slice(0, 7));

// --- what transfers leave behind; balances are derived ---

interface Line {
  readonly account: number;
  readonly cents: number;
  readonly payee: string;
  readonly note: string;
}

export function writeLine(db: Writer, line: Line, category: Category = "transfers"): void {
  db.insert(transactions, { ...line, category, card: null, at: AT });
}

export function writeMove(db: Writer, from: number, to: number, cents: number, note = ""): void {
  writeLine(db, { account: to, cents, payee: nameOf(db, from), note });
  writeLine(db, { account: from, cents: -cents, payee: nameOf(db, to), note });
}
