/** The owner's reviews, and which products may be reviewed. */

import {
  type Action,
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Field,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { orderLines, orders, products, type Review, reviews } from "../../apps/shop/tables.ts";
import { atMost, oneOfSome } from "../bounds.ts";
import { js, nameOf } from "./writes.ts";

const isOwn = (row: Review) => row.person === null && row.author === null && !row.withdrawn;

export function hasReceived(db: Reader, product: number): boolean {
  return db.where(orderLines, { product }).some(({ order }) => {
    const row = db.get(orders, order);
    return row?.status === "delivered" && row.person === null;
  });
}

export function isReviewed(db: Reader, product: number): boolean {
  return db.where(reviews, { product }).some(isOwn);
}

const stars: Clause<Review> = {
  name: "stars",
  draw: ({ rng }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.map((row) => row.stars),
    );
    if (chosen === undefined) return undefined;
    const many = chosen === 1 ? "1 star" : `${chosen} stars`;
    return {
      words: [
        `with ${many}`,
        `of ${many}`,
        `in which I gave ${many}`,
        `that have ${many}`,
        `with a rating of ${many}`,
      ],
      holds: (row) => row.stars === chosen,
      code: { args: `stars:${chosen}` },
    };
  },
};

const category: Clause<Review> = {
  name: "category",
  draw: ({ rng, db }, rows) => {
    const of = (reader: Reader, row: Review) => reader.get(products, row.product)!.category;
    const chosen = oneOfSome(
      rng,
      rows.map((row) => of(db, row)),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `of products in the category "${chosen}"`,
        `about products from the category "${chosen}"`,
        `whose product is in the category "${chosen}"`,
        `that are about a product of the category "${chosen}"`,
        `where the product belongs to the category "${chosen}"`,
      ],
      holds: (row, reader) => of(reader, row) === chosen,
      code: { test: `apis.shop.product({id:x.product}).category===${js(chosen)}` },
    };
  },
};

const saying: Clause<Review> = {
  name: "saying",
  draw: ({ rng }, rows) => {
    const openings = rows.map((row) => row.text.split(". ")[0]!);
    const chosen = oneOfSome(rng, openings);
    if (chosen === undefined) return undefined;
    return {
      words: [
        `that say "${chosen}"`,
        `with the words "${chosen}" in them`,
        `in which I wrote "${chosen}"`,
        `whose text has "${chosen}" in it`,
        `that contain the words "${chosen}"`,
      ],
      holds: (row) => row.text.includes(chosen),
      code: { test: `x.text.includes(${js(chosen)})` },
    };
  },
};

const old: Clause<Review> = {
  name: "until",
  draw: ({ rng }, rows) => {
    const day = atMost(
      rng,
      rows.map((row) => row.at.slice(0, 10)),
    );
    if (day === undefined) return undefined;
    const date = dayWords(day);
    return {
      words: [
        `from ${date} or earlier`,
        `written on ${date} or before that`,
        `that I wrote no later than ${date}`,
        `which date from ${date} or before`,
        `that were written on ${date} or earlier`,
      ],
      holds: (row) => row.at.slice(0, 10) <= day,
      code: { test: `x.day<=${js(day)}` },
    };
  },
};

const fields: readonly Field<Review>[] = [
  {
    name: "stars",
    unit: "grade",
    noun: "number of stars",
    value: (row) => row.stars,
    code: "x.stars",
  },
  {
    name: "product",
    unit: "text",
    noun: "product name",
    value: (row, db) => nameOf(db, row.product),
    code: "x.name",
  },
];

export const reviewCollection: Collection = collection<Review>({
  name: "reviews",
  kind: "reviews",
  app: "shop",
  table: reviews,
  base: isOwn,
  nouns: [
    { one: "review of mine in the shop", many: "reviews of mine in the shop" },
    { one: "review that I published in the shop", many: "reviews in the shop by me" },
    { one: "review that I wrote in the shop", many: "shop reviews of mine" },
    { one: "product review of mine", many: "product reviews of mine" },
    { one: "review by me in the shop", many: "reviews by me in the shop" },
  ],
  list: { api: "shop.reviews", args: "mine:true" },
  key: "id",
  whole: false,
  clauses: [stars, category, saying, old],
  fields,
});

const base = { kind: "reviews", app: "shop" } as const;
const stands = (db: Reader, id: number) => !db.get(reviews, id)!.withdrawn;

const restar: Action = {
  ...base,
  name: "restar",
  difficulty: 1,
  draw: ({ rng }) => {
    const count = rng.integer(2, 5);
    return {
      frames: [
        (noun) => `Change ${noun} to ${count} stars`,
        (noun) => `Set the stars of ${noun} to ${count}`,
        (noun) => `Give ${noun} ${count} stars instead`,
        (noun) => `Revise ${noun} to ${count} stars`,
        (noun) => `Let ${noun} have ${count} stars from now on`,
      ],
      permits: (db, id) => stands(db, id) && db.get(reviews, id)!.stars !== count,
      apply: (db, id) => {
        db.update(reviews, id, { stars: count });
      },
      call: (x) => `apis.shop.reviseReview({id:${x},stars:${count}})`,
    };
  },
};

const rewrite: Action = {
  ...base,
  name: "rewrite",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Replace the text of ${noun} with ${text.words}`,
        (noun) => `Change the text of ${noun} to ${text.words}`,
        (noun) => `Rewrite ${noun} so that the text is ${text.words}`,
        (noun) => `Let the text of ${noun} be ${text.words}`,
        (noun) => `Revise ${noun}: the new text is ${text.words}`,
      ],
      uses: [text],
      permits: stands,
      apply: (db, id) => {
        db.update(reviews, id, { text: text.value });
      },
      call: (x) => `apis.shop.reviseReview({id:${x},text:${text.code}})`,
    };
  },
};

const withdraw: Action = {
  ...base,
  name: "withdraw",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Withdraw ${noun}`,
      (noun) => `Take back ${noun}`,
      (noun) => `Have ${noun} withdrawn`,
      (noun) => `Please withdraw ${noun} from the shop`,
      (noun) => `I no longer stand by what I wrote: withdraw ${noun}`,
    ],
    permits: stands,
    apply: (db, id) => {
      db.update(reviews, id, { withdrawn: true });
    },
    call: (x) => `apis.shop.withdrawReview({id:${x}})`,
  }),
};

export const reviewActions: readonly Action[] = [restar, rewrite, withdraw];
