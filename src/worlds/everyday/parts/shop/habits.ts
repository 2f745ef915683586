/** Subscriptions and price alerts: by state, rhythm and price; paused, resumed, ended, changed, removed. */

import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Field,
  moneyWords,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Alert, alerts, type Subscription, subscriptions } from "../../apps/shop/tables.ts";
import { atLeast, atMost, centsAtLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { centsOf, js, nameOf, price } from "./writes.ts";

const deliveryCents = (db: Reader, { product, count }: Subscription) =>
  count * centsOf(db, product);

const status: Clause<Subscription> = {
  name: "status",
  draw: ({ rng }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.map((row) => row.status),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `that are ${chosen}`,
        `with the status "${chosen}"`,
        `whose status is "${chosen}"`,
        `which are ${chosen} at the moment`,
        `that the shop lists as ${chosen}`,
      ],
      holds: (row) => row.status === chosen,
      code: { args: `status:${js(chosen)}` },
    };
  },
};

const seldom: Clause<Subscription> = {
  name: "seldom",
  excludes: ["often"],
  draw: ({ rng }, rows) => {
    const weeks = atLeast(
      rng,
      rows.map((row) => row.weeks),
    );
    if (weeks === undefined) return undefined;
    return {
      words: [
        `with ${weeks} or more weeks between deliveries`,
        `that come every ${weeks} weeks or less often`,
        `with at least ${weeks} weeks between two deliveries`,
        `whose deliveries are ${weeks} weeks or more apart`,
        `with no fewer than ${weeks} weeks from one delivery to the next`,
      ],
      holds: (row) => row.weeks >= weeks,
      code: { test: `x.weeks>=${weeks}` },
    };
  },
};

const often: Clause<Subscription> = {
  name: "often",
  draw: ({ rng }, rows) => {
    const weeks = atMost(
      rng,
      rows.map((row) => row.weeks),
    );
    if (weeks === undefined) return undefined;
    return {
      words: [
        `with ${weeks} or fewer weeks between deliveries`,
        `that come every ${weeks} weeks or more often`,
        `with at most ${weeks} weeks between two deliveries`,
        `whose deliveries are ${weeks} weeks or less apart`,
        `with no more than ${weeks} weeks from one delivery to the next`,
      ],
      holds: (row) => row.weeks <= weeks,
      code: { test: `x.weeks<=${weeks}` },
    };
  },
};

const costly: Clause<Subscription> = {
  name: "price",
  draw: ({ rng, db }, rows) => {
    const cents = centsAtLeast(
      rng,
      rows.map((row) => deliveryCents(db, row)),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `that cost ${sum} or more per delivery`,
        `with a price of at least ${sum} for each delivery`,
        `for which a delivery costs ${sum} or more`,
        `whose deliveries cost no less than ${sum} each`,
        `with deliveries at ${sum} or above`,
      ],
      holds: (row, reader) => deliveryCents(reader, row) >= cents,
      code: { test: `x.price>=${price(cents)}` },
    };
  },
};

const subscriptionFields: readonly Field<Subscription>[] = [
  {
    name: "price",
    unit: "money",
    noun: "price per delivery",
    value: (row, db) => deliveryCents(db, row) / 100,
    code: "x.price",
    superlatives: {
      most: ["most expensive", "dearest", "costliest", "priciest", "highest-priced"],
      least: ["cheapest", "least expensive", "least costly", "lowest-priced", "least pricey"],
    },
  },
  {
    name: "count",
    unit: "number",
    noun: "number of pieces per delivery",
    value: (row) => row.count,
    code: "x.count",
  },
  {
    name: "name",
    unit: "text",
    noun: "product name",
    value: (row, db) => nameOf(db, row.product),
    code: "x.name",
  },
];

export const subscriptionCollection: Collection = collection<Subscription>({
  name: "subscriptions",
  kind: "subscriptions",
  app: "shop",
  table: subscriptions,
  base: () => true,
  nouns: [
    { one: "shop subscription of mine", many: "shop subscriptions of mine" },
    { one: "subscription of mine in the shop", many: "subscriptions of mine in the shop" },
    { one: "product subscription of mine", many: "product subscriptions of mine in the shop" },
    { one: "subscription that I took out in the shop", many: "subscriptions in the shop" },
    { one: "shop subscription", many: "shop subscriptions" },
  ],
  list: { api: "shop.subscriptions" },
  key: "id",
  whole: false,
  clauses: [status, seldom, often, costly],
  fields: subscriptionFields,
});

const base = { kind: "subscriptions", app: "shop", difficulty: 1 } as const;
const stateOf = (db: Reader, id: number) => db.get(subscriptions, id)!.status;

const pause: Action = {
  ...base,
  name: "pause",
  draw: () => ({
    frames: [
      (noun) => `Pause ${noun}`,
      (noun) => `Put ${noun} on hold`,
      (noun) => `Suspend ${noun} for now`,
      (noun) => `Have ${noun} paused`,
      (noun) => `Let the shop pause ${noun}`,
    ],
    permits: (db, id) => stateOf(db, id) === "active",
    apply: (db, id) => {
      db.update(subscriptions, id, { status: "paused" });
    },
    call: (x) => `apis.shop.pauseSubscription({id:${x}})`,
  }),
};

const resume: Action = {
  ...base,
  name: "resume",
  draw: () => ({
    frames: [
      (noun) => `Resume ${noun}`,
      (noun) => `Take up ${noun} again`,
      (noun) => `Start ${noun} again after the pause`,
      (noun) => `Have ${noun} resumed`,
      (noun) => `Let the shop resume ${noun}`,
    ],
    permits: (db, id) => stateOf(db, id) === "paused",
    apply: (db, id) => {
      db.update(subscriptions, id, { status: "active" });
    },
    call: (x) => `apis.shop.resumeSubscription({id:${x}})`,
  }),
};

const end: Action = {
  ...base,
  name: "end",
  draw: () => ({
    frames: [
      (noun) => `End ${noun} for good`,
      (noun) => `Stop ${noun} forever`,
      (noun) => `Terminate ${noun}`,
      (noun) => `Have ${noun} ended for good`,
      (noun) => `Let the shop end ${noun}`,
    ],
    permits: (db, id) => stateOf(db, id) !== "ended",
    apply: (db, id) => {
      db.update(subscriptions, id, { status: "ended" });
    },
    call: (x) => `apis.shop.endSubscription({id:${x}})`,
  }),
};

const rhythm: Action = {
  ...base,
  name: "rhythm",
  draw: ({ rng }) => {
    const weeks = rng.pick([5, 7, 9, 10, 13]);
    return {
      frames: [
        (noun) => `Change ${noun} to a delivery every ${weeks} weeks`,
        (noun) => `Set the interval of ${noun} to ${weeks} weeks`,
        (noun) => `Have ${noun} delivered every ${weeks} weeks from now on`,
        (noun) => `Let ${noun} come every ${weeks} weeks`,
        (noun) => `Make ${weeks} weeks the time between deliveries for ${noun}`,
      ],
      permits: (db, id) =>
        stateOf(db, id) !== "ended" && db.get(subscriptions, id)!.weeks !== weeks,
      apply: (db, id) => {
        db.update(subscriptions, id, { weeks });
      },
      call: (x) => `apis.shop.changeSubscription({id:${x},weeks:${weeks}})`,
    };
  },
};

const pieces: Action = {
  ...base,
  name: "pieces",
  draw: ({ rng }) => {
    const count = rng.integer(4, 9);
    return {
      frames: [
        (noun) => `Change ${noun} to ${count} pieces per delivery`,
        (noun) => `Set the number of pieces of ${noun} to ${count}`,
        (noun) => `Let ${noun} bring ${count} pieces each time`,
        (noun) => `Have ${noun} delivered with ${count} pieces each time`,
        (noun) => `Make it ${count} pieces per delivery for ${noun}`,
      ],
      permits: (db, id) => stateOf(db, id) !== "ended",
      apply: (db, id) => {
        db.update(subscriptions, id, { count });
      },
      call: (x) => `apis.shop.changeSubscription({id:${x},count:${count}})`,
    };
  },
};

// --- alerts ---

const reached = (db: Reader, { product, cents }: Alert) => centsOf(db, product) <= cents;

const isReached: Clause<Alert> = {
  name: "reached",
  draw: ({ rng }) => {
    const yes = rng.chance(0.5);
    return {
      words: yes
        ? [
            "that are reached",
            "whose price is reached",
            "where the product costs no more than the alert says",
            "which have been reached by now",
            "for which the price is low enough by now",
          ]
        : [
            "that are not reached",
            "whose price is not reached",
            "where the product still costs more than the alert says",
            "which have not been reached so far",
            "for which the price is not low enough so far",
          ],
      holds: (row, db) => reached(db, row) === yes,
      code: { args: `reached:${yes}` },
    };
  },
};

const low: Clause<Alert> = {
  name: "low",
  draw: ({ rng }, rows) => {
    const cents = centsAtMost(
      rng,
      rows.map((row) => row.cents),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `set at ${sum} or less`,
        `that are set at ${sum} or below`,
        `with an alert price of at most ${sum}`,
        `whose alert price is ${sum} or less`,
        `with an alert price that is no higher than ${sum}`,
      ],
      holds: (row) => row.cents <= cents,
      code: { test: `x.below<=${price(cents)}` },
    };
  },
};

const dearProduct: Clause<Alert> = {
  name: "dear",
  draw: ({ rng, db }, rows) => {
    const cents = centsAtLeast(
      rng,
      rows.map((row) => centsOf(db, row.product)),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `for products that now cost ${sum} or more`,
        `whose product costs ${sum} or more at present`,
        `for products with a current price of at least ${sum}`,
        `on products that cost ${sum} or above today`,
        `where the product has a current price of no less than ${sum}`,
      ],
      holds: (row, reader) => centsOf(reader, row.product) >= cents,
      code: { test: `x.price>=${price(cents)}` },
    };
  },
};

export const alertCollection: Collection = collection<Alert>({
  name: "alerts",
  kind: "alerts",
  app: "shop",
  table: alerts,
  base: () => true,
  nouns: [
    { one: "price alert in the shop", many: "price alerts in the shop" },
    { one: "price alert of mine", many: "price alerts of mine in the shop" },
    { one: "shop price alert", many: "shop price alerts" },
    { one: "alert for a price in the shop", many: "alerts for prices in the shop" },
    { one: "price alert that I set", many: "price alerts of mine" },
  ],
  list: { api: "shop.alerts" },
  key: "id",
  whole: false,
  clauses: [isReached, low, dearProduct],
  fields: [
    {
      name: "below",
      unit: "money",
      noun: "alert price",
      value: (row) => row.cents / 100,
      code: "x.below",
    },
    {
      name: "name",
      unit: "text",
      noun: "product name",
      value: (row, db) => nameOf(db, row.product),
      code: "x.name",
    },
  ],
});

const unwatch: Action = {
  name: "unwatch",
  kind: "alerts",
  app: "shop",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Remove ${noun}`,
      (noun) => `Delete ${noun}`,
      (noun) => `Get rid of ${noun}`,
      (noun) => `Clear away ${noun}`,
      (noun) => `Since they are no longer needed, remove ${noun}`,
    ],
    apply: (db, id) => db.remove(alerts, id),
    call: (x) => `apis.shop.unwatchPrice({id:${x}})`,
  }),
};

export const habitActions: readonly Action[] = [pause, resume, end, rhythm, pieces, unwatch];
