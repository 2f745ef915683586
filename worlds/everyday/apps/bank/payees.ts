/**
 * Defines the APIs of payees, and of standing orders: transfers to payees that repeat every week or month until they
 * are ended.
 */

import {
  containsIgnoringCase,
  dayParam,
  defineItem,
  equalIgnoringCase,
  filterWhere,
  idParam,
  orderBy,
  refuseUnless,
  resource,
  shortTextParam,
  textOfReferencedRow,
  type ViewContext,
  withoutUndefined,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  amount,
  handleOf,
  handleParam,
  nullableHandleField,
  personColumnFilter,
  requireReceiver,
  requireTodayOrLater,
  toCents,
  toDollars,
} from "../shared.ts";
import { people } from "../tables.ts";
import { exampleIdFrom, exampleOwnAccount, requireSpendableAccount } from "./ledger.ts";
import {
  ORDER_STATUSES,
  type OrderStatus,
  orders,
  type Payee,
  payees,
  RHYTHMS,
  type StandingOrder,
} from "./tables.ts";

function requirePayee(db: Reader, id: number, param: string): Payee {
  const row = db.get(payees, id);
  refuseUnless(
    row && !row.removed,
    404,
    `${param}: there is no payee with id ${id}; see bank.payees`,
  );
  return row;
}

/**
 * Returns a payee to whom money may go. Throws a 404 when there is none, and a 422 when the payee is a blocked contact.
 */
export function requirePayablePayee(db: Reader, id: number): Payee {
  const payee = requirePayee(db, id, "payee");
  if (payee.person !== null) requireReceiver(db, handleOf(db, payee.person), "payee");
  return payee;
}

/** Returns the first payee that may be paid. Examples of API calls use it. */
export function examplePayee(db: Reader): Payee {
  const isBlocked = (row: Payee) => row.person !== null && db.get(people, row.person)?.blocked;
  return db.all(payees).find((row) => !row.removed && !isBlocked(row))!;
}

/** Throws a 409 when another payee that was not removed has this name. */
function refuseTakenName(db: Reader, name: string, exceptId?: number): void {
  const rows = db.where(payees, { removed: false });
  const taken = rows.find((row) => equalIgnoringCase(row.name, name) && row.id !== exceptId);
  refuseUnless(!taken, 409, `name: there is a payee "${taken?.name}" already; expected a new name`);
}

const payeeResource = resource({
  noun: "payee",
  item: defineItem(payees, {
    ...payees.fields("name", "id", "number"),
    person: nullableHandleField,
  }),
  find: ({ id }, { db }) => requirePayee(db, id, "id"),
});

const hasStandingOrder = (db: Reader, payee: number) =>
  db.where(orders, { payee }).some((order) => order.status !== "ended");

export const payeeApis = {
  payees: payeeResource.list(
    "List payees by name; removed ones are left out. `person` is null for companies.",
    {
      rows: { removed: false },
      filters: {
        person: personColumnFilter("only accounts of this contact", "person"),
        name: [
          z.string().min(1).max(100).describe("only those with this in their name"),
          filterWhere(({ name }, part) => containsIgnoringCase(name, part)),
        ],
      },
      order: orderBy(({ name }) => name),
      example: (db) => ({ name: examplePayee(db).name }),
    },
  ),
  addPayee: payeeResource.add("Add a payee.", {
    params: {
      name: shortTextParam("name of the payee"),
      number: z
        .string()
        .regex(/^\d{8}$/)
        .describe('account number, eight digits such as "20417733"'),
      person: handleParam("the contact whose account it is").optional(),
    },
    checkArguments: ({ name }, { db }) => refuseTakenName(db, name),
    row: ({ name, number, person: handle }, { db }) => {
      const person = handle === undefined ? null : requireReceiver(db, handle, "person").id;
      return { name, number, person, removed: false };
    },
    example: { name: "Corner bakery", number: "20417733" },
  }),
  removePayee: payeeResource.change("Remove a payee that no standing order uses.", {
    checkRow: ({ id, name }, _, { db }) =>
      refuseUnless(
        !hasStandingOrder(db, id),
        409,
        `id: a standing order pays "${name}"; bank.endOrder first`,
      ),
    set: { removed: true },
    example: exampleIdFrom(payees, ({ id, removed }, db) => !removed && !hasStandingOrder(db, id)),
  }),
};

export const note = z.string().trim().max(200).default("").describe("what it is for");

const every = z.enum(RHYTHMS);
const status = z.enum(ORDER_STATUSES);

const orderResource = resource({
  noun: "standing order",
  item: defineItem(orders, {
    payee: textOfReferencedRow(payees, "payee", "name", "removed"),
    id: z.int(),
    amount: [z.number(), ({ cents }) => toDollars(cents)],
    ...orders.fields("every", "next", "note", "account", "status"),
  }),
  example: exampleIdFrom(orders),
});

/** Throws a 409 for an order that has ended, and a 403 when the owner may not spend from its account. */
function requireRunningOrder(
  { id, account, status }: StandingOrder,
  _: unknown,
  { db }: ViewContext,
): void {
  requireSpendableAccount(db, account, "id");
  refuseUnless(status !== "ended", 409, `id: expected an order that still runs, ${id} has ended`);
}

/** Makes the options of an API that moves a standing order from one of the statuses `from` to the status `to`. */
const statusChangeOptions = (from: readonly OrderStatus[], to: OrderStatus) => ({
  checkRow: (row: StandingOrder, args: unknown, context: ViewContext) => {
    requireRunningOrder(row, args, context);
    const current = `${row.id} is ${row.status} already`;
    refuseUnless(from.includes(row.status), 409, `id: expected ${from.join(" or ")}, ${current}`);
  },
  set: { status: to },
  isExample: ({ status }: StandingOrder) => status === from[0],
});

export const orderApis = {
  orders: orderResource.list("List standing orders by their next day.", {
    filters: {
      status: status.describe("only in this state"),
      account: idParam("account"),
      payee: idParam("payee"),
      every: every.describe("only with this rhythm"),
    },
    order: orderBy(({ next }) => next),
    example: { status: "active" },
  }),
  order: orderResource.show("Show a standing order, with the id of its payee.", {
    item: orderResource.item.with({ payeeId: [z.int(), ({ payee }) => payee] }),
  }),
  addOrder: orderResource.add("Add a standing order.", {
    params: {
      from: idParam("account that pays"),
      payee: idParam("payee"),
      amount,
      every: every.describe("how often"),
      next: dayParam("the first transfer's day"),
      note,
    },
    row: ({ from, amount, every, next, note, ...args }, { db, now }) => {
      const account = requireSpendableAccount(db, from, "from").id;
      const payee = requirePayablePayee(db, args.payee).id;
      requireTodayOrLater(next, now, "next");
      return { account, payee, cents: toCents(amount), every, next, note, status: "active" };
    },
    example: (db) => ({
      from: exampleOwnAccount(db).id,
      payee: examplePayee(db).id,
      amount: 40,
      every: "month",
      next: "2026-04-01",
    }),
  }),
  changeOrder: orderResource.change("Change the amount or the next day of a standing order.", {
    params: { amount: amount.optional(), next: dayParam("the new next day").optional() },
    checkRow: requireRunningOrder,
    set: (_, { amount, next }, { now }) => {
      if (next !== undefined) requireTodayOrLater(next, now, "next");
      return withoutUndefined({ cents: amount === undefined ? undefined : toCents(amount), next });
    },
    isExample: ({ status }) => status === "active",
    example: { amount: 45 },
  }),
  pauseOrder: orderResource.change(
    "Pause a standing order.",
    statusChangeOptions(["active"], "paused"),
  ),
  resumeOrder: orderResource.change(
    "Resume a paused standing order.",
    statusChangeOptions(["paused"], "active"),
  ),
  endOrder: orderResource.change(
    "End a standing order for good.",
    statusChangeOptions(["active", "paused"], "ended"),
  ),
};
