/** What goes on by itself: deliveries every few weeks, and alerts when a price has fallen. */

import {
  booleanParam,
  filterWhether,
  firstRowId,
  refuseUnless,
  requireSomeArgument,
  resource,
  type ViewContext,
  withoutUndefined,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { addDays, amount, dayOf, dollarsField, toCents, toDollars } from "../shared.ts";
import {
  centsFor,
  inState,
  ofProduct,
  option,
  optionBy,
  optionName,
  price,
  product,
  productBy,
} from "./lookup.ts";
import * as tables from "./tables.ts";

// --- subscriptions ---

const status = z.enum(tables.SUBSCRIPTION_STATUSES);
const count = z.int().min(1).max(20).describe("pieces in a delivery");
const weeks = z.int().min(1).max(26).describe("weeks between two deliveries");

/** `price` is that of one delivery, at today's price. */
const deliveries = resource({
  noun: "subscription",
  item: tables.subscriptions.item({
    ...ofProduct,
    option: optionName,
    ...tables.subscriptions.fields("count", "weeks", "status"),
    price: [z.number(), (row, { db }) => toDollars(row.count * centsFor(db, row.product))],
    next: [z.string().nullable(), (row) => (row.status === "active" ? row.next : null)],
  }),
});

/** The subscription that has not ended. */
function running(db: Reader, product: number) {
  return db.where(tables.subscriptions, { product }).find(({ status }) => status !== "ended");
}

const active = inState<tables.Subscription>("a subscription", "active");
const paused = inState<tables.Subscription>("a subscription", "paused");
const live = inState<tables.Subscription>("a subscription", "active", "paused");

// --- alerts ---

const reached = ({ product, cents }: tables.Alert, { db }: ViewContext) =>
  centsFor(db, product) <= cents;

const watches = resource({
  noun: "alert",
  item: tables.alerts.item({
    ...ofProduct,
    below: dollarsField,
    price,
    reached: [z.boolean(), reached],
  }),
});

export const watchingApis = {
  subscriptions: deliveries.list(
    "List subscriptions, oldest first; `price` is that of one delivery.",
    {
      filters: { status: status.describe("only in this state") },
      example: { status: "active" },
    },
  ),
  subscribe: deliveries.add(
    "Have a product delivered every few weeks, the first time after those weeks.",
    {
      params: { product, weeks, option, count: count.default(1) },
      row: ({ count, weeks, ...args }, { db, now }) => {
        const product = productBy(db, args.product).id;
        const old = running(db, product);
        refuseUnless(!old, 409, `product: subscription ${old?.id} has it, and is ${old?.status}`);
        const option = optionBy(db, product, args.option).id;
        const next = addDays(dayOf(now), 7 * weeks);
        return { product, option, count, weeks, status: "active", next };
      },
      example: (db) => ({
        product: firstRowId(db, tables.products, ({ id }) => !running(db, id)),
        weeks: 4,
      }),
    },
  ),
  pauseSubscription: deliveries.change("Pause an active subscription.", {
    ...active,
    set: { status: "paused" },
  }),
  resumeSubscription: deliveries.change("Resume a paused subscription.", {
    ...paused,
    set: ({ weeks }, _, { now }) => ({ status: "active", next: addDays(dayOf(now), 7 * weeks) }),
  }),
  endSubscription: deliveries.change("End a subscription for good.", {
    ...live,
    set: { status: "ended" },
  }),
  changeSubscription: deliveries.change(
    "Change how many pieces come with a subscription, or how often.",
    {
      ...live,
      params: { count: count.optional(), weeks: weeks.optional() },
      set: (_, { count, weeks }) => {
        requireSomeArgument({ count, weeks });
        return withoutUndefined({ count, weeks });
      },
      example: { weeks: 3 },
    },
  ),
  alerts: watches.list("List price alerts; `reached`: the price is at or below the wish.", {
    filters: {
      reached: [booleanParam("only reached ones, or only others"), filterWhether(reached)],
    },
    example: { reached: true },
  }),
  watchPrice: watches.add(
    "Set a price alert for a product; an alert that it has gets the new price.",
    {
      params: {
        product,
        below: amount.describe("tell the owner at this many dollars or less"),
      },
      row: (args, { db }) => {
        const product = productBy(db, args.product).id;
        const cents = toCents(args.below);
        const [old] = db.where(tables.alerts, { product });
        return old ? db.update(tables.alerts, old.id, { cents }) : { product, cents };
      },
      example: (db) => ({ product: firstRowId(db, tables.products), below: 9.5 }),
    },
  ),
  unwatchPrice: watches.remove("Remove a price alert."),
};
