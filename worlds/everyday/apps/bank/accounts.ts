/**
 * Defines the APIs of bank accounts, of the people with whom the owner shares accounts, and of the cards that pay from
 * accounts.
 */

import {
  booleanParam,
  defineItem,
  idParam,
  refuseUnless,
  resource,
  shortTextParam,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  amount,
  handleField,
  handleOf,
  handleParam,
  leavingOut,
  nameField,
  requirePerson,
  requireReceiver,
  toCents,
  toDollars,
} from "../shared.ts";
import { people } from "../tables.ts";
import {
  availableCents,
  centsPaidByCard,
  exampleIdFrom,
  exampleOwnAccount,
  requireAccount,
  requireOwnAccount,
} from "./ledger.ts";
import { ACCOUNT_KINDS, accesses, accounts, cards, orders, ROLES } from "./tables.ts";

const kind = z.enum(ACCOUNT_KINDS);
const role = z.enum(ROLES);

const ownAccounts = resource({
  noun: "account",
  unique: true,
  item: defineItem(accounts, {
    ...accounts.fields("name", "id", "kind"),
    balance: [z.number(), ({ cents }) => toDollars(cents)],
    holder: [z.string(), ({ holder }, { db }) => (holder === null ? "me" : handleOf(db, holder))],
    role,
  }),
  find: ({ id }, { db }) => requireOwnAccount(db, id, "id"),
  example: exampleIdFrom(accounts, ({ holder, closed }) => holder === null && !closed),
});

const access = resource({
  noun: "access",
  item: defineItem(accesses, { name: nameField, person: handleField, role }),
  keys: { ...ownAccounts.keys, person: handleParam("who has access") },
  find: ({ id, person: handle }, { db }) => {
    requireOwnAccount(db, id, "id");
    const row = findAccess(db, id, requirePerson(db, handle, "person").id);
    refuseUnless(row, 404, `person: "${handle}" has no access to account ${id}; bank.share first`);
    return row;
  },
  example: (db) => {
    const row = db.all(accesses).find(({ ended }) => !ended)!;
    return { id: row.account, person: handleOf(db, row.person) };
  },
});

function findAccess(db: Reader, account: number, person: number) {
  return db.where(accesses, { account, ended: false }).find((row) => row.person === person);
}

export const accountApis = {
  accounts: ownAccounts.list(
    leavingOut(
      "List the owner's accounts and those that others share with the owner, oldest first.",
      "closed ones are",
      true,
    ),
    {
      filters: {
        kind: kind.describe("only of this kind"),
        closed: booleanParam("true: the closed ones instead of the open ones").default(false),
      },
      example: { kind: "savings" },
    },
  ),
  account: ownAccounts.show(
    "Show an account, with what is available: the balance less what savings goals hold.",
    {
      find: ({ id }, { db }) => requireAccount(db, id, "id"),
      item: ownAccounts.item.with({
        available: [z.number(), (row, { db }) => toDollars(availableCents(db, row))],
        closed: z.boolean(),
      }),
    },
  ),
  openAccount: ownAccounts.add("Open an empty account.", {
    params: { name: shortTextParam("name of the new account"), kind: kind.describe("its kind") },
    defaults: { holder: null, role: "spend", opening: 0, cents: 0, closed: false },
    example: { name: "New bicycle", kind: "savings" },
  }),
  renameAccount: ownAccounts.change("Rename an account of the owner.", {
    params: { name: shortTextParam("the new name") },
    example: { name: "Main account" },
  }),
  closeAccount: ownAccounts.change(
    "Close an account of the owner; it must be empty, without standing orders and cards.",
    {
      checkRow: ({ id, name, cents }, _, { db }) => {
        const refusal = `id: expected an account that is no longer used, "${name}" has`;
        const balance = `a balance of ${toDollars(cents)}; bank.move it away first`;
        refuseUnless(cents === 0, 409, `${refusal} ${balance}`);
        const hasNoOrders = db
          .where(orders, { account: id })
          .every(({ status }) => status === "ended");
        refuseUnless(hasNoOrders, 409, `${refusal} standing orders; bank.endOrder first`);
        const hasNoCards = db.where(cards, { account: id }).every(({ cancelled }) => cancelled);
        refuseUnless(hasNoCards, 409, `${refusal} a card; bank.cancelCard first`);
      },
      set: { closed: true },
      isExample: ({ cents }) => cents === 0,
    },
  ),
  sharers: access.list(
    "List who else has access to an account of the owner, in order of being added; access taken back is left out.",
    {
      parent: [ownAccounts, "account"],
      rows: { ended: false },
      example: (db) => ({ id: db.where(accesses, { ended: false })[0]!.account }),
    },
  ),
  share: access.add("Give someone access to an account of the owner.", {
    params: {
      ...ownAccounts.keys,
      person: handleParam("who gets access"),
      role: role.describe("view: see it only; spend: also move money"),
    },
    row: ({ id, person: handle, role }, { db }) => {
      const account = requireOwnAccount(db, id, "id").id;
      const person = requireReceiver(db, handle, "person").id;
      const existing = findAccess(db, account, person);
      refuseUnless(
        !existing,
        409,
        `person: "${handle}" has access already; bank.changeRole changes it`,
      );
      return { account, person, role, ended: false };
    },
    example: (db) => {
      const { id } = exampleOwnAccount(db);
      const free = db.all(people).find((row) => !row.blocked && !findAccess(db, id, row.id))!;
      return { id, person: free.handle, role: "view" };
    },
  }),
  changeRole: access.change("Change what someone may do with an account of the owner.", {
    params: { role },
    example: { role: "view" },
  }),
  unshare: access.set("Take someone's access to an account of the owner back.", { ended: true }),
};

const card = resource({
  noun: "card",
  item: defineItem(cards, {
    ...cards.fields("label", "id", "digits", "account"),
    limit: [z.number(), ({ limit }) => toDollars(limit)],
    spent: [z.number(), ({ id }, { db, now }) => toDollars(centsPaidByCard(db, id, now))],
    frozen: z.boolean(),
  }),
  /** The card must not be cancelled, and it must pay from an account of the owner. */
  guard: ({ id, cancelled, account }, { db }) => {
    refuseUnless(!cancelled, 409, `id: expected a card in use, ${id} is cancelled`);
    requireOwnAccount(db, account, "id");
  },
  example: exampleIdFrom(
    cards,
    ({ cancelled, account }, db) => !cancelled && db.get(accounts, account)?.holder === null,
  ),
});

/** Returns the last four digits for a new card. The bank numbers its cards in steps of 1237. */
function nextCardDigits(db: Reader): string {
  const last = db.all(cards).at(-1)?.digits ?? "3000";
  return String(1000 + ((Number(last) - 1000 + 1237) % 9000));
}

export const cardApis = {
  cards: card.list(
    "List cards, also those of shared accounts, with what each paid this month; cancelled ones are left out.",
    {
      rows: { cancelled: false },
      filters: {
        account: idParam("account"),
        frozen: booleanParam("only frozen ones, or only working ones"),
      },
      example: { frozen: false },
    },
  ),
  orderCard: card.add(
    "Order a card for an own account; it comes with a limit of 1000 dollars a month.",
    {
      params: { account: idParam("account"), label: shortTextParam("what to call the card") },
      row: ({ account, label }, { db }) => {
        requireOwnAccount(db, account);
        const working = { limit: 100_000, frozen: false, cancelled: false };
        return { label, account, ...working, digits: nextCardDigits(db) };
      },
      example: (db) => ({ account: exampleOwnAccount(db).id, label: "Spare card" }),
    },
  ),
  freeze: card.set(
    "Freeze a card of an own account, so that it pays nothing.",
    { frozen: true },
    "is frozen already",
  ),
  unfreeze: card.set("Let a frozen card pay again.", { frozen: false }, "is not frozen"),
  setCardLimit: card.change("Set how much a card may pay in a month.", {
    params: { amount },
    set: (_, { amount }) => ({ limit: toCents(amount) }),
    example: { amount: 800 },
  }),
  cancelCard: card.set("Cancel a card of an own account for good.", { cancelled: true }),
};
