/** Savings goals: money of a savings account that is set aside, and so not available, until it is taken out again. */
import { z } from "zod";
import {
  either,
  itemOf,
  must,
  type Reader,
  resource,
  rowById,
  when,
} from "../../../../world/index.ts";
import { amount, centsOf, day, dollars, given, idOf, line, notPast, same } from "../shared.ts";
import { available, first, ownAccount, requireCents } from "./book.ts";
import { accounts, goals } from "./tables.ts";

const openGoals = resource({
  table: goals,
  noun: "savings goal",
  item: itemOf(goals, {
    name: z.string(),
    id: z.int(),
    saved: [z.number(), ({ saved }) => dollars(saved)],
    target: [z.number(), ({ target }) => dollars(target)],
    deadline: z.string().nullable(),
    account: z.int(),
  }),
  find: ({ id }, { db }) => {
    const row = rowById(db, goals, id, { noun: "savings goal" });
    must(!row.closed, 409, `id: expected an open goal, "${row.name}" is closed`);
    return row;
  },
  example: first(goals, ({ closed }) => !closed),
});

/** Refuses other accounts than own ones for savings, and names of open goals. */
function refuseGoal(db: Reader, account: number, newName: string): void {
  const { kind, name } = ownAccount(db, account);
  must(kind === "savings", 422, `account: expected a savings account, "${name}" is ${kind}`);
  const taken = db.where(goals, { closed: false }).find((row) => same(row.name, newName));
  must(!taken, 409, `name: there is a goal "${taken?.name}" already`);
}

export const goalApis = {
  goals: openGoals.list("List open savings goals, oldest first.", {
    rows: { closed: false },
    filters: {
      account: idOf("account"),
      reached: [
        either("only those that have, or have not, their target"),
        when(({ saved, target }) => saved >= target),
      ],
    },
    example: { reached: false },
  }),
  addGoal: openGoals.add("Add an empty savings goal to a savings account.", {
    params: {
      name: line("what it is for"),
      account: idOf("savings account"),
      target: amount,
      deadline: day("when it shall be reached").optional(),
    },
    check: ({ account, name }, { db }) => refuseGoal(db, account, name),
    row: ({ name, account, target, deadline = null }, { now }) => {
      if (deadline !== null) notPast(deadline, now, "deadline");
      return { name, account, target: centsOf(target), deadline };
    },
    plain: { saved: 0, closed: false },
    example: (db) => {
      const [account] = db.where(accounts, { kind: "savings", holder: null, closed: false });
      return { name: "Canoe", account: account!.id, target: 900 };
    },
  }),
  fillGoal: openGoals.change("Set money of the goal's account aside for it.", {
    params: { amount },
    set: ({ account, saved }, { amount }, { db }) => {
      const cents = centsOf(amount);
      requireCents(db, ownAccount(db, account), cents);
      return { saved: saved + cents };
    },
    fits: ({ account }, db) => available(db, db.get(accounts, account)!) >= 1000,
    example: { amount: 10 },
  }),
  drainGoal: openGoals.change(
    "Take money out of a goal; it stays in the account and is available again.",
    {
      params: { amount },
      set: ({ name, saved }, { amount }) => {
        const cents = centsOf(amount);
        const held = `at most the ${dollars(saved)} that "${name}" holds`;
        must(cents <= saved, 422, `amount: expected ${held}, got ${amount}`);
        return { saved: saved - cents };
      },
      fits: ({ saved }) => saved >= 500,
      example: { amount: 5 },
    },
  ),
  changeGoal: openGoals.change("Change the name, target or deadline of a goal.", {
    params: {
      name: line("the new name").optional(),
      target: amount.optional(),
      deadline: day("the new deadline").optional(),
    },
    set: (_, { name, target, deadline }, { now }) => {
      if (deadline !== undefined) notPast(deadline, now, "deadline");
      const cents = target === undefined ? undefined : centsOf(target);
      return given({ name, target: cents, deadline });
    },
    example: { target: 1500 },
  }),
  closeGoal: openGoals.change("Close a goal; what it holds is available again.", {
    set: { saved: 0, closed: true },
  }),
};
