/** Gifts, given and received, as goals pick them: by price, occasion and who they passed between. */
import {
  type Clause,
  type Collection,
  collection,
  moneyWords,
  type Relation,
} from "../../../../goals/index.ts";
import { type Gift, gifts } from "../../apps/contacts/tables.ts";
import { centsAtLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { each, every, js } from "./common.ts";
import { of, peopleOf, side } from "./sides.ts";

const open: Clause<Gift> = {
  name: "open",
  excludes: ["given"],
  draw: (_, rows) =>
    rows.every(({ given }) => !given)
      ? undefined
      : {
          words: [
            "not given yet",
            "that are still open",
            "that I have not given",
            "which are not given so far",
            "that remain to be given",
          ],
          holds: ({ given }) => !given,
          code: { args: "given:false" },
        },
};

const given: Clause<Gift> = {
  name: "given",
  excludes: ["open"],
  draw: (_, rows) =>
    rows.every(({ given }) => given)
      ? undefined
      : {
          words: [
            "already given",
            "that I have given",
            "that are given already",
            "which were given",
            "that count as given",
          ],
          holds: ({ given }) => given,
          code: { args: "given:true" },
        },
};

const dear: Clause<Gift> = {
  name: "dear",
  excludes: ["cheap"],
  draw: ({ rng }, rows) => {
    const bound = centsAtLeast(
      rng,
      rows.map(({ cents }) => cents),
    );
    if (bound === undefined) return undefined;
    const m = moneyWords(bound);
    return {
      words: [
        `that cost ${m} or more`,
        `for at least ${m}`,
        `with a price of ${m} or more`,
        `whose price is at least ${m}`,
        `that cost no less than ${m}`,
      ],
      holds: ({ cents }) => cents >= bound,
      code: { test: `x.amount>=${bound / 100}` },
    };
  },
};

const cheap: Clause<Gift> = {
  name: "cheap",
  excludes: ["dear"],
  draw: ({ rng }, rows) => {
    const bound = centsAtMost(
      rng,
      rows.map(({ cents }) => cents),
    );
    if (bound === undefined) return undefined;
    const m = moneyWords(bound);
    return {
      words: [
        `that cost ${m} or less`,
        `for at most ${m}`,
        `with a price of ${m} or less`,
        `whose price is at most ${m}`,
        `that cost no more than ${m}`,
      ],
      holds: ({ cents }) => cents <= bound,
      code: { test: `x.amount<=${bound / 100}` },
    };
  },
};

const idea: Clause<Gift> = {
  name: "idea",
  draw: ({ rng }, rows) => {
    const name = oneOfSome(
      rng,
      rows.map((row) => row.idea),
    );
    if (name === undefined) return undefined;
    const i = js(name);
    return {
      words: [
        `that are ${i}`,
        `with the idea ${i}`,
        `whose idea is ${i}`,
        `noted as ${i}`,
        `which say ${i}`,
      ],
      holds: (row) => row.idea === name,
      code: { test: `x.idea===${i}` },
    };
  },
};

export const giftsPart: Collection = collection<Gift>({
  name: "gifts",
  kind: "gifts",
  app: "contacts",
  table: gifts,
  base: () => true,
  nouns: [
    { one: "gift idea in Contacts", many: "gift ideas in Contacts" },
    { one: "gift in Contacts", many: "gifts in Contacts" },
    { one: "gift idea of my contacts list", many: "gift ideas in my contacts list" },
    { one: "gift idea noted in Contacts", many: "gift ideas noted in Contacts" },
    { one: "idea for a gift in Contacts", many: "ideas for gifts in Contacts" },
  ],
  list: { api: "contacts.gifts" },
  key: "id",
  whole: false,
  clauses: [of<Gift>("for"), open, given, dear, cheap, idea],
  fields: [
    { name: "idea", unit: "text", noun: "idea", value: (row) => row.idea, code: "x.idea" },
    {
      name: "amount",
      unit: "money",
      noun: "price",
      value: ({ cents }) => cents / 100,
      code: "x.amount",
      superlatives: {
        most: ["most expensive", "dearest", "priciest", "costliest", "highest-priced"],
        least: ["cheapest", "least expensive", "least dear", "lowest-priced", "least costly"],
      },
    },
  ],
});

export const giftRelations: readonly Relation[] = [
  {
    name: "gifted",
    from: "gifts",
    to: "people",
    app: "contacts",
    words: [
      (noun) => `the receivers in ${noun}`,
      (noun) => `everyone who is a receiver in ${noun}`,
      (noun) => `the people that are receivers in ${noun}`,
      (noun) => `whoever is a receiver in ${noun}`,
      (noun) => `those who appear as receivers in ${noun}`,
    ],
    map: peopleOf(gifts),
    cells: side("contacts.gifts", "for"),
  },
  {
    name: "gift-ideas",
    from: "people",
    to: "gifts",
    app: "contacts",
    words: [
      (noun) => `the open gift ideas for ${noun}`,
      (noun) => `all gifts in Contacts for ${noun} that are not given yet`,
      (noun) => `the gift ideas in Contacts for ${noun} that are still open`,
      (noun) => `what Contacts has as open gift ideas for ${noun}`,
      (noun) => `those gift ideas for ${noun} that I have not given`,
    ],
    map: (db, ids) =>
      ids.flatMap((person) => db.where(gifts, { person, given: false }).map(({ id }) => id)),
    cells: (from, to) =>
      each(every("contacts.gifts", "for:k,given:false").concat(".map(x=>x.id)"), from, to),
  },
];
