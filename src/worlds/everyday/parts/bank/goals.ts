/** Savings goals: what is set aside, and what is missing. */

import {
  type Action,
  type Clause,
  collection,
  dayWords,
  moneyWords,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { accounts, type Goal, goals } from "../../apps/bank/tables.ts";
import { atMost, centsAtLeast, oneOfSome } from "../bounds.ts";
import { js, TODAY } from "../pay/phrases.ts";
import { free } from "./lookups.ts";

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

export const goalActions: readonly Action[] = [fill, drain, complete, setDeadline, closeGoal];
