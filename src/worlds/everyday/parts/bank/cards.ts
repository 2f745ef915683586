/** Cards: frozen, limited, cancelled. */

import { type Action, type Clause, collection, moneyWords } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Card, cards, transactions } from "../../apps/bank/tables.ts";
import { centsAtLeast } from "../bounds.ts";
import { js } from "../pay/phrases.ts";
import { maySpend, thisMonth } from "./lookups.ts";

function paidBy(db: Reader, card: number): number {
  return db
    .where(transactions, { card })
    .filter(thisMonth)
    .reduce((sum, row) => sum - row.cents, 0);
}

const working: Clause<Card> = {
  name: "working",
  draw: () => ({
    words: [
      "that are not frozen",
      "which work and are not frozen",
      "that nobody has frozen",
      "which are free from being frozen",
      "that are usable because they are not frozen",
    ],
    holds: (row) => !row.frozen,
    code: { args: "frozen:false" },
  }),
};

const generous: Clause<Card> = {
  name: "generous",
  draw: ({ rng }, rows) => {
    const cents = centsAtLeast(
      rng,
      rows.map((row) => row.limit),
    );
    if (cents === undefined) return undefined;
    const m = moneyWords(cents);
    return {
      words: [
        `with a monthly limit of at least ${m}`,
        `that have a monthly limit of ${m} or more`,
        `whose monthly limit is at least ${m}`,
        `with a limit of ${m} or more a month`,
        `that may pay at least ${m} a month`,
      ],
      holds: (row) => row.limit >= cents,
      code: { test: `x.limit>=${cents / 100}` },
    };
  },
};

const busy: Clause<Card> = {
  name: "busy",
  draw: () => ({
    words: [
      "that paid something this month",
      "with payments in this month",
      "which were used this month",
      "that have paid anything this month",
      "with which something was paid this month",
    ],
    holds: (row, db) => paidBy(db, row.id) > 0,
    code: { test: "x.spent>0" },
  }),
};

export const cardsPart = collection<Card>({
  name: "cards",
  kind: "cards",
  app: "bank",
  table: cards,
  base: (row) => !row.cancelled,
  nouns: [
    { one: "bank card", many: "bank cards" },
    { one: "card of my bank", many: "cards of my bank" },
    { one: "card in the Bank app", many: "cards in the Bank app" },
    { one: "bank card of mine", many: "bank cards of mine" },
    { one: "card that the bank lists", many: "cards on the bank's list" },
  ],
  list: { api: "bank.cards" },
  key: "id",
  whole: true,
  clauses: [working, generous, busy],
  fields: [
    { name: "label", unit: "text", noun: "label", value: (row) => row.label, code: "x.label" },
    {
      name: "limit",
      unit: "money",
      noun: "monthly limit",
      value: (row) => row.limit / 100,
      code: "x.limit",
      superlatives: {
        most: ["most generous", "least limited", "highest-limit", "largest-limit", "biggest-limit"],
        least: ["stingiest", "most limited", "lowest-limit", "smallest-limit", "tightest-limit"],
      },
    },
    {
      name: "spent",
      unit: "money",
      noun: "spending this month",
      value: (row, db) => paidBy(db, row.id) / 100,
      code: "x.spent",
    },
  ],
  title: {
    of: (row) => row.label,
    nouns: (label) => [
      `my bank card ${js(label)}`,
      `the bank card ${js(label)}`,
      `the card ${js(label)} of my bank`,
      `the bank card called ${js(label)}`,
      `the bank card with the label ${js(label)}`,
    ],
    cells: (label, out) => [
      `var ${out}=[],p=1,r;do{r=apis.bank.cards({size:20,page:p++});${out}.push(...r.items.filter(x=>x.label===${js(label)}).map(x=>x.id))}while(r.more);print(${out})`,
    ],
    missing: ["Silver card", "Night card", "Company card", "Petrol card"],
  },
});

const usable = (db: Reader, id: number) => {
  const { cancelled, account } = db.get(cards, id)!;
  return !cancelled && maySpend(db, account);
};

const freeze: Action = {
  name: "freeze",
  kind: "cards",
  app: "bank",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Freeze ${noun}`,
      (noun) => `Have the bank freeze ${noun}`,
      (noun) => `Put a freeze on ${noun}`,
      (noun) => `Let ${noun} be frozen`,
      (noun) => `Set ${noun} to frozen`,
    ],
    permits: (db, id) => usable(db, id) && !db.get(cards, id)!.frozen,
    apply: (db, id) => void db.update(cards, id, { frozen: true }),
    call: (x) => `apis.bank.freeze({id:${x}})`,
  }),
};

const unfreeze: Action = {
  name: "unfreeze",
  kind: "cards",
  app: "bank",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Unfreeze ${noun}`,
      (noun) => `Have the bank unfreeze ${noun}`,
      (noun) => `Lift the freeze on ${noun}`,
      (noun) => `Let ${noun} be frozen no longer`,
      (noun) => `End the freeze of ${noun}`,
    ],
    permits: (db, id) => usable(db, id) && db.get(cards, id)!.frozen,
    apply: (db, id) => void db.update(cards, id, { frozen: false }),
    call: (x) => `apis.bank.unfreeze({id:${x}})`,
  }),
};

const cancelCard: Action = {
  name: "cancel-card",
  kind: "cards",
  app: "bank",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Cancel ${noun} for good`,
      (noun) => `Have the bank cancel ${noun}`,
      (noun) => `Cancel ${noun} once and for all`,
      (noun) => `Let ${noun} be cancelled`,
      (noun) => `Permanently cancel ${noun}`,
    ],
    permits: usable,
    apply: (db, id) => void db.update(cards, id, { cancelled: true }),
    call: (x) => `apis.bank.cancelCard({id:${x}})`,
  }),
};

const setLimit: Action = {
  name: "set-limit",
  kind: "cards",
  app: "bank",
  difficulty: 1,
  takes: "money",
  draw: (draw) => {
    const money = draw.value("money");
    const m = money.words;
    return {
      frames: [
        (noun) => `Set the monthly limit of ${noun} to ${m}`,
        (noun) => `Limit ${noun} to ${m} a month`,
        (noun) => `Make ${m} the monthly limit of ${noun}`,
        (noun) => `Let ${noun} have a monthly limit of ${m}`,
        (noun) => `Change the monthly limit of ${noun} to ${m}`,
      ],
      permits: (db, id) => usable(db, id) && db.get(cards, id)!.limit !== money.value,
      apply: (db, id) => void db.update(cards, id, { limit: money.value }),
      call: (x) => `apis.bank.setCardLimit({id:${x},amount:${money.code}})`,
      uses: [money],
    };
  },
};

/** The new limit is what the card itself has, and some. */
const doubleLimit: Action = {
  name: "double-limit",
  kind: "cards",
  app: "bank",
  difficulty: 2,
  draw: () => ({
    frames: [
      (noun) => `Double the monthly limit of ${noun}`,
      (noun) => `Make the monthly limit twice what it is for ${noun}`,
      (noun) => `Raise the monthly limit of ${noun} to twice the present one`,
      (noun) => `Let the monthly limit be twice as high as now for ${noun}`,
      (noun) => `Set the monthly limit of ${noun} to its double`,
    ],
    permits: (db, id) => usable(db, id) && db.get(cards, id)!.limit <= 500_000,
    apply: (db, id) => void db.update(cards, id, { limit: 2 * db.get(cards, id)!.limit }),
    call: (x) =>
      `const o=apis.bank.cards({size:20}).items.find(c=>c.id===${x});apis.bank.setCardLimit({id:${x},amount:2*o.limit})`,
  }),
};

export const cardActions: readonly Action[] = [freeze, unfreeze, cancelCard, setLimit, doubleLimit];
