/** Opinions: reviews of products that the owner has received, and questions that anyone may ask and answer. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  dayOf,
  given,
  handle,
  handleOf,
  idOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  personId,
  prose,
  rowBy,
} from "../shared.ts";
import { exampleId, nameOf, productBy, rate } from "./lookup.ts";
import {
  orderLines,
  orders,
  products,
  type Question,
  questionAnswers,
  questions,
  type Review,
  reviews,
} from "./tables.ts";

/** A pen name, a handle, or `me` for the owner. */
function writer(db: Reader, { person, author }: { person?: number | null; author: string | null }) {
  if (person) return handleOf(db, person);
  return author ?? "me";
}

const reviewItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  product: z.int(),
  by: z.string(),
  stars: z.int(),
  text: z.string(),
  day: z.string(),
});

const view = (db: Reader) => (row: Review) => ({
  name: nameOf(db, row.product),
  id: row.id,
  product: row.product,
  by: writer(db, row),
  stars: row.stars,
  text: row.text,
  day: dayOf(row.at),
});

const stars = z.int().min(1).max(5).describe("from 1 to 5");
const product = idOf("product");
const isOwn = (row: Review) => row.person === null && row.author === null && !row.withdrawn;

const list = defineApi({
  summary: "List reviews, newest first: of a product, by a contact, or the owner's own.",
  params: z.strictObject({
    product: product.optional().describe("only of this product"),
    by: handle("only by this contact").optional(),
    mine: z.boolean().optional().describe("only the owner's own, or only those of others"),
    stars: stars.optional().describe("only with this many stars"),
    ...paging,
  }),
  returns: pageOf(reviewItem),
  example: () => ({ mine: true }),
  handler: ({ db }, { product, by, mine, stars, ...page }) => {
    if (product !== undefined) productBy(db, product);
    const person = personId(db, by, "by");
    const rows = db
      .where(reviews, given({ withdrawn: false, product, person, stars }))
      .filter((row) => mine === undefined || isOwn(row) === mine);
    return paged(newestFirst(rows), page, view(db));
  },
});

/** The owner has received it: an own order with it was delivered. */
export function received(db: Reader, product: number): boolean {
  return db.where(orderLines, { product }).some((line) => {
    const order = db.get(orders, line.order);
    return order?.status === "delivered" && order.person === null;
  });
}

export function ownReview(db: Reader, product: number): Review | undefined {
  return db.where(reviews, { product }).find(isOwn);
}

const add = defineApi({
  summary: "Review a product that was delivered to the owner; once for each product.",
  params: z.strictObject({ product, stars, text: prose("the review") }),
  returns: reviewItem,
  example: (db) => ({
    product: exampleId(db, products, (row) => received(db, row.id) && !ownReview(db, row.id)),
    stars: 4,
    text: "Does what it should.",
  }),
  handler: ({ db, now }, { product, stars, text }) => {
    const { id, name } = productBy(db, product);
    if (!received(db, id)) {
      throw new ApiError(422, `product: expected one that was delivered, "${name}" never was`);
    }
    const old = ownReview(db, id);
    if (old) throw new ApiError(409, `product: the owner's review of "${name}" is ${old.id}`);
    const own = { person: null, author: null, withdrawn: false };
    const row = db.insert(reviews, { product: id, stars, text, ...own, at: now });
    rate(db, id);
    return view(db)(row);
  },
});

const id = idOf("review");

/** An own review that stands; otherwise a 404, 403 or 409. */
function mine(db: Reader, id: number): Review {
  const row = rowBy(db, reviews, id, "review");
  if (isOwn(row)) return row;
  if (row.withdrawn) throw new ApiError(409, `id: review ${id} was withdrawn`);
  throw new ApiError(403, `id: expected the owner's review, ${id} is by "${writer(db, row)}"`);
}

const ownId = (db: Reader) => exampleId(db, reviews, isOwn);

const revise = defineApi({
  summary: "Change the stars or the text of an own review.",
  params: z.strictObject({
    id,
    stars: stars.optional(),
    text: prose("the new text").optional(),
  }),
  returns: reviewItem,
  example: (db) => ({ id: ownId(db), stars: 3 }),
  handler: ({ db }, { id, ...changes }) => {
    const { product } = mine(db, id);
    const patch = given(changes);
    if (Object.keys(patch).length === 0) {
      throw new ApiError(422, "stars, text: expected at least one of them, got none");
    }
    const row = db.update(reviews, id, patch);
    rate(db, product);
    return view(db)(row);
  },
});

const withdraw = defineApi({
  summary: "Withdraw an own review.",
  params: z.strictObject({ id }),
  returns: reviewItem,
  example: (db) => ({ id: ownId(db) }),
  handler: ({ db }, { id }) => {
    const { product } = mine(db, id);
    const row = db.update(reviews, id, { withdrawn: true });
    rate(db, product);
    return view(db)(row);
  },
});

// --- questions ---

const questionItem = z.strictObject({
  text: z.string(),
  id: z.int(),
  product: z.int(),
  by: z.string(),
  answers: z.array(z.strictObject({ text: z.string(), by: z.string() })),
});

const questionView = (db: Reader) => (row: Question) => ({
  text: row.text,
  id: row.id,
  product: row.product,
  by: writer(db, row),
  answers: db
    .where(questionAnswers, { question: row.id })
    .map((answer) => ({ text: answer.text, by: writer(db, answer) })),
});

const listQuestions = defineApi({
  summary: "List questions with their answers, newest first.",
  params: z.strictObject({
    product: product.optional().describe("only about this product"),
    mine: z.boolean().optional().describe("only the owner's own, or only those of others"),
    answered: z.boolean().optional().describe("only with an answer, or only without"),
    ...paging,
  }),
  returns: pageOf(questionItem),
  example: () => ({ answered: false }),
  handler: ({ db }, { product, mine, answered, ...page }) => {
    const has = (row: Question) => db.where(questionAnswers, { question: row.id }).length > 0;
    const rows = db
      .where(questions, given({ product }))
      .filter(
        (row) =>
          (mine === undefined || (row.author === null) === mine) &&
          (answered === undefined || has(row) === answered),
      );
    return paged(newestFirst(rows), page, questionView(db));
  },
});

const ask = defineApi({
  summary: "Ask a question about a product, in public.",
  params: z.strictObject({ product, text: prose("the question") }),
  returns: questionItem,
  example: (db) => ({ product: exampleId(db, products), text: "Is it dishwasher safe?" }),
  handler: ({ db, now }, args) => {
    const product = productBy(db, args.product).id;
    const row = db.insert(questions, { product, author: null, text: args.text, at: now });
    return questionView(db)(row);
  },
});

const answer = defineApi({
  summary: "Answer somebody's question about a product, in public.",
  params: z.strictObject({ id: idOf("question"), text: prose("the answer") }),
  returns: questionItem,
  example: (db) => ({
    id: exampleId(db, questions, (row) => row.author !== null),
    text: "Yes, it is.",
  }),
  handler: ({ db, now }, { id, text }) => {
    const row = rowBy(db, questions, id, "question");
    if (row.author === null) {
      throw new ApiError(422, `id: expected a question of somebody else, ${id} is the owner's own`);
    }
    db.insert(questionAnswers, { question: id, author: null, text, at: now });
    return questionView(db)(row);
  },
});

export const opinionApis = {
  reviews: list,
  review: add,
  reviseReview: revise,
  withdrawReview: withdraw,
  questions: listQuestions,
  ask,
  answer,
};
