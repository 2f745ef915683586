/** Goals about savings goals: their collection and actions. */
import {
  actions,
  actionWithValue,
  atLeast,
  atMost,
  defineCollection,
  nouns,
  superlatives,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Goal, goals } from "../../apps/bank/tables.ts";
import { drawTodayOrLater } from "../days.ts";
import { titleOfListItems } from "../pay/money-app-code.ts";
import { linkedThingColumn } from "../pay/money-app-columns.ts";
import { availableCents, drawSelectiveAccount } from "./lookups.ts";

const missingCents = ({ target, saved }: Goal) => Math.max(0, target - saved);

const listOptions = { kind: "savingsGoals", app: "bank", table: goals };

export const goalsPart = defineCollection<Goal>({
  name: "goals",
  ...listOptions,
  includes: { closed: false },
  nouns: nouns`open savings goal(s) | open savings goal(s) of mine | savings goal(s) still open
    | open savings goal(s) at my bank | open goal(s) for saving`,
  list: "goals",
  allowsWhole: true,
  columns: ({ text, withProperty, money, day }) => ({
    name: text("name", { noun: "name" }),
    unreached: withProperty((row) => row.saved < row.target, { args: "reached:false" })`
      that have not reached their target | which are below their target
      | whose target is not reached | that still miss their target
      | which hold less than their target`,
    saved: money(
      "saved",
      { noun: "saved amount" },
      superlatives`fullest / emptiest | fullest / emptiest | fullest / emptiest
          | fullest / emptiest | fullest / emptiest`,
      atLeast("full")`with at least $ saved | that hold $ or more | for which $ or more are saved
        | whose saved amount is at least $ | that have at least $ set aside`,
    ),
    deadline: day(
      "deadline",
      {},
      atMost("urgent", {
        code: (last) => ({ test: `x.deadline!==null&&x.deadline<=${last}` }),
      })`with a deadline on $ or earlier | whose deadline is $ or earlier
        | that have a deadline no later than $ | with a deadline of $ at the latest
        | that are to be reached by $ or sooner`,
    ),
    account: linkedThingColumn("account", drawSelectiveAccount)`in the account $ | of the account $
      | that belong to the account $ | whose account is $ | kept in the account $`,
    target: money(
      "target",
      { noun: "target" },
      superlatives`largest (by target) / smallest (by target) | biggest (by target) / smallest (by
        target) | largest (by target) / smallest (by target) | largest (by target) / smallest (by
        target) | biggest (by target) / smallest (by target)`,
    ),
    missing: money(missingCents, {
      code: "Math.max(0,Math.round((x.target-x.saved)*100))/100",
      noun: "missing amount",
    }),
  }),
  title: titleOfListItems<Goal>(
    "bank.goals",
    "name",
    (row) => row.name,
    "Sailing boat | Roof terrace | Telescope | Wedding",
  )`my savings goal "$" | the savings goal "$" | the goal "$" of my savings
    | the savings goal called "$" | the savings goal with the name "$"`,
});

const totalMissingCents = (db: Reader, account: number) =>
  db.where(goals, { account, closed: false }).reduce((sum, other) => sum + missingCents(other), 0);

export const goalActions = actions(
  { ...listOptions, when: { closed: false } },
  ({ setsToDrawn, sets, difficulty2 }) => ({
    fill: actionWithValue("money", ({ value, code }) =>
      sets(({ saved }) => ({ saved: saved + value }), {
        when: (row, db) => availableCents(db, row.account) >= 10 * value,
        api: "fillGoal",
        args: `amount:${code}`,
      }),
    )`Set $ aside for # | Put $ towards # | Top up # by $ | Let $ be set aside for #
    | Reserve $ at the bank for #`,
    drain: actionWithValue("money", ({ value, code }) =>
      sets(({ saved }) => ({ saved: saved - value }), {
        when: ({ saved }) => saved >= value,
        api: "drainGoal",
        args: `amount:${code}`,
      }),
    )`Take $ out of # | Remove $ from # | Withdraw $ from # | Let $ be taken out of #
    | Let the bank release $ from #`,
    /** Applies only where the account could complete all of its savings goals. */
    complete: difficulty2(
      sets(({ target }) => ({ saved: target }), {
        when: (row, db) =>
          missingCents(row) > 0 &&
          availableCents(db, row.account) >= totalMissingCents(db, row.account),
        call: "const o=apis.bank.goals({size:20}).items.find(g=>g.id===x);apis.bank.fillGoal({id:x,amount:Math.round((o.target-o.saved)*100)/100})",
      })`Set aside exactly what is missing for # | Fill up # exactly to the target
      | Put just enough towards # to reach the target | Add what is missing to the target for #
      | Bring # exactly to the target`,
    ),
    "set-deadline": setsToDrawn("deadline", drawTodayOrLater, {
      api: "changeGoal",
    })`Set the deadline of # to $ | Make $ the deadline of # | Change the deadline to $ for #
    | Let # have the deadline $ | Put the deadline $ on #`,
    close: sets({ saved: 0, closed: true }, { api: "closeGoal" })`Close # | Have the bank close #
    | Let # be closed | Close down # | Bring # to a close`,
  }),
);
