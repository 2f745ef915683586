/** Goals about products on the owner's lists and on contacts' wish lists: their collections and actions. */
import {
  actions,
  alternatives,
  atLeast,
  atMost,
  byArgument,
  declareColumns,
  defineCollection,
  drawSelectiveValue,
  jsLiteral,
  nouns,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { CLAIMS, type SavedItem, savedItems, savedLists } from "../../apps/shop/tables.ts";
import {
  findProduct,
  materialSentence,
  materialWords,
  PRICE_SUPERLATIVES,
  WEIGHT_SUPERLATIVES,
  weightCode,
  weightInGrams,
} from "./product-descriptions.ts";
import { productCents, productName } from "./shop-rows.ts";

const listOfItem = (row: SavedItem, db: Reader) => db.get(savedLists, row.list)!;

const CLAIM_WORDS = {
  open: alternatives`that nobody has promised to give yet | which are still unclaimed
      | that no one has claimed | which have not been claimed by anybody
      | that are still open, claimed by nobody`,
  mine: alternatives`that I have promised to give | which are claimed by me | that I have claimed
      | which I have claimed for myself | that stand as claimed by me`,
  taken: alternatives`that somebody else has promised to give | which are claimed by someone else
      | that another person has claimed | which somebody other than me has claimed
      | that stand as claimed by others`,
};

/** The columns of items on the owner's lists and of wishes. Each collection selects from them. */
const savedItemColumns = declareColumns<SavedItem>(
  ({ choice, drawnClause, money, number, person, text }) => ({
    "on-list": choice((row, db) => listOfItem(row, db).name, { item: "list" })`
    that are on the list "$" | which are on "$" | that I saved to the list "$"
    | which belong to the list "$" | that stand on the list "$"`,
    "of-person": person((row, db) => listOfItem(row, db).person, byArgument("person"))`
      of $ | that $ has | which belong to $ | from the lists of $ | that stand on a list of $`,
    claim: drawnClause(({ rng }, all) => {
      const chosen =
        drawSelectiveValue(
          rng,
          all.map((row) => row.claim),
        ) ?? rng.pick(CLAIMS);
      return {
        words: CLAIM_WORDS[chosen],
        holds: (row) => row.claim === chosen,
        code: { args: `claim:${jsLiteral(chosen)}` },
      };
    }),
    "made-of": choice(
      (row, db) => materialSentence(findProduct(row, db)),
      {},
      {
        toWords: materialWords,
        code: (sentence) => ({
          test: `apis.shop.product({id:x.product}).description.includes(${sentence})`,
        }),
      },
    )`made of $ | that are made of $ | which are made of $ by their description | whose description
      says "made of $" | that according to the description are made of $`,
    price: money(
      (row, db) => productCents(db, row.product),
      { item: "price", noun: "price", superlatives: PRICE_SUPERLATIVES },
      atMost("at-most")`that cost $ or less | with a price of at most $ | that cost no more than $
      | priced at $ or below | that can be had for $ or less apiece`,
      atLeast("at-least")`
        that cost $ or more | with a price of at least $ | that cost no less than $
      | priced at $ or above | for which the shop wants $ or more apiece`,
    ),
    weight: number(
      (row, db) => weightInGrams(findProduct(row, db)),
      { code: weightCode("x.product"), noun: "weight in grams", superlatives: WEIGHT_SUPERLATIVES },
      atMost("light")`
        that weigh $ g or less | with a weight of at most $ g
        | that weigh no more than $ g according to the description | whose weight is $ g or below
        | which by their description weigh $ g at most`,
    ),
    name: text((row, db) => productName(db, row.product), { item: "name", noun: "name" }),
  }),
);

const savedListOptions = { kind: "saved", app: "shop", table: savedItems };

export const itemsOnOwnLists = defineCollection<SavedItem>({
  ...savedListOptions,
  includes: (row, db) => listOfItem(row, db).person === null,
  list: { api: "saved", args: "mine:true" },
  nouns: nouns`product(s) on my own shop lists | product saved on a list of mine / products saved on
      lists of mine | product on my saved lists / products on my own saved lists in the shop | saved
      product of mine / products that my own shop lists hold | thing(s) on my own shop lists`,
  columns: savedItemColumns,
  clauses: "on-list made-of light at-most at-least",
});

const wishListOptions = { kind: "wishes", app: "shop", table: savedItems };

export const wishes = defineCollection<SavedItem>({
  ...wishListOptions,
  includes: (row, db) => listOfItem(row, db).person !== null,
  list: { api: "saved", args: "mine:false" },
  nouns: nouns`wish on my contacts' shop lists / wishes on my contacts' shop lists | item on
      contacts' wish lists / items on contacts' wish lists in the shop | wish of a contact in the
      shop / wishes of contacts in the shop | wish that contacts share in the shop / wishes that my
      contacts noted in the shop | product on contacts' shop lists / products on the wish lists of
      contacts in the shop`,
  columns: savedItemColumns,
  clauses: "of-person claim made-of light at-most at-least",
});

export const savedActions = [
  ...actions(savedListOptions, ({ removesRow }) => ({
    unsave: removesRow({ api: "unsave" })`
      Take # off the list | Remove # from the saved lists | Unsave # | Strike # from my lists
      | Delete # from the list it is on`,
  })),
  ...actions(wishListOptions, ({ sets }) => ({
    claim: sets({ claim: "mine" }, { when: { claim: "open" }, api: "claim" })`
      Claim # for me in the shop | Promise in the shop that I will give # | Mark # as claimed by me
      | Put my claim on # | Set my claim in the shop for #`,
    unclaim: sets({ claim: "open" }, { when: { claim: "mine" }, api: "unclaim" })`
      Take back my claim on # | Unclaim # in the shop | Undo my promise to give # | Give up my claim
        on # | Withdraw the claim that I have on #`,
  })),
];
