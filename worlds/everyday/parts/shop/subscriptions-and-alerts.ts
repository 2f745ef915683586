/** Goals about subscriptions and price alerts: their collections and actions. */
import {
  actions,
  atLeast,
  atMost,
  byArgument,
  defineCollection,
  integerBetween,
  nouns,
  oneOf,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Alert, alerts, type Subscription, subscriptions } from "../../apps/shop/tables.ts";
import { PRICE_SUPERLATIVES } from "./product-descriptions.ts";
import { productCents, productName } from "./shop-rows.ts";

const deliveryCents = ({ product, count }: Subscription, db: Reader) =>
  count * productCents(db, product);

const subscriptionListOptions = { kind: "subscriptions", app: "shop", table: subscriptions };

export const subscriptionCollection = defineCollection<Subscription>({
  ...subscriptionListOptions,
  list: "subscriptions",
  nouns: nouns`shop subscription(s) of mine | subscription(s) of mine in the shop | product
      subscription of mine / product subscriptions of mine in the shop | subscription that I took
      out in the shop / subscriptions in the shop | shop subscription(s)`,
  columns: ({ choice, number, money, text }) => ({
    status: choice("status", { arg: "status" })`that are $ | with the status "$" | whose status is
        "$" | which are $ at the moment | that the shop lists as $`,
    weeks: number(
      "weeks",
      {},
      atLeast("seldom", { excludes: ["often"] })`with $ or more weeks between deliveries | that come
          every $ weeks or less often | with at least $ weeks between two deliveries | whose
          deliveries are $ weeks or more apart | with no fewer than $ weeks from one delivery to the
          next`,
      atMost("often")`with $ or fewer weeks between deliveries | that come every $ weeks or more
          often | with at most $ weeks between two deliveries | whose deliveries are $ weeks or less
          apart | with no more than $ weeks from one delivery to the next`,
    ),
    price: money(
      deliveryCents,
      { item: "price", noun: "price per delivery", superlatives: PRICE_SUPERLATIVES },
      atLeast("price")`that cost $ or more per delivery | with a price of at least $ for each
          delivery | for which a delivery costs $ or more | whose deliveries cost no less than $
          each | with deliveries at $ or above`,
    ),
    count: number("count", { noun: "number of pieces per delivery" }),
    name: text((row, db) => productName(db, row.product), { item: "name", noun: "product name" }),
  }),
});

const hasNotEnded = ({ status }: Subscription) => status !== "ended";

const subscriptionActions = actions(
  subscriptionListOptions,
  ({ actionWithOne, setsToDrawn, sets }) => ({
    pause: sets({ status: "paused" }, { when: { status: "active" }, api: "pauseSubscription" })`
    Pause # | Put # on hold | Suspend # for now | Have # paused | Let the shop pause #`,
    resume: sets({ status: "active" }, { when: { status: "paused" }, api: "resumeSubscription" })`
    Resume # | Take up # again | Start # again after the pause | Have # resumed | Let the shop
      resume #`,
    end: sets(
      { status: "ended" },
      { when: hasNotEnded, api: "endSubscription" },
    )`End # for good | Stop # forever | Terminate # | Have # ended for good | Let the shop end #`,
    rhythm: setsToDrawn("weeks", oneOf([5, 7, 9, 10, 13]), {
      when: hasNotEnded,
      api: "changeSubscription",
    })`
    Change # to a delivery every $ weeks | Set the interval of # to $ weeks | Have # delivered every
      $ weeks from now on | Let # come every $ weeks | Make $ weeks the time between deliveries for
      #`,
    pieces: actionWithOne(integerBetween(4, 9), ({ value: count }) =>
      sets({ count }, { when: hasNotEnded, api: "changeSubscription", args: `count:${count}` }),
    )`Change # to $ pieces per delivery | Set the number of pieces of # to $ | Let # bring $ pieces
      each time | Have # delivered with $ pieces each time | Make it $ pieces per delivery for #`,
  }),
);

const alertListOptions = { kind: "alerts", app: "shop", table: alerts };

export const alertCollection = defineCollection<Alert>({
  ...alertListOptions,
  list: "alerts",
  nouns: nouns`price alert(s) in the shop | price alert of mine / price alerts of mine in the shop
    | shop price alert(s) | alert for a price in the shop / alerts for prices in the shop | price
      alert that I set / price alerts of mine`,
  columns: ({ withOrWithout, money, text }) => ({
    reached: withOrWithout(
      ({ product, cents }, db) => productCents(db, product) <= cents,
      byArgument("reached"),
    )`that are reached | whose price is reached
        | where the product costs no more than the alert says | which have been reached by now
        | for which the price is low enough by
          now``that are not reached | whose price is not reached | where the product still costs
            more than the alert says | which have not been reached so far | for which the price is
            not low enough so far`,
    below: money(
      "cents",
      { item: "below", noun: "alert price" },
      atMost("low")`set at $ or less | that are set at $ or below | with an alert price of at most $
        | whose alert price is $ or less | with an alert price that is no higher than $`,
    ),
    price: money(
      (row, db) => productCents(db, row.product),
      { item: "price" },
      atLeast("dear")`for products that now cost $ or more | whose product costs $ or more at
          present | for products with a current price of at least $ | on products that cost $ or
          above today | where the product has a current price of no less than $`,
    ),
    name: text((row, db) => productName(db, row.product), { item: "name", noun: "product name" }),
  }),
});

const alertActions = actions(alertListOptions, ({ removesRow }) => ({
  unwatch: removesRow({ api: "unwatchPrice" })`Remove # | Delete # | Get rid of # | Clear away #
    | Have # removed`,
}));

export const subscriptionAndAlertActions = [...subscriptionActions, ...alertActions];
