/** What goes on by itself: deliveries every few weeks, and alerts when a price has fallen. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  dollars,
  given,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  rowBy,
} from "../shared.ts";
import { daysLater, exampleId, nameOf, optionBy, productBy } from "./lookup.ts";
import {
  type Alert,
  alerts,
  options,
  products,
  SUBSCRIPTION_STATUSES,
  type Subscription,
  subscriptions,
} from "./tables.ts";

const status = z.enum(SUBSCRIPTION_STATUSES);

const subscriptionItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  product: z.int(),
  option: z.string(),
  count: z.int(),
  weeks: z.int(),
  status,
  price: z.number(),
  next: z.string().nullable(),
});

/** `price` is that of one delivery, at today's price. */
const view = (db: Reader) => (row: Subscription) => ({
  name: nameOf(db, row.product),
  id: row.id,
  product: row.product,
  option: db.get(options, row.option)?.name ?? "standard",
  count: row.count,
  weeks: row.weeks,
  status: row.status,
  price: dollars(row.count * (db.get(products, row.product)?.cents ?? 0)),
  next: row.status === "active" ? row.next : null,
});

const id = idOf("subscription");
const product = idOf("product");
const count = z.int().min(1).max(20);
const weeks = z.int().min(1).max(26);

const list = defineApi({
  summary: "List subscriptions, oldest first; `price` is that of one delivery.",
  params: z.strictObject({
    status: status.optional().describe("only in this state"),
    ...paging,
  }),
  returns: pageOf(subscriptionItem),
  example: () => ({ status: "active" as const }),
  handler: ({ db }, { status, ...page }) =>
    paged(db.where(subscriptions, given({ status })), page, view(db)),
});

const running = (row: Subscription) => row.status !== "ended";

const subscribe = defineApi({
  summary: "Have a product delivered every few weeks, the first time after those weeks.",
  params: z.strictObject({
    product,
    weeks: weeks.describe("weeks between two deliveries"),
    option: line("name of the option; the first in stock when left out").optional(),
    count: count.default(1).describe("pieces in a delivery"),
  }),
  returns: subscriptionItem,
  example: (db) => {
    const free = (id: number) => !db.where(subscriptions, { product: id }).some(running);
    return { product: exampleId(db, products, (row) => free(row.id)), weeks: 4 };
  },
  handler: ({ db, now }, args) => {
    const product = productBy(db, args.product).id;
    const old = db.where(subscriptions, { product }).find(running);
    if (old)
      throw new ApiError(409, `product: subscription ${old.id} has it, and is ${old.status}`);
    const option = optionBy(db, product, args.option).id;
    const { count, weeks } = args;
    const next = daysLater(now, 7 * weeks);
    const row = { product, option, count, weeks, status: "active" as const, next };
    return view(db)(db.insert(subscriptions, row));
  },
});

/** A subscription in one of these states, or a 409. */
function inState(db: Reader, id: number, ...states: Subscription["status"][]): Subscription {
  const row = rowBy(db, subscriptions, id, "subscription");
  if (states.includes(row.status)) return row;
  const expected = states.join(" or ");
  throw new ApiError(
    409,
    `id: expected a subscription that is ${expected}, ${id} is ${row.status}`,
  );
}

const example = (status: Subscription["status"]) => (db: Reader) => ({
  id: exampleId(db, subscriptions, (row) => row.status === status),
});

const pause = defineApi({
  summary: "Pause an active subscription.",
  params: z.strictObject({ id }),
  returns: subscriptionItem,
  example: example("active"),
  handler: ({ db }, { id }) => {
    inState(db, id, "active");
    return view(db)(db.update(subscriptions, id, { status: "paused" }));
  },
});

const resume = defineApi({
  summary: "Resume a paused subscription.",
  params: z.strictObject({ id }),
  returns: subscriptionItem,
  example: example("paused"),
  handler: ({ db, now }, { id }) => {
    const { weeks } = inState(db, id, "paused");
    const next = daysLater(now, 7 * weeks);
    return view(db)(db.update(subscriptions, id, { status: "active", next }));
  },
});

const end = defineApi({
  summary: "End a subscription for good.",
  params: z.strictObject({ id }),
  returns: subscriptionItem,
  example: example("active"),
  handler: ({ db }, { id }) => {
    inState(db, id, "active", "paused");
    return view(db)(db.update(subscriptions, id, { status: "ended" }));
  },
});

const change = defineApi({
  summary: "Change how many pieces come with a subscription, or how often.",
  params: z.strictObject({
    id,
    count: count.optional().describe("pieces in a delivery"),
    weeks: weeks.optional().describe("weeks between two deliveries"),
  }),
  returns: subscriptionItem,
  example: (db) => ({ ...example("active")(db), weeks: 3 }),
  handler: ({ db }, { id, ...changes }) => {
    inState(db, id, "active", "paused");
    const patch = given(changes);
    if (Object.keys(patch).length === 0) {
      throw new ApiError(422, "count, weeks: expected at least one of them, got none");
    }
    return view(db)(db.update(subscriptions, id, patch));
  },
});

// --- alerts ---

const alertItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  product: z.int(),
  below: z.number(),
  price: z.number(),
  reached: z.boolean(),
});

const alertView = (db: Reader) => (row: Alert) => {
  const cents = db.get(products, row.product)?.cents ?? 0;
  return {
    name: nameOf(db, row.product),
    id: row.id,
    product: row.product,
    below: dollars(row.cents),
    price: dollars(cents),
    reached: cents <= row.cents,
  };
};

const listAlerts = defineApi({
  summary: "List price alerts; `reached`: the price is at or below the wish.",
  params: z.strictObject({
    reached: z.boolean().optional().describe("only reached ones, or only others"),
    ...paging,
  }),
  returns: pageOf(alertItem),
  example: () => ({ reached: true }),
  handler: ({ db }, { reached, ...page }) => {
    const hit = (row: Alert) => (db.get(products, row.product)?.cents ?? 0) <= row.cents;
    const rows = db.all(alerts).filter((row) => reached === undefined || hit(row) === reached);
    return paged(rows, page, alertView(db));
  },
});

const watch = defineApi({
  summary: "Set a price alert for a product; an alert that it has gets the new price.",
  params: z.strictObject({
    product,
    below: amount.describe("tell the owner at this many dollars or less"),
  }),
  returns: alertItem,
  example: (db) => ({ product: exampleId(db, products), below: 9.5 }),
  handler: ({ db }, args) => {
    const product = productBy(db, args.product).id;
    const cents = centsOf(args.below);
    const [old] = db.where(alerts, { product });
    const row = old ? db.update(alerts, old.id, { cents }) : db.insert(alerts, { product, cents });
    return alertView(db)(row);
  },
});

const unwatch = defineApi({
  summary: "Remove a price alert.",
  params: z.strictObject({ id: idOf("alert") }),
  returns: alertItem,
  example: (db) => ({ id: exampleId(db, alerts) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, alerts, id, "alert");
    db.remove(alerts, id);
    return alertView(db)(row);
  },
});

export const watchingApis = {
  subscriptions: list,
  subscribe,
  pauseSubscription: pause,
  resumeSubscription: resume,
  endSubscription: end,
  changeSubscription: change,
  alerts: listAlerts,
  watchPrice: watch,
  unwatchPrice: unwatch,
};
