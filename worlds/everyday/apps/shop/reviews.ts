/** Opinions: reviews of products that the owner has received, and questions that anyone may ask and answer. */

import {
  booleanParam,
  filterWhether,
  firstRowId,
  longTextParam,
  newestFirst,
  refuseUnless,
  requireSomeArgument,
  resource,
  type ViewContext,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { dayField, handleOf, personColumnFilter } from "../shared.ts";
import { ofProduct, product, productBy, rate } from "./lookup.ts";
import * as tables from "./tables.ts";

type Written = { readonly person?: number | null; readonly author: string | null };

/** A pen name, a handle, or `me` for the owner. */
function writer(db: Reader, { person, author }: Written) {
  if (person) return handleOf(db, person);
  return author ?? "me";
}

const by = [z.string(), (row: Written, { db }: ViewContext) => writer(db, row)] as const;
const mine = booleanParam("only the owner's own, or only those of others");

// --- reviews ---

const stars = z.int().min(1).max(5).describe("from 1 to 5");
const isOwn = (row: tables.Review) => row.person === null && row.author === null && !row.withdrawn;

/** Own reviews that stand; of others a 404, 403 or 409. */
const ownReviews = resource({
  noun: "review",
  item: tables.reviews.item({
    ...ofProduct,
    by,
    ...tables.reviews.fields("stars", "text"),
    day: dayField,
  }),
  guard: (row, { db }) => {
    refuseUnless(!row.withdrawn, 409, `id: review ${row.id} was withdrawn`);
    const by = writer(db, row);
    refuseUnless(isOwn(row), 403, `id: expected the owner's review, ${row.id} is by "${by}"`);
  },
  isExample: isOwn,
  save: ({ id, product }, patch, db) => {
    const row = db.update(tables.reviews, id, patch);
    rate(db, product);
    return row;
  },
});

/** The owner has received it: an own order with it was delivered. */
function received(db: Reader, product: number): boolean {
  return db.where(tables.orderLines, { product }).some((line) => {
    const order = db.get(tables.orders, line.order);
    return order?.status === "delivered" && order.person === null;
  });
}

function ownReview(db: Reader, product: number): tables.Review | undefined {
  return db.where(tables.reviews, { product }).find(isOwn);
}

// --- questions ---

const answersOf = (db: Reader, question: number) => db.where(tables.questionAnswers, { question });

const questionRows = resource({
  noun: "question",
  item: tables.questions.item({
    ...tables.questions.fields("text", "id", "product"),
    by,
    answers: [
      z.array(z.strictObject({ text: z.string(), by: z.string() })),
      ({ id }, { db }) =>
        answersOf(db, id).map((answer) => ({ text: answer.text, by: writer(db, answer) })),
    ],
  }),
});

export const opinionApis = {
  reviews: ownReviews.list(
    "List reviews, newest first: of a product, by a contact, or the owner's own.",
    {
      rows: { withdrawn: false },
      filters: {
        product: [
          product.describe("only of this product"),
          (id, { db }) => ({ product: productBy(db, id).id }),
        ],
        by: personColumnFilter("only by this contact", "by"),
        mine: [mine, filterWhether(isOwn)],
        stars: stars.describe("only with this many stars"),
      },
      order: newestFirst,
      example: { mine: true },
    },
  ),
  review: ownReviews.add(
    "Review a product that was delivered to the owner; once for each product.",
    {
      params: { product, stars, text: longTextParam("the review") },
      row: (args, { db, now }) => {
        const { id, name } = productBy(db, args.product);
        const had = received(db, id);
        refuseUnless(had, 422, `product: expected one that was delivered, "${name}" never was`);
        const old = ownReview(db, id);
        refuseUnless(!old, 409, `product: the owner's review of "${name}" is ${old?.id}`);
        const own = { person: null, author: null, withdrawn: false };
        const row = db.insert(tables.reviews, { ...args, ...own, at: now });
        rate(db, id);
        return row;
      },
      example: (db) => ({
        product: firstRowId(
          db,
          tables.products,
          ({ id }) => received(db, id) && !ownReview(db, id),
        ),
        stars: 4,
        text: "Does what it should.",
      }),
    },
  ),
  reviseReview: ownReviews.change("Change the stars or the text of an own review.", {
    params: { stars: stars.optional(), text: longTextParam("the new text").optional() },
    checkRow: (_, { stars, text }) => requireSomeArgument({ stars, text }),
    example: { stars: 3 },
  }),
  withdrawReview: ownReviews.set("Withdraw an own review.", { withdrawn: true }),
  questions: questionRows.list("List questions with their answers, newest first.", {
    filters: {
      product: product.describe("only about this product"),
      mine: [mine, filterWhether(({ author }) => author === null)],
      answered: [
        booleanParam("only with an answer, or only without"),
        filterWhether(({ id }, { db }) => answersOf(db, id).length > 0),
      ],
    },
    order: newestFirst,
    example: { answered: false },
  }),
  ask: questionRows.add("Ask a question about a product, in public.", {
    params: { product, text: longTextParam("the question") },
    row: (args, { db, now }) => {
      const product = productBy(db, args.product).id;
      return { product, author: null, text: args.text, at: now };
    },
    example: (db) => ({ product: firstRowId(db, tables.products), text: "Is it dishwasher safe?" }),
  }),
  answer: questionRows.act("Answer somebody's question about a product, in public.", {
    params: { text: longTextParam("the answer") },
    checkRow: ({ id, author }) => {
      const mine = `${id} is the owner's own`;
      refuseUnless(author !== null, 422, `id: expected a question of somebody else, ${mine}`);
    },
    run: ({ id }, { text }, { db, now }) => {
      db.insert(tables.questionAnswers, { question: id, author: null, text, at: now });
    },
    isExample: ({ author }) => author !== null,
    example: { text: "Yes, it is." },
  }),
};
