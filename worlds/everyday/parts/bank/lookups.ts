/** Finds accounts, cards and payees by their names, decides what the bank allows, and inserts the rows of transfers. */
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
import { ANY_TIME } from "../pay/insert-rows.ts";
import { isReachable } from "../reachable-people.ts";

/** Makes a value for an id. A cell of the solution finds the id by a name. */
export const makeLookedUpId = (
  draw: DrawContext,
  value: number,
  words: string,
  code: string,
): Value<number> => lookedUpValue(draw, "bank", "b", { value, words, code });

/** Makes a value for an account, which a sentence calls `"Everyday"`. */
const makeAccountValue = (draw: DrawContext, { id, name }: Account) =>
  makeLookedUpId(
    draw,
    id,
    jsLiteral(name),
    `apis.bank.accounts({size:20}).items.find(x=>x.name===${jsLiteral(name)}).id`,
  );

export function findAccountByName(draw: DrawContext, name: string): Value<number> | undefined {
  const [row] = draw.db.where(accounts, { name, closed: false });
  return row && makeAccountValue(draw, row);
}

/** Draws one of the owner's accounts, if the rows belong to more than one. */
export function drawAccountIfSeveral(
  draw: DrawContext,
  ids: readonly number[],
): Value<number> | undefined {
  const rows = draw.db.where(accounts, { closed: false }).filter((row) => ids.includes(row.id));
  const several = new Set(ids).size > 1 && rows.length > 0;
  return several ? makeAccountValue(draw, draw.rng.pick(rows)) : undefined;
}

/** Draws an account to which some of the rows belong. */
export function drawSelectiveAccount(
  draw: DrawContext,
  ids: readonly number[],
): Value<number> | undefined {
  const id = drawSelectiveValue(draw.rng, ids);
  const account = id === undefined ? undefined : draw.db.get(accounts, id);
  return account && makeAccountValue(draw, account);
}

/** Draws a payee that is a company, not a person. */
export function drawCompany(draw: DrawContext): Value<Payee> | undefined {
  const rows = draw.db.where(payees, { person: null, removed: false });
  if (rows.length === 0) return undefined;
  const row = draw.rng.pick(rows);
  const code = `apis.bank.payees({name:${jsLiteral(row.name)}}).items.find(x=>x.name===${jsLiteral(row.name)}).id`;
  return { ...makeLookedUpId(draw, row.id, row.name, code), value: row };
}

export const accountName = (db: Reader, account: number) => db.get(accounts, account)!.name;

export const allowsSpending = ({ role, closed }: Account) => role === "spend" && !closed;
/** Returns true if the account is open and belongs to the owner. */
export const isOwnAccount = (db: Reader, account: number) => {
  const row = db.get(accounts, account);
  return row !== undefined && row.holder === null && !row.closed;
};

export const canSpendFrom = (db: Reader, account: number) =>
  allowsSpending(db.get(accounts, account)!);

/** Returns the cents of an account that are not set aside for savings goals. */
export function availableCents(db: Reader, account: number): number {
  const centsInGoals = db.where(goals, { account }).reduce((sum, goal) => sum + goal.saved, 0);
  return db.get(accounts, account)!.cents - centsInGoals;
}

export const canBePaid = (db: Reader, { removed, person }: Payee) =>
  !removed && (person === null || isReachable(db, person));

/** Returns true for money that went out in the current month. */
export const isSpendingThisMonth = ({ at, cents }: { at: string; cents: number }) =>
  cents < 0 && at.startsWith(TODAY.slice(0, 7));

/** Returns the cents spent on a category this month, from accounts that the owner may spend from. */
export const centsSpentThisMonth = (db: Reader, category: Category) =>
  db
    .where(transactions, { category })
    .filter((row) => isSpendingThisMonth(row) && db.get(accounts, row.account)!.role === "spend")
    .reduce((sum, row) => sum - row.cents, 0);

interface TransferLine {
  readonly account: number;
  readonly cents: number;
  readonly payee: string;
  readonly note: string;
}

export function insertTransfer(db: Writer, line: TransferLine): void {
  db.insert(transactions, { ...line, category: "transfers", card: null, at: ANY_TIME });
}

export function insertMoneyMove(db: Writer, from: number, to: number, cents: number): void {
  insertTransfer(db, { account: to, cents, payee: accountName(db, from), note: "" });
  insertTransfer(db, { account: from, cents: -cents, payee: accountName(db, to), note: "" });
}
