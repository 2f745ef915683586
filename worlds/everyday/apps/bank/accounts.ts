/** Accounts, with whom the owner shares them, and the cards that pay from them. */

import { either, idOf, itemOf, line, must, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  amount,
  centsOf,
  dollars,
  handle,
  handleOf,
  personBy,
  receiver,
  theirHandle,
  theirName,
} from "../shared.ts";
import { people } from "../tables.ts";
import {
  accountBy,
  available,
  first,
  firstOwn,
  ownAccount,
  paidByCard,
  spendable,
} from "./book.ts";
import { ACCOUNT_KINDS, accesses, accounts, cards, orders, ROLES } from "./tables.ts";

const kind = z.enum(ACCOUNT_KINDS);
const role = z.enum(ROLES);

const ownAccounts = resource({
  noun: "account",
  unique: true,
  item: itemOf(accounts, {
    ...accounts.fields("name", "id", "kind"),
    balance: [z.number(), ({ cents }) => dollars(cents)],
    holder: [z.string(), ({ holder }, { db }) => (holder === null ? "me" : handleOf(db, holder))],
    role,
  }),
  find: ({ id }, { db }) => ownAccount(db, id, "id"),
  example: first(accounts, ({ holder, closed }) => holder === null && !closed),
});

const access = resource({
  noun: "access",
  item: itemOf(accesses, { name: theirName, person: theirHandle, role }),
  keys: { ...ownAccounts.keys, person: handle("who has access") },
  find: ({ id, person: came }, { db }) => {
    ownAccount(db, id, "id");
    const row = accessOf(db, id, personBy(db, came, "person").id);
    must(row, 404, `person: "${came}" has no access to account ${id}; bank.share first`);
    return row;
  },
  example: (db) => {
    const row = db.all(accesses).find(({ ended }) => !ended)!;
    return { id: row.account, person: handleOf(db, row.person) };
  },
});

function accessOf(db: Reader, account: number, person: number) {
  return db.where(accesses, { account, ended: false }).find((row) => row.person === person);
}

export const accountApis = {
  accounts: ownAccounts.list(
    "List the owner's accounts and those that others share with the owner, oldest first.",
    {
      filters: {
        kind: kind.describe("only of this kind"),
        closed: either("true: the closed ones instead of the open ones").default(false),
      },
      example: { kind: "savings" },
    },
  ),
  account: ownAccounts.show(
    "Show an account, with what is available: the balance less what savings goals hold.",
    {
      find: ({ id }, { db }) => accountBy(db, id, "id"),
      item: ownAccounts.item.with({
        available: [z.number(), (row, { db }) => dollars(available(db, row))],
        closed: z.boolean(),
      }),
    },
  ),
  openAccount: ownAccounts.add("Open an empty account.", {
    params: { name: line("name of the new account"), kind: kind.describe("its kind") },
    plain: { holder: null, role: "spend", opening: 0, cents: 0, closed: false },
    example: { name: "New bicycle", kind: "savings" },
  }),
  renameAccount: ownAccounts.change("Rename an account of the owner.", {
    params: { name: line("the new name") },
    example: { name: "Main account" },
  }),
  closeAccount: ownAccounts.change(
    "Close an account of the owner; it must be empty, without standing orders and cards.",
    {
      unless: ({ id, name, cents }, _, { db }) => {
        const what = `id: expected an account that is no longer used, "${name}" has`;
        const balance = `a balance of ${dollars(cents)}; bank.move it away first`;
        must(cents === 0, 409, `${what} ${balance}`);
        const idle = db.where(orders, { account: id }).every(({ status }) => status === "ended");
        must(idle, 409, `${what} standing orders; bank.endOrder first`);
        const cardless = db.where(cards, { account: id }).every(({ cancelled }) => cancelled);
        must(cardless, 409, `${what} a card; bank.cancelCard first`);
      },
      set: { closed: true },
      fits: ({ cents }) => cents === 0,
    },
  ),
  sharers: access.list(
    "List who else has access to an account of the owner, in order of being added.",
    {
      of: [ownAccounts, "account"],
      rows: { ended: false },
      example: (db) => ({ id: db.where(accesses, { ended: false })[0]!.account }),
    },
  ),
  share: access.add("Give someone access to an account of the owner.", {
    params: {
      ...ownAccounts.keys,
      person: handle("who gets access"),
      role: role.describe("view: see it only; spend: also move money"),
    },
    row: ({ id, person: came, role }, { db }) => {
      const account = ownAccount(db, id, "id").id;
      const person = receiver(db, came, "person").id;
      const old = accessOf(db, account, person);
      must(!old, 409, `person: "${came}" has access already; bank.changeRole changes it`);
      return { account, person, role, ended: false };
    },
    example: (db) => {
      const { id } = firstOwn(db);
      const free = db.all(people).find((row) => !row.blocked && !accessOf(db, id, row.id))!;
      return { id, person: free.handle, role: "view" };
    },
  }),
  changeRole: access.change("Change what someone may do with an account of the owner.", {
    params: { role },
    example: { role: "view" },
  }),
  unshare: access.set("Take someone's access to an account of the owner back.", { ended: true }),
};

// --- cards: frozen for a while, cancelled for good, limited by month ---

const card = resource({
  noun: "card",
  item: itemOf(cards, {
    ...cards.fields("label", "id", "digits", "account"),
    limit: [z.number(), ({ limit }) => dollars(limit)],
    spent: [z.number(), ({ id }, { db, now }) => dollars(paidByCard(db, id, now))],
    frozen: z.boolean(),
  }),
  /** A card that is not cancelled and pays from an account of which the owner may spend. */
  guard: ({ id, cancelled, account }, { db }) => {
    must(!cancelled, 409, `id: expected a card in use, ${id} is cancelled`);
    spendable(db, account, "id");
  },
  example: first(cards, ({ cancelled }) => !cancelled),
});

/** The bank counts its cards in steps of 1237. */
function nextDigits(db: Reader): string {
  const last = db.all(cards).at(-1)?.digits ?? "3000";
  return String(1000 + ((Number(last) - 1000 + 1237) % 9000));
}

export const cardApis = {
  cards: card.list("List cards with what each paid this month; cancelled ones are left out.", {
    rows: { cancelled: false },
    filters: {
      account: idOf("account"),
      frozen: either("only frozen ones, or only working ones"),
    },
    example: { frozen: false },
  }),
  orderCard: card.add(
    "Order a card for an account; it comes with a limit of 1000 dollars a month.",
    {
      params: { account: idOf("account"), label: line("what to call the card") },
      row: ({ account, label }, { db }) => {
        spendable(db, account);
        const working = { limit: 100_000, frozen: false, cancelled: false };
        return { label, account, ...working, digits: nextDigits(db) };
      },
      example: (db) => ({ account: firstOwn(db).id, label: "Spare card" }),
    },
  ),
  freeze: card.set(
    "Freeze a card, so that it pays nothing.",
    { frozen: true },
    "is frozen already",
  ),
  unfreeze: card.set("Let a frozen card pay again.", { frozen: false }, "is not frozen"),
  setCardLimit: card.change("Set how much a card may pay in a month.", {
    params: { amount },
    set: (_, { amount }) => ({ limit: centsOf(amount) }),
    example: { amount: 800 },
  }),
  cancelCard: card.set("Cancel a card for good.", { cancelled: true }),
};
