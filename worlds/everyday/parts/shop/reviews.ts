/** Goals about the owner's reviews: their collection and actions. */
import {
  actions,
  actionWithValue,
  atMost,
  defineCollection,
  drawSelectiveValue,
  integerBetween,
  nouns,
} from "bowline/goals";
import { type Review, reviews } from "../../apps/shop/tables.ts";
import { findProduct } from "./product-descriptions.ts";
import { isOwnReview, productName } from "./shop-rows.ts";

const listOptions = { kind: "reviews", app: "shop", table: reviews };

export const reviewCollection = defineCollection<Review>({
  ...listOptions,
  includes: isOwnReview,
  list: { api: "reviews", args: "mine:true" },
  nouns: nouns`review(s) of mine in the shop | review that I published in the shop / reviews in the
      shop by me | review that I wrote in the shop / shop reviews of mine | product review(s) of
      mine | review(s) by me in the shop`,
  columns: ({ choice, day, matchingValue, text }) => ({
    stars: choice(
      "stars",
      { arg: "stars", noun: "number of stars", unit: "grade" },
      { toWords: (stars) => (stars === "1" ? "1 star" : `${stars} stars`) },
    )`with $ | of $ | in which I gave $ | that have $ | with a rating of $`,
    category: choice((row, db) => findProduct(row, db).category, {
      code: "apis.shop.product({id:x.product}).category",
    })`of products in the category "$" | about products from the category "$" | whose product is in
        the category "$" | that are about a product of the category "$" | where the product belongs
        to the category "$"`,
    saying: matchingValue(
      ({ rng }, all) => {
        const openings = all.map((row) => row.text.split(". ")[0]!);
        return drawSelectiveValue(rng, openings);
      },
      (row, opening) => row.text.includes(opening),
      (opening) => ({ test: `x.text.includes(${opening})` }),
    )`that say "$" | with the words "$" in them | in which I wrote "$" | whose text has "$" in it
      | that contain the words "$"`,
    day: day(
      (row) => row.at.slice(0, 10),
      { item: "day" },
      atMost("until")`from $ or earlier | written on $ or before that | that I wrote no later than $
        | which date from $ or before | that were written on $ or earlier`,
    ),
    product: text((row, db) => productName(db, row.product), {
      item: "name",
      noun: "product name",
    }),
  }),
});

const isNotWithdrawn = (row: Review) => !row.withdrawn;

export const reviewActions = actions(listOptions, ({ setsToDrawn, sets }) => ({
  restar: setsToDrawn("stars", integerBetween(2, 5), {
    when: isNotWithdrawn,
    api: "reviseReview",
  })`Change # to $ stars | Set the stars of # to $ | Give # $ stars instead | Revise # to $ stars
    | Let # have $ stars from now on`,
  rewrite: actionWithValue("text", ({ value: text, code }) =>
    sets({ text }, { when: isNotWithdrawn, api: "reviseReview", args: `text:${code}` }),
  )`Replace the text of # with $ | Change the text of # to $ | Rewrite # so that the text is $ | Let
      the text of # be $ | Revise #: the new text is $`,
  withdraw: sets(
    { withdrawn: true },
    { when: isNotWithdrawn, api: "withdrawReview" },
  )`Withdraw # | Take back # | Have # withdrawn | Please withdraw # from the shop | I no longer
      stand by what I wrote: withdraw #`,
}));
