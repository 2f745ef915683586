/** Monthly budgets by category. */

import { type Action, type Clause, collection, moneyWords } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { accounts, type Budget, budgets, transactions } from "../../apps/bank/tables.ts";
import { centsAtLeast } from "../bounds.ts";
import { js } from "../pay/phrases.ts";
import { thisMonth } from "./lookups.ts";

function spentOn(db: Reader, { category }: Budget): number {
  return db
    .where(transactions, { category })
    .filter((row) => thisMonth(row) && db.get(accounts, row.account)!.role === "spend")
    .reduce((sum, row) => sum - row.cents, 0);
}

const overspent: Clause<Budget> = {
  name: "tight",
  draw: (draw, rows) => {
    const left = (row: Budget) => row.cents - spentOn(draw.db, row);
    const cents = centsAtLeast(draw.rng, rows.map(left));
    if (cents === undefined || cents <= 0) return undefined;
    const m = moneyWords(cents);
    return {
      words: [
        `with at least ${m} left this month`,
        `that have ${m} or more left this month`,
        `of which ${m} or more are left this month`,
        `whose rest this month is at least ${m}`,
        `that still leave ${m} or more this month`,
      ],
      holds: (row, db) => row.cents - spentOn(db, row) >= cents,
      code: { test: `x.left>=${cents / 100}` },
    };
  },
};

const largeBudget: Clause<Budget> = {
  name: "large",
  draw: ({ rng }, rows) => {
    const cents = centsAtLeast(
      rng,
      rows.map((row) => row.cents),
    );
    if (cents === undefined) return undefined;
    const m = moneyWords(cents);
    return {
      words: [
        `with a limit of at least ${m}`,
        `that have a limit of ${m} or more`,
        `whose limit is at least ${m}`,
        `with ${m} or more as their limit`,
        `that are limited to ${m} or more`,
      ],
      holds: (row) => row.cents >= cents,
      code: { test: `x.limit>=${cents / 100}` },
    };
  },
};

export const budgetsPart = collection<Budget>({
  name: "budgets",
  kind: "budgets",
  app: "bank",
  table: budgets,
  base: () => true,
  nouns: [
    { one: "monthly budget", many: "monthly budgets" },
    { one: "monthly budget at my bank", many: "monthly budgets at my bank" },
    { one: "monthly budget of mine", many: "monthly budgets of mine" },
    { one: "budget for a month in the Bank app", many: "budgets for a month in the Bank app" },
    { one: "bank budget for a month", many: "bank budgets for a month" },
  ],
  list: { api: "bank.budgets" },
  key: "id",
  whole: true,
  clauses: [overspent, largeBudget],
  fields: [
    {
      name: "category",
      unit: "text",
      noun: "category",
      value: (row) => row.category,
      code: "x.category",
    },
    {
      name: "limit",
      unit: "money",
      noun: "limit",
      value: (row) => row.cents / 100,
      code: "x.limit",
      superlatives: {
        most: ["largest", "biggest", "highest", "greatest", "most generous"],
        least: ["smallest", "lowest", "least", "littlest", "stingiest"],
      },
    },
    {
      name: "spent",
      unit: "money",
      noun: "spending so far this month",
      value: (row, db) => spentOn(db, row) / 100,
      code: "x.spent",
    },
  ],
  title: {
    of: (row) => row.category,
    nouns: (category) => [
      `my monthly budget for ${category}`,
      `the monthly budget for ${category}`,
      `the budget for ${category} of a month`,
      `the monthly budget for the category ${category}`,
      `my bank's monthly budget for ${category}`,
    ],
    cells: (category, out) => [
      `var ${out}=[],p=1,r;do{r=apis.bank.budgets({size:20,page:p++});${out}.push(...r.items.filter(x=>x.category===${js(category)}).map(x=>x.id))}while(r.more);print(${out})`,
    ],
    missing: ["housing", "gifts"],
  },
});

const FIND = "apis.bank.budgets({size:20}).items.find";

const setBudget: Action = {
  name: "set-budget",
  kind: "budgets",
  app: "bank",
  difficulty: 1,
  takes: "money",
  draw: (draw) => {
    const money = draw.value("money");
    const m = money.words;
    return {
      frames: [
        (noun) => `Set the limit to ${m} for ${noun}`,
        (noun) => `Set ${noun} to ${m}`,
        (noun) => `Change the limit of ${noun} to ${m}`,
        (noun) => `Make ${m} the limit of ${noun}`,
        (noun) => `Let the limit be ${m} for ${noun}`,
      ],
      permits: (db, id) => db.get(budgets, id)?.cents !== money.value,
      apply: (db, id) => void db.update(budgets, id, { cents: money.value }),
      call: (x) =>
        `const o=${FIND}(b=>b.id===${x});apis.bank.setBudget({category:o.category,amount:${money.code}})`,
      uses: [money],
    };
  },
};

const raiseBudget: Action = {
  name: "raise-budget",
  kind: "budgets",
  app: "bank",
  difficulty: 2,
  takes: "money",
  draw: (draw) => {
    const money = draw.value("money");
    const m = money.words;
    return {
      frames: [
        (noun) => `Raise the limit by ${m} for ${noun}`,
        (noun) => `Increase ${noun} by ${m}`,
        (noun) => `Add ${m} to the limit of ${noun}`,
        (noun) => `Let the limit go up by ${m} for ${noun}`,
        (noun) => `Make the limit of ${noun} higher by ${m}`,
      ],
      permits: (db, id) => db.get(budgets, id) !== undefined,
      apply: (db, id) => {
        db.update(budgets, id, { cents: db.get(budgets, id)!.cents + money.value });
      },
      call: (x) =>
        `const o=${FIND}(b=>b.id===${x});apis.bank.setBudget({category:o.category,amount:Math.round((o.limit+${money.code})*100)/100})`,
      uses: [money],
    };
  },
};

const removeBudget: Action = {
  name: "remove-budget",
  kind: "budgets",
  app: "bank",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Remove ${noun}`,
      (noun) => `Delete ${noun}`,
      (noun) => `Do away with ${noun}`,
      (noun) => `Drop ${noun}`,
      (noun) => `Get rid of ${noun}`,
    ],
    apply: (db, id) => db.remove(budgets, id),
    permits: (db, id) => db.get(budgets, id) !== undefined,
    call: (x) => `const o=${FIND}(b=>b.id===${x});apis.bank.removeBudget({category:o.category})`,
  }),
};

export const budgetActions: readonly Action[] = [setBudget, raiseBudget, removeBudget];
