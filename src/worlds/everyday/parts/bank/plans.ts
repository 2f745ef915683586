/** Cards, savings goals and budgets: what is limited, set aside and meant for later. */
import type { Reader } from "../../../../world/index.ts";
import { type Action, type Clause, collection } from "../../algebra/parts.ts";
import { dayWords, moneyWords } from "../../algebra/words.ts";
import {
  accounts,
  type Budget,
  budgets,
  type Card,
  cards,
  type Goal,
  goals,
  transactions,
} from "../../apps/bank/tables.ts";
import { atMost, centsAtLeast, oneOfSome } from "../bounds.ts";
import { js, TODAY } from "../pay/phrases.ts";
import { free, maySpend } from "./lookups.ts";

// --- cards ---

const thisMonth = ({ at, cents }: { at: string; cents: number }) =>
  cents < 0 && at.startsWith(TODAY.slice(0, 7));

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

// --- savings goals ---

const missingCents = ({ target, saved }: Goal) => Math.max(0, target - saved);

const unreached: Clause<Goal> = {
  name: "unreached",
  draw: () => ({
    words: [
      "that have not reached their target",
      "which are below their target",
      "whose target is not reached",
      "that still miss their target",
      "which hold less than their target",
    ],
    holds: (row) => row.saved < row.target,
    code: { args: "reached:false" },
  }),
};

const full: Clause<Goal> = {
  name: "full",
  draw: ({ rng }, rows) => {
    const cents = centsAtLeast(
      rng,
      rows.map((row) => row.saved),
    );
    if (cents === undefined || cents <= 0) return undefined;
    const m = moneyWords(cents);
    return {
      words: [
        `with at least ${m} saved`,
        `that hold ${m} or more`,
        `for which ${m} or more are saved`,
        `whose saved amount is at least ${m}`,
        `that have at least ${m} set aside`,
      ],
      holds: (row) => row.saved >= cents,
      code: { test: `x.saved>=${cents / 100}` },
    };
  },
};

const urgent: Clause<Goal> = {
  name: "urgent",
  draw: ({ rng }, rows) => {
    const day = atMost(
      rng,
      rows.flatMap((row) => row.deadline ?? []),
    );
    if (day === undefined) return undefined;
    const d = dayWords(day);
    return {
      words: [
        `with a deadline on ${d} or earlier`,
        `whose deadline is ${d} or earlier`,
        `that have a deadline no later than ${d}`,
        `with a deadline of ${d} at the latest`,
        `that are to be reached by ${d} or sooner`,
      ],
      holds: (row) => row.deadline !== null && row.deadline <= day,
      code: { test: `x.deadline!==null&&x.deadline<=${js(day)}` },
    };
  },
};

const inAccount: Clause<Goal> = {
  name: "account",
  draw: (draw, rows) => {
    const id = oneOfSome(
      draw.rng,
      rows.map((row) => row.account),
    );
    const account = id === undefined ? undefined : draw.db.get(accounts, id);
    if (!account) return undefined;
    const name = draw.variable("b");
    const a = js(account.name);
    const cell = `var ${name}=apis.bank.accounts({size:20}).items.find(x=>x.name===${a}).id;print(${name})`;
    return {
      words: [
        `in the account ${a}`,
        `of the account ${a}`,
        `that belong to the account ${a}`,
        `whose account is ${a}`,
        `kept in the account ${a}`,
      ],
      holds: (row) => row.account === account.id,
      code: { args: `account:${name}` },
      uses: [{ value: account.id, words: a, code: name, cells: [cell], apps: ["bank"] }],
    };
  },
};

export const goalsPart = collection<Goal>({
  name: "goals",
  kind: "savingsGoals",
  app: "bank",
  table: goals,
  base: (row) => !row.closed,
  nouns: [
    { one: "open savings goal", many: "open savings goals" },
    { one: "open savings goal of mine", many: "open savings goals of mine" },
    { one: "savings goal still open", many: "savings goals still open" },
    { one: "open savings goal at my bank", many: "open savings goals at my bank" },
    { one: "open goal for saving", many: "open goals for saving" },
  ],
  list: { api: "bank.goals" },
  key: "id",
  whole: true,
  clauses: [unreached, full, urgent, inAccount],
  fields: [
    { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
    {
      name: "saved",
      unit: "money",
      noun: "saved amount",
      value: (row) => row.saved / 100,
      code: "x.saved",
      superlatives: {
        most: ["fullest", "best filled", "most filled", "richest", "best funded"],
        least: ["emptiest", "least filled", "worst filled", "poorest", "worst funded"],
      },
    },
    {
      name: "target",
      unit: "money",
      noun: "target",
      value: (row) => row.target / 100,
      code: "x.target",
      superlatives: {
        most: ["most ambitious", "highest-target", "largest-target", "biggest-target", "dearest"],
        least: ["most modest", "lowest-target", "smallest-target", "tiniest-target", "cheapest"],
      },
    },
    {
      name: "missing",
      unit: "money",
      noun: "missing amount",
      value: (row) => missingCents(row) / 100,
      code: "Math.max(0,Math.round((x.target-x.saved)*100))/100",
    },
  ],
  title: {
    of: (row) => row.name,
    nouns: (name) => [
      `my savings goal ${js(name)}`,
      `the savings goal ${js(name)}`,
      `the goal ${js(name)} of my savings`,
      `the savings goal called ${js(name)}`,
      `the savings goal with the name ${js(name)}`,
    ],
    cells: (name, out) => [
      `var ${out}=[],p=1,r;do{r=apis.bank.goals({size:20,page:p++});${out}.push(...r.items.filter(x=>x.name===${js(name)}).map(x=>x.id))}while(r.more);print(${out})`,
    ],
    missing: ["Sailing boat", "Roof terrace", "Telescope", "Wedding"],
  },
});

function goalAction(
  name: string,
  draw: Action["draw"],
  takes?: Action["takes"],
  difficulty: 1 | 2 = 1,
): Action {
  const part = { name, kind: "savingsGoals", app: "bank", difficulty, draw } as const;
  return takes ? { ...part, takes } : part;
}

const isOpen = (db: Reader, id: number) => !db.get(goals, id)!.closed;

const fill = goalAction(
  "fill",
  (draw) => {
    const money = draw.value("money");
    const m = money.words;
    return {
      frames: [
        (noun) => `Set ${m} aside for ${noun}`,
        (noun) => `Put ${m} towards ${noun}`,
        (noun) => `Top up ${noun} by ${m}`,
        (noun) => `Let ${m} be set aside for ${noun}`,
        (noun) => `Reserve ${m} at the bank for ${noun}`,
      ],
      permits: (db, id) =>
        isOpen(db, id) && free(db, db.get(goals, id)!.account) >= 10 * money.value,
      apply: (db, id) => {
        db.update(goals, id, { saved: db.get(goals, id)!.saved + money.value });
      },
      call: (x) => `apis.bank.fillGoal({id:${x},amount:${money.code}})`,
      uses: [money],
    };
  },
  "money",
);

const drain = goalAction(
  "drain",
  (draw) => {
    const money = draw.value("money");
    const m = money.words;
    return {
      frames: [
        (noun) => `Take ${m} out of ${noun}`,
        (noun) => `Remove ${m} from ${noun}`,
        (noun) => `Free ${m} from ${noun}`,
        (noun) => `Let ${m} be taken out of ${noun}`,
        (noun) => `Release ${m} at the bank from ${noun}`,
      ],
      permits: (db, id) => isOpen(db, id) && db.get(goals, id)!.saved >= money.value,
      apply: (db, id) => {
        db.update(goals, id, { saved: db.get(goals, id)!.saved - money.value });
      },
      call: (x) => `apis.bank.drainGoal({id:${x},amount:${money.code}})`,
      uses: [money],
    };
  },
  "money",
);

const complete = goalAction(
  "complete",
  () => ({
    frames: [
      (noun) => `Set aside exactly what is missing for ${noun}`,
      (noun) => `Fill ${noun} up exactly to the target`,
      (noun) => `Put just enough towards ${noun} to reach the target`,
      (noun) => `Add what is missing to the target for ${noun}`,
      (noun) => `Bring ${noun} exactly to the target`,
    ],
    permits: (db, id) => {
      const goal = db.get(goals, id)!;
      const [all] = [db.where(goals, { account: goal.account, closed: false })];
      const missing = all.reduce((sum, other) => sum + missingCents(other), 0);
      return isOpen(db, id) && missingCents(goal) > 0 && free(db, goal.account) >= missing;
    },
    apply: (db, id) => void db.update(goals, id, { saved: db.get(goals, id)!.target }),
    call: (x) =>
      `const o=apis.bank.goals({size:20}).items.find(g=>g.id===${x});apis.bank.fillGoal({id:${x},amount:Math.round((o.target-o.saved)*100)/100})`,
  }),
  undefined,
  2,
);

const setDeadline = goalAction(
  "set-deadline",
  (draw) => {
    const day = draw.value("day");
    if (day.value < TODAY) return undefined;
    const d = day.words;
    return {
      frames: [
        (noun) => `Set the deadline of ${noun} to ${d}`,
        (noun) => `Make ${d} the deadline of ${noun}`,
        (noun) => `Change the deadline to ${d} for ${noun}`,
        (noun) => `Let ${noun} have the deadline ${d}`,
        (noun) => `Give ${noun} the deadline ${d}`,
      ],
      permits: (db, id) => isOpen(db, id) && db.get(goals, id)!.deadline !== day.value,
      apply: (db, id) => void db.update(goals, id, { deadline: day.value }),
      call: (x) => `apis.bank.changeGoal({id:${x},deadline:${day.code}})`,
      uses: [day],
    };
  },
  "day",
);

const closeGoal = goalAction("close", () => ({
  frames: [
    (noun) => `Close ${noun}`,
    (noun) => `Have the bank close ${noun}`,
    (noun) => `Let ${noun} be closed`,
    (noun) => `Close down ${noun}`,
    (noun) => `Bring ${noun} to a close`,
  ],
  permits: isOpen,
  apply: (db, id) => void db.update(goals, id, { saved: 0, closed: true }),
  call: (x) => `apis.bank.closeGoal({id:${x}})`,
}));

// --- budgets ---

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

export const planActions: readonly Action[] = [
  freeze,
  unfreeze,
  cancelCard,
  setLimit,
  doubleLimit,
  fill,
  drain,
  complete,
  setDeadline,
  closeGoal,
  setBudget,
  raiseBudget,
  removeBudget,
];
