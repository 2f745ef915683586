/**
 * Defines the APIs of reviews of products that the owner has received, and of questions that anyone may ask and answer.
 */

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
import { product, productFields, requireProduct, updateRating } from "./lookup.ts";
import * as tables from "./tables.ts";

type Authored = { readonly person?: number | null; readonly author: string | null };

/** Returns who wrote a review or question: a pen name, a handle, or `me` for the owner. */
function authorName(db: Reader, { person, author }: Authored) {
  if (person) return handleOf(db, person);
  return author ?? "me";
}

const authorField = [
  z.string(),
  (row: Authored, { db }: ViewContext) => authorName(db, row),
] as const;
const mineParam = booleanParam("only the owner's own, or only those of others");

const stars = z.int().min(1).max(5).describe("from 1 to 5");
const isOwnReview = (row: tables.Review) =>
  row.person === null && row.author === null && !row.withdrawn;

/**
 * The reviews. Only the owner's own reviews that were not withdrawn can be changed; the guard throws a 403 or 409 for
 * others.
 */
const reviewResource = resource({
  noun: "review",
  item: tables.reviews.item({
    ...productFields,
    by: authorField,
    ...tables.reviews.fields("stars", "text"),
    day: dayField,
  }),
  guard: (row, { db }) => {
    refuseUnless(!row.withdrawn, 409, `id: review ${row.id} was withdrawn`);
    const by = authorName(db, row);
    refuseUnless(isOwnReview(row), 403, `id: expected the owner's review, ${row.id} is by "${by}"`);
  },
  isExample: isOwnReview,
  save: ({ id, product }, patch, db) => {
    const row = db.update(tables.reviews, id, patch);
    updateRating(db, product);
    return row;
  },
});

/** Returns true when the owner has received the product, that is, when an own order with it was delivered. */
function wasDelivered(db: Reader, product: number): boolean {
  return db.where(tables.orderLines, { product }).some((line) => {
    const order = db.get(tables.orders, line.order);
    return order?.status === "delivered" && order.person === null;
  });
}

function findOwnReview(db: Reader, product: number): tables.Review | undefined {
  return db.where(tables.reviews, { product }).find(isOwnReview);
}

const answersTo = (db: Reader, question: number) => db.where(tables.questionAnswers, { question });

const questionResource = resource({
  noun: "question",
  item: tables.questions.item({
    ...tables.questions.fields("text", "id", "product"),
    by: authorField,
    answers: [
      z.array(z.strictObject({ text: z.string(), by: z.string() })),
      ({ id }, { db }) =>
        answersTo(db, id).map((answer) => ({ text: answer.text, by: authorName(db, answer) })),
    ],
  }),
});

export const reviewAndQuestionApis = {
  reviews: reviewResource.list(
    "List reviews, newest first: of a product, by a contact, or the owner's own; withdrawn ones are left out.",
    {
      rows: { withdrawn: false },
      filters: {
        product: [
          product.describe("only of this product"),
          (id, { db }) => ({ product: requireProduct(db, id).id }),
        ],
        person: personColumnFilter("only by this contact", "person"),
        mine: [mineParam, filterWhether(isOwnReview)],
        stars: stars.describe("only with this many stars"),
      },
      order: newestFirst,
      example: { mine: true },
    },
  ),
  review: reviewResource.add(
    "Review a product that was delivered to the owner; once for each product.",
    {
      params: { product, stars, text: longTextParam("the review") },
      row: (args, { db, now }) => {
        const { id, name } = requireProduct(db, args.product);
        const hasReceived = wasDelivered(db, id);
        refuseUnless(
          hasReceived,
          422,
          `product: expected one that was delivered, "${name}" never was`,
        );
        const existing = findOwnReview(db, id);
        refuseUnless(!existing, 409, `product: the owner's review of "${name}" is ${existing?.id}`);
        const ownColumns = { person: null, author: null, withdrawn: false };
        const row = db.insert(tables.reviews, { ...args, ...ownColumns, at: now });
        updateRating(db, id);
        return row;
      },
      example: (db) => ({
        product: firstRowId(
          db,
          tables.products,
          ({ id }) => wasDelivered(db, id) && !findOwnReview(db, id),
        ),
        stars: 4,
        text: "Does what it should.",
      }),
    },
  ),
  reviseReview: reviewResource.change("Change the stars or the text of an own review.", {
    params: { stars: stars.optional(), text: longTextParam("the new text").optional() },
    checkRow: (_, { stars, text }) => requireSomeArgument({ stars, text }),
    example: { stars: 3 },
  }),
  withdrawReview: reviewResource.set("Withdraw an own review.", { withdrawn: true }),
  questions: questionResource.list("List questions with their answers, newest first.", {
    filters: {
      product: product.describe("only about this product"),
      mine: [mineParam, filterWhether(({ author }) => author === null)],
      answered: [
        booleanParam("only with an answer, or only without"),
        filterWhether(({ id }, { db }) => answersTo(db, id).length > 0),
      ],
    },
    order: newestFirst,
    example: { answered: false },
  }),
  ask: questionResource.add("Ask a question about a product, in public.", {
    params: { product, text: longTextParam("the question") },
    row: (args, { db, now }) => {
      const product = requireProduct(db, args.product).id;
      return { product, author: null, text: args.text, at: now };
    },
    example: (db) => ({ product: firstRowId(db, tables.products), text: "Is it dishwasher safe?" }),
  }),
  answer: questionResource.act("Answer somebody's question about a product, in public.", {
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
