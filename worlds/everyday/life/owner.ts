/**
 * The owner of a life, whose name and addresses differ by seed, and what differs between the scenarios of a seed, so
 * that an agent cannot memorise it: passwords, and the money in the bank and in the wallet.
 */
import { accounts, type Profile, type Rng, type Writer } from "bowline/world";
import { accounts as bankAccounts, transactions } from "../apps/bank/tables.ts";
import { topUps } from "../apps/pay/tables.ts";
import { wallet } from "../apps/tables.ts";

const splitWords = (text: string) => text.trim().split(/\s+/);

/** No contact has one of these names. */
const FIRST = splitWords(`
  Robin Sasha Morgan Alex Jules Noa Charlie Toni Remy Kit Maxime Andrea Marley Rowan Sage Ashley Casey Dana Ellis
  Frankie Glenn Hayden Jamie Kelly Lesley Merle Nicky Riley Shay Taylor Billie Corin`);
const LAST = splitWords(`
  Vale Marsh Thorne Ashby Bright Calder Dunn Eastman Fairley Goodwin Harlow Ingram Joyce Kirby Langley Mercer North
  Oakes Pryor Quill Ramsey Sutton Tilney Upton Vernon Wilder Yates Abbott Barlow Crane Drake Ellison`);

export function drawOwner(rng: Rng): Profile {
  const [first, last] = [rng.pick(FIRST), rng.pick(LAST)];
  const email = `${first}.${last}${rng.integer(10, 99)}@example.com`.toLowerCase();
  return { name: `${first} ${last}`, email, phone: `555-0${rng.integer(100, 999)}` };
}

export const firstName = ({ name }: Profile): string => name.split(" ")[0]!;

const PASSWORD_WORDS = splitWords(
  "amber birch cedar delta ember fjord glade heron inlet juniper kelp larch maple nettle osier pine",
);

/** Draws so many passwords. No two are equal, because each begins with another word. */
export function drawPasswords(rng: Rng, count: number): string[] {
  return rng.sample(PASSWORD_WORDS, count).map((word) => `${word}-${rng.integer(1000, 9999)}`);
}

/** Draws an amount in cents by which an amount of money may be larger. */
const drawMore = (rng: Rng) => rng.integer(1, 250_000);

/**
 * Gives a scenario its own passwords and amounts of money. Each balance is still the opening plus all entries, and the
 * wallet's first top-up is still a transaction of the bank.
 */
export function varyScenario(db: Writer, rng: Rng): void {
  const rows = db.all(accounts);
  const passwords = drawPasswords(rng.child("passwords"), rows.length);
  for (const [i, { id }] of rows.entries()) db.update(accounts, id, { password: passwords[i]! });
  varyTopUp(db, drawMore(rng.child("wallet")));
  for (const { id, name, opening, cents, closed } of db.all(bankAccounts)) {
    if (closed || opening === 0) continue;
    const more = drawMore(rng.child(name));
    db.update(bankAccounts, id, { opening: opening + more, cents: cents + more });
  }
}

/** Makes the first top-up of the wallet larger. The account that paid it gets as much more before. */
function varyTopUp(db: Writer, more: number): void {
  const [topUp] = db.all(topUps);
  const [row] = db.all(wallet);
  const paid = db
    .all(transactions)
    .find(({ at, cents }) => at === topUp?.at && cents === -topUp.cents);
  if (!topUp || !row || !paid) return;
  const account = db.get(bankAccounts, paid.account)!;
  db.update(topUps, topUp.id, { cents: topUp.cents + more });
  db.update(transactions, paid.id, { cents: paid.cents - more });
  db.update(bankAccounts, account.id, { opening: account.opening + more });
  db.update(wallet, row.id, { cents: row.cents + more });
}
