/** The owner's reviews: by stars, category, words and day; changed and withdrawn. */
import {
  actions,
  atMost,
  forms,
  giving,
  js,
  nouns,
  oneOfSome,
  rows,
} from "../../../../goals/index.ts";
import { type Review, reviews } from "../../apps/shop/tables.ts";
import { productOf } from "./goods.ts";
import { isOwnReview, nameOf } from "./writes.ts";

const on = { kind: "reviews", app: "shop", table: reviews };

export const reviewCollection = rows<Review>({
  ...on,
  base: isOwnReview,
  list: { api: "reviews", args: "mine:true" },
  nouns: nouns`review(s) of mine in the shop | review that I published in the shop / reviews in the
      shop by me | review that I wrote in the shop / shop reviews of mine | product review(s) of
      mine | review(s) by me in the shop`,
  columns: ({ choice, clause, day, text }) => ({
    stars: choice(
      "stars",
      { arg: "stars", noun: "number of stars", unit: "grade" },
      { says: (stars) => (stars === "1" ? "1 star" : `${stars} stars`) },
    )`with $ | of $ | in which I gave $ | that have $ | with a rating of $`,
    category: choice((row, db) => productOf(row, db).category, {
      code: "apis.shop.product({id:x.product}).category",
    })`of products in the category "$" | about products from the category "$" | whose product is in
        the category "$" | that are about a product of the category "$" | where the product belongs
        to the category "$"`,
    saying: clause(({ rng }, all) => {
      const opening = oneOfSome(
        rng,
        all.map((row) => row.text.split(". ")[0]!),
      );
      if (opening === undefined) return undefined;
      return {
        words: forms`that say "${opening}" | with the words "${opening}" in them | in which I wrote
            "${opening}" | whose text has "${opening}" in it | that contain the words "${opening}"`,
        holds: (row) => row.text.includes(opening),
        code: { test: `x.text.includes(${js(opening)})` },
      };
    }),
    day: day(
      (row) => row.at.slice(0, 10),
      { item: "day" },
      atMost("until")`from $ or earlier | written on $ or before that | that I wrote no later than $
        | which date from $ or before | that were written on $ or earlier`,
    ),
    product: text((row, db) => nameOf(db, row.product), { item: "name", noun: "product name" }),
  }),
});

const stands = (row: Review) => !row.withdrawn;

export const reviewActions = actions(on, ({ sets, drawn }) => ({
  restar: drawn(({ rng }) => {
    const stars = rng.integer(2, 5);
    const when = (row: Review) => stands(row) && row.stars !== stars;
    return sets({ stars }, { when, api: "reviseReview", args: `stars:${stars}` })`
      Change # to ${stars} stars | Set the stars of # to ${stars} | Give # ${stars} stars instead
      | Revise # to ${stars} stars | Let # have ${stars} stars from now on`;
  }),
  rewrite: giving("text", ({ value: text, code }) =>
    sets({ text }, { when: stands, api: "reviseReview", args: `text:${code}` }),
  )`Replace the text of # with $ | Change the text of # to $ | Rewrite # so that the text is $ | Let
      the text of # be $ | Revise #: the new text is $`,
  withdraw: sets({ withdrawn: true }, { when: stands, api: "withdrawReview" })`Withdraw # | Take
      back # | Have # withdrawn | Please withdraw # from the shop | I no longer stand by what I
      wrote: withdraw #`,
}));
