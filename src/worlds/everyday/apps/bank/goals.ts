/** Savings goals: money of a savings account that is set aside, and so not available, until it is taken out again. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  day,
  dollars,
  given,
  idOf,
  line,
  notPast,
  paged,
  pageOf,
  paging,
  rowBy,
  same,
} from "../shared.ts";
import { available, ownAccount, requireCents } from "./book.ts";
import { type Account, accounts, type Goal, goals } from "./tables.ts";

const goalItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  saved: z.number(),
  target: z.number(),
  deadline: z.string().nullable(),
  account: z.int(),
});

const view = ({ name, id, saved, target, deadline, account }: Goal) => ({
  name,
  id,
  saved: dollars(saved),
  target: dollars(target),
  deadline,
  account,
});

const id = idOf("savings goal");

const list = defineApi({
  summary: "List open savings goals, oldest first.",
  params: z.strictObject({
    account: idOf("account").optional(),
    reached: z.boolean().optional().describe("only those that have, or have not, their target"),
    ...paging,
  }),
  returns: pageOf(goalItem),
  example: () => ({ reached: false }),
  handler: ({ db }, { account, reached, ...page }) => {
    const rows = db
      .where(goals, given({ account, closed: false }))
      .filter((row) => reached === undefined || reached === row.saved >= row.target);
    return paged(rows, page, view);
  },
});

function savings(db: Reader, id: number): Account {
  const account = ownAccount(db, id);
  if (account.kind === "savings") return account;
  throw new ApiError(
    422,
    `account: expected a savings account, "${account.name}" is ${account.kind}`,
  );
}

const add = defineApi({
  summary: "Add an empty savings goal to a savings account.",
  params: z.strictObject({
    name: line("what it is for"),
    account: idOf("savings account"),
    target: amount,
    deadline: day("when it shall be reached").optional(),
  }),
  returns: goalItem,
  example: (db) => {
    const account = db.where(accounts, { kind: "savings", holder: null, closed: false })[0]!;
    return { name: "Canoe", account: account.id, target: 900 };
  },
  handler: ({ db, now }, { name, account, target, deadline }) => {
    savings(db, account);
    const taken = db.where(goals, { closed: false }).find((row) => same(row.name, name));
    if (taken) throw new ApiError(409, `name: there is a goal "${taken.name}" already`);
    if (deadline !== undefined) notPast(deadline, now, "deadline");
    const row = { name, account, target: centsOf(target), deadline: deadline ?? null };
    return view(db.insert(goals, { ...row, saved: 0, closed: false }));
  },
});

function openGoal(db: Reader, id: number): Goal {
  const row = rowBy(db, goals, id, "savings goal");
  if (!row.closed) return row;
  throw new ApiError(409, `id: expected an open goal, "${row.name}" is closed`);
}

const fill = defineApi({
  summary: "Set money of the goal's account aside for it.",
  params: z.strictObject({ id, amount }),
  returns: goalItem,
  example: (db) => ({ id: fillable(db).id, amount: 10 }),
  handler: ({ db }, { id, amount }) => {
    const goal = openGoal(db, id);
    const cents = centsOf(amount);
    requireCents(db, ownAccount(db, goal.account), cents);
    return view(db.update(goals, id, { saved: goal.saved + cents }));
  },
});

function fillable(db: Reader): Goal {
  const free = (goal: Goal) => available(db, db.get(accounts, goal.account)!) >= 1000;
  return db.where(goals, { closed: false }).find(free)!;
}

const drain = defineApi({
  summary: "Take money out of a goal; it stays in the account and is available again.",
  params: z.strictObject({ id, amount }),
  returns: goalItem,
  example: (db) => ({
    id: db.where(goals, { closed: false }).find((goal) => goal.saved >= 500)!.id,
    amount: 5,
  }),
  handler: ({ db }, { id, amount }) => {
    const goal = openGoal(db, id);
    const cents = centsOf(amount);
    if (cents > goal.saved) {
      throw new ApiError(
        422,
        `amount: expected at most the ${dollars(goal.saved)} that "${goal.name}" holds, got ${amount}`,
      );
    }
    return view(db.update(goals, id, { saved: goal.saved - cents }));
  },
});

const change = defineApi({
  summary: "Change the name, target or deadline of a goal.",
  params: z.strictObject({
    id,
    name: line("the new name").optional(),
    target: amount.optional(),
    deadline: day("the new deadline").optional(),
  }),
  returns: goalItem,
  example: (db) => ({ id: db.where(goals, { closed: false })[0]!.id, target: 1500 }),
  handler: ({ db, now }, { id, name, target, deadline }) => {
    openGoal(db, id);
    if (deadline !== undefined) notPast(deadline, now, "deadline");
    const cents = target === undefined ? undefined : centsOf(target);
    return view(db.update(goals, id, given({ name, target: cents, deadline })));
  },
});

const close = defineApi({
  summary: "Close a goal; what it holds is available again.",
  params: z.strictObject({ id }),
  returns: goalItem,
  example: (db) => ({ id: db.where(goals, { closed: false })[0]!.id }),
  handler: ({ db }, { id }) => {
    openGoal(db, id);
    return view(db.update(goals, id, { saved: 0, closed: true }));
  },
});

export const goalApis = {
  goals: list,
  addGoal: add,
  fillGoal: fill,
  drainGoal: drain,
  changeGoal: change,
  closeGoal: close,
};
