/** Goals about shared expenses: their collection and relations. */
import {
  atLeast,
  defineCollection,
  nouns,
  referencedIn,
  relationBetween,
  relations,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  type Expense,
  expenseComments,
  expenseShares,
  expenses,
  type Method,
} from "../../apps/split/tables.ts";
import { distinctForEachKey } from "../pay/money-app-code.ts";
import {
  hasCommentsColumn,
  largeAmountClause,
  lateDateClause,
  linkedThingColumn,
  otherPersonColumn,
  PAST_DATE_SUPERLATIVES,
  PRICE_SUPERLATIVES,
} from "../pay/money-app-columns.ts";
import { shareCents } from "./debts.ts";
import { drawSelectiveGroup } from "./lookups.ts";

const sharesOfExpense = ({ id }: Pick<Expense, "id">, db: Reader) =>
  db.where(expenseShares, { expense: id });
/** Returns the ids of the people, except the owner, who have a share of an expense. */
const idsOfSharers = (row: Pick<Expense, "id">, db: Reader) =>
  sharesOfExpense(row, db).flatMap(({ person }) => person ?? []);

const METHOD_WORDS: { readonly [M in Method]: string } = {
  equal: "equally",
  exact: "by exact amounts",
  percent: "by percentages",
};

export const expensesPart = defineCollection<Expense>({
  kind: "expenses",
  app: "split",
  table: expenses,
  includes: { removed: false },
  nouns: nouns`shared expense(s) | shared expense(s) in Split | expense(s) in the Split app
    | expense(s) of my Split groups | Split expense(s)`,
  list: "expenses",
  fields: "what amount share participants day",
  columns: ({ text, withProperty, choice, money, number, day }) => ({
    what: text("what", { noun: "description" }),
    "paid-by-me": withProperty({ payer: null }, { args: 'payer:"me"' }, { excludes: ["paid-by"] })`
      that I paid
      | paid by me | of which I was the payer | whose payer I am | which I paid for everyone`,
    "paid-by": otherPersonColumn<Expense>("payer", (row) => row.payer)`that $ paid | paid by $
      | of which $ was the payer | whose payer is $ | which $ paid for everyone`,
    "added-by-me": withProperty({ addedBy: null }, { args: 'addedBy:"me"' })`
      that I added | added by me
      | which I wrote down myself | that were added by me | which I entered`,
    "shared-by": otherPersonColumn<Expense>("person", idsOfSharers)`of which $ has a share
      | in which $ takes part with a share | that $ bears a share of
      | which $ has to bear a share of | with a share for $`,
    group: linkedThingColumn("group", drawSelectiveGroup)`
      in the group $ | of the group $ | that belong to the group $
      | which were added to the group $ | that are in the group $`,
    category: choice("category", { arg: "category" })`in the category "$" | of the category "$"
      | that are in the category "$" | whose category is "$"
      | which are filed under the category "$"`,
    amount: money(
      "cents",
      { item: "amount", noun: "amount", superlatives: PRICE_SUPERLATIVES },
      largeAmountClause({ arg: "least" }),
    ),
    day: day(
      "day",
      { noun: "date", superlatives: PAST_DATE_SUPERLATIVES },
      lateDateClause({ arg: "since" }),
    ),
    share: money(
      (row, db) => shareCents(db, row.id, null),
      { item: "myShare", noun: "share that I bear" },
      atLeast("costly")`of which my share is at least $ | with a share of $ or more for me
        | that cost me a share of $ or more | in which my own share is $ or more
        | whose share for me is at least $`,
    ),
    method: choice(
      "method",
      { code: "apis.split.expense({id:x.id}).method" },
      { toWords: (method) => METHOD_WORDS[method as Method] },
    )`that are split $ | which were divided $ | split $ | whose shares were made $
      | that were shared out $`,
    discussed: hasCommentsColumn<Expense>(
      ({ id }, db) => db.where(expenseComments, { expense: id, removed: false }).length,
      "apis.split.expense({id:x.id}).comments",
    ),
    participants: number((row, db) => sharesOfExpense(row, db).length, {
      code: "apis.split.expense({id:x.id}).shares.length",
      noun: "number of participants with a share",
    }),
  }),
});

/** Writes an expression for the distinct keys without the owner. */
const distinctOthersCode = (keys: string) => `[...new Set(${keys})].filter(k=>k!=="me")`;

export const expenseRelations = relations("split", {
  payers: relationBetween("expenses", "people", {
    relatedIds: referencedIn(expenses, "payer"),
    code: (from) => distinctOthersCode(`${from}.map(k=>apis.split.expense({id:k}).payer)`),
  })`the people other than me who paid # | everyone else who was the payer of one of #
    | the payers of #, not counting me | whoever besides me paid any of #
    | those who paid #, leaving me aside`,
  participants: relationBetween("expenses", "people", {
    relatedIds: (id, db) => idsOfSharers({ id }, db),
    code: (from) =>
      distinctOthersCode(`${from}.flatMap(k=>apis.split.expense({id:k}).shares.map(s=>s.person))`),
  })`the people other than me who have a share of # | everyone else with a share of one of #
    | the participants of #, not counting me | whoever besides me bears a share of any of #
    | those who share #, leaving me aside`,
  "expense-groups": relationBetween("expenses", "splitGroups", {
    relatedIds: referencedIn(expenses, "group"),
    code: distinctForEachKey("apis.split.expense({id:k}).group"),
  })`the Split groups of # | every Split group that has one of # | whichever Split groups have #
    | the Split groups that hold # | each Split group with any of #`,
});
