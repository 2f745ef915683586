/** Payees, and standing orders: transfers to them that repeat every week or month until they are ended. */

import {
  by,
  contains,
  day,
  given,
  idOf,
  itemOf,
  type Look,
  line,
  must,
  resource,
  same,
  through,
  where,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  amount,
  anyHandle,
  centsOf,
  dollars,
  handle,
  handleOf,
  notPast,
  ofPerson,
  receiver,
} from "../shared.ts";
import { people } from "../tables.ts";
import { first, firstOwn, spendable } from "./book.ts";
import {
  ORDER_STATUSES,
  type OrderStatus,
  orders,
  type Payee,
  payees,
  RHYTHMS,
  type StandingOrder,
} from "./tables.ts";

function payeeBy(db: Reader, id: number, param: string): Payee {
  const row = db.get(payees, id);
  must(row && !row.removed, 404, `${param}: there is no payee with id ${id}; see bank.payees`);
  return row;
}

/** A payee to whom money may go: no contact that is blocked. */
export function payable(db: Reader, id: number): Payee {
  const payee = payeeBy(db, id, "payee");
  if (payee.person !== null) receiver(db, handleOf(db, payee.person), "payee");
  return payee;
}

/** The first payee that may be paid, for examples. */
export function firstPayee(db: Reader): Payee {
  const blocked = (row: Payee) => row.person !== null && db.get(people, row.person)?.blocked;
  return db.all(payees).find((row) => !row.removed && !blocked(row))!;
}

/** A 409 when a payee that was not removed has this name. */
function freePayee(db: Reader, name: string, except?: number): void {
  const rows = db.where(payees, { removed: false });
  const taken = rows.find((row) => same(row.name, name) && row.id !== except);
  must(!taken, 409, `name: there is a payee "${taken?.name}" already; expected a new name`);
}

const payeeRows = resource({
  noun: "payee",
  item: itemOf(payees, { ...payees.fields("name", "id", "number"), person: anyHandle }),
  find: ({ id }, { db }) => payeeBy(db, id, "id"),
});

const isUsed = (db: Reader, payee: number) =>
  db.where(orders, { payee }).some((order) => order.status !== "ended");

export const payeeApis = {
  payees: payeeRows.list("List payees by name; `person` is null for companies.", {
    rows: { removed: false },
    filters: {
      person: ofPerson("only accounts of this contact", "person"),
      name: [
        z.string().min(1).max(100).describe("only those with this in their name"),
        where(({ name }, part) => contains(name, part)),
      ],
    },
    order: by(({ name }) => name),
    example: (db) => ({ name: firstPayee(db).name }),
  }),
  addPayee: payeeRows.add("Add a payee.", {
    params: {
      name: line("name of the payee"),
      number: z
        .string()
        .regex(/^\d{8}$/)
        .describe('account number, eight digits such as "20417733"'),
      person: handle("the contact whose account it is").optional(),
    },
    check: ({ name }, { db }) => freePayee(db, name),
    row: ({ name, number, person: came }, { db }) => {
      const person = came === undefined ? null : receiver(db, came, "person").id;
      return { name, number, person, removed: false };
    },
    example: { name: "Corner bakery", number: "20417733" },
  }),
  renamePayee: payeeRows.change("Rename a payee; earlier transactions keep the old name.", {
    params: { name: line("the new name") },
    unless: ({ id }, { name }, { db }) => freePayee(db, name, id),
    example: (db) => ({ id: firstPayee(db).id, name: "Old payee" }),
  }),
  removePayee: payeeRows.change("Remove a payee that no standing order uses.", {
    unless: ({ id, name }, _, { db }) =>
      must(!isUsed(db, id), 409, `id: a standing order pays "${name}"; bank.endOrder first`),
    set: { removed: true },
    example: first(payees, ({ id, removed }, db) => !removed && !isUsed(db, id)),
  }),
};

// --- standing orders ---

export const note = z.string().trim().max(200).default("").describe("what it is for");

const every = z.enum(RHYTHMS);
const status = z.enum(ORDER_STATUSES);

const standing = resource({
  noun: "standing order",
  item: itemOf(orders, {
    payee: through(payees, "payee", "name", "removed"),
    id: z.int(),
    amount: [z.number(), ({ cents }) => dollars(cents)],
    ...orders.fields("every", "next", "note", "account", "status"),
  }),
  example: first(orders),
});

/** Refuses orders that have ended, and those of accounts from which the owner may not spend. */
function running({ id, account, status }: StandingOrder, _: unknown, { db }: Look): void {
  spendable(db, account, "id");
  must(status !== "ended", 409, `id: expected an order that still runs, ${id} has ended`);
}

/** From one of these states to another. */
const turn = (from: readonly OrderStatus[], to: OrderStatus) => ({
  unless: (row: StandingOrder, args: unknown, look: Look) => {
    running(row, args, look);
    const came = `${row.id} is ${row.status} already`;
    must(from.includes(row.status), 409, `id: expected ${from.join(" or ")}, ${came}`);
  },
  set: { status: to },
  fits: ({ status }: StandingOrder) => status === from[0],
});

export const orderApis = {
  orders: standing.list("List standing orders by their next day.", {
    filters: {
      status: status.describe("only in this state"),
      account: idOf("account"),
      payee: idOf("payee"),
      every: every.describe("only with this rhythm"),
    },
    order: by(({ next }) => next),
    example: { status: "active" },
  }),
  order: standing.show("Show a standing order, with the id of its payee.", {
    item: standing.item.with({ payeeId: [z.int(), ({ payee }) => payee] }),
  }),
  addOrder: standing.add("Add a standing order.", {
    params: {
      from: idOf("account that pays"),
      payee: idOf("payee"),
      amount,
      every: every.describe("how often"),
      next: day("the first transfer's day"),
      note,
    },
    row: ({ from, amount, every, next, note, ...args }, { db, now }) => {
      const account = spendable(db, from, "from").id;
      const payee = payable(db, args.payee).id;
      notPast(next, now, "next");
      return { account, payee, cents: centsOf(amount), every, next, note, status: "active" };
    },
    example: (db) => ({
      from: firstOwn(db).id,
      payee: firstPayee(db).id,
      amount: 40,
      every: "month",
      next: "2026-04-01",
    }),
  }),
  changeOrder: standing.change("Change the amount or the next day of a standing order.", {
    params: { amount: amount.optional(), next: day("the new next day").optional() },
    unless: running,
    set: (_, { amount, next }, { now }) => {
      if (next !== undefined) notPast(next, now, "next");
      return given({ cents: amount === undefined ? undefined : centsOf(amount), next });
    },
    fits: ({ status }) => status === "active",
    example: { amount: 45 },
  }),
  pauseOrder: standing.change("Pause a standing order.", turn(["active"], "paused")),
  resumeOrder: standing.change("Resume a paused standing order.", turn(["paused"], "active")),
  endOrder: standing.change("End a standing order for good.", turn(["active", "paused"], "ended")),
};
