/** Defines the APIs of subscriptions (deliveries every few weeks) and of alerts when a price has fallen. */

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
  chooseOption,
  option,
  optionName,
  price,
  priceInCents,
  product,
  productFields,
  requireProduct,
  statusOptions,
} from "./lookup.ts";
import * as tables from "./tables.ts";

const status = z.enum(tables.SUBSCRIPTION_STATUSES);
const count = z.int().min(1).max(20).describe("pieces in a delivery");
const weeks = z.int().min(1).max(26).describe("weeks between two deliveries");

/** A subscription. `price` is what one delivery costs at today's prices. */
const subscriptionResource = resource({
  noun: "subscription",
  item: tables.subscriptions.item({
    ...productFields,
    option: optionName,
    ...tables.subscriptions.fields("count", "weeks", "status"),
    price: [z.number(), (row, { db }) => toDollars(row.count * priceInCents(db, row.product))],
    next: [z.string().nullable(), (row) => (row.status === "active" ? row.next : null)],
  }),
});

/** Returns the subscription of the product that has not ended, or undefined when there is none. */
function findRunning(db: Reader, product: number) {
  return db.where(tables.subscriptions, { product }).find(({ status }) => status !== "ended");
}

const onlyActive = statusOptions<tables.Subscription>("a subscription", "active");
const onlyPaused = statusOptions<tables.Subscription>("a subscription", "paused");
const onlyRunning = statusOptions<tables.Subscription>("a subscription", "active", "paused");

const isReached = ({ product, cents }: tables.Alert, { db }: ViewContext) =>
  priceInCents(db, product) <= cents;

const alertResource = resource({
  noun: "alert",
  item: tables.alerts.item({
    ...productFields,
    below: dollarsField,
    price,
    reached: [z.boolean(), isReached],
  }),
});

export const subscriptionAndAlertApis = {
  subscriptions: subscriptionResource.list(
    "List subscriptions, oldest first; `price` is that of one delivery.",
    {
      filters: { status: status.describe("only in this state") },
      example: { status: "active" },
    },
  ),
  subscribe: subscriptionResource.add(
    "Have a product delivered every few weeks, the first time after those weeks.",
    {
      params: { product, weeks, option, count: count.default(1) },
      row: ({ count, weeks, ...args }, { db, now }) => {
        const product = requireProduct(db, args.product).id;
        const existing = findRunning(db, product);
        refuseUnless(
          !existing,
          409,
          `product: subscription ${existing?.id} has it, and is ${existing?.status}`,
        );
        const option = chooseOption(db, product, args.option).id;
        const next = addDays(dayOf(now), 7 * weeks);
        return { product, option, count, weeks, status: "active", next };
      },
      example: (db) => ({
        product: firstRowId(db, tables.products, ({ id }) => !findRunning(db, id)),
        weeks: 4,
      }),
    },
  ),
  pauseSubscription: subscriptionResource.change("Pause an active subscription.", {
    ...onlyActive,
    set: { status: "paused" },
  }),
  resumeSubscription: subscriptionResource.change("Resume a paused subscription.", {
    ...onlyPaused,
    set: ({ weeks }, _, { now }) => ({ status: "active", next: addDays(dayOf(now), 7 * weeks) }),
  }),
  endSubscription: subscriptionResource.change("End a subscription for good.", {
    ...onlyRunning,
    set: { status: "ended" },
  }),
  changeSubscription: subscriptionResource.change(
    "Change how many pieces come with a subscription, or how often.",
    {
      ...onlyRunning,
      params: { count: count.optional(), weeks: weeks.optional() },
      set: (_, { count, weeks }) => {
        requireSomeArgument({ count, weeks });
        return withoutUndefined({ count, weeks });
      },
      example: { weeks: 3 },
    },
  ),
  alerts: alertResource.list("List price alerts; `reached`: the price is at or below the wish.", {
    filters: {
      reached: [booleanParam("only reached ones, or only others"), filterWhether(isReached)],
    },
    example: { reached: true },
  }),
  watchPrice: alertResource.add(
    "Set a price alert for a product; an alert that it has gets the new price.",
    {
      params: {
        product,
        below: amount.describe("tell the owner at this many dollars or less"),
      },
      row: (args, { db }) => {
        const product = requireProduct(db, args.product).id;
        const cents = toCents(args.below);
        const [existing] = db.where(tables.alerts, { product });
        return existing ? db.update(tables.alerts, existing.id, { cents }) : { product, cents };
      },
      example: (db) => ({ product: firstRowId(db, tables.products), below: 9.5 }),
    },
  ),
  unwatchPrice: alertResource.remove("Remove a price alert."),
};
