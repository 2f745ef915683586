/** Actions on shared expenses. */
import { actions, actionWithValue, oneOf } from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  EXPENSE_CATEGORIES,
  type Expense,
  expenseComments,
  expenseShares,
  expenses,
} from "../../apps/split/tables.ts";
import { ANY_TIME, insertRequest } from "../pay/insert-rows.ts";
import { isReachable } from "../reachable-people.ts";
import { insertRepayment, isActiveGroup, shareCents } from "./debts.ts";

const sharesOfOthers = (db: Reader, { id }: Expense) =>
  db.where(expenseShares, { expense: id }).filter((share) => share.person !== null);

const canChangeExpense = ({ addedBy, group, removed }: Expense, db: Reader) =>
  addedBy === null && !removed && isActiveGroup(db, group);

export const expenseActions = actions(
  { kind: "expenses", app: "split", table: expenses },
  ({ addsRow, applies, sets, setsToDrawn, difficulty2 }) => ({
    comment: actionWithValue("text", ({ value, code }) => {
      const said = { person: null, text: value, removed: false, at: ANY_TIME };
      return addsRow(expenseComments, ({ id }) => ({ expense: id, ...said }), {
        api: "comment",
        args: `text:${code}`,
      });
    })`Write the comment $ under # | Comment $ on # | Leave a comment that says $ under #
      | Add the comment $ to # | Put $ as a comment under #`,
    /** This action pays the owner's share of each expense to the member who paid the expense. */
    "pay-my-share": difficulty2(
      applies(
        (db, { id, payer, what }) => insertRepayment(db, payer!, shareCents(db, id, null), what),
        {
          when: ({ id, payer }, db) => isReachable(db, payer) && shareCents(db, id, null) > 0,
          call: "const o=apis.split.expense({id:x});apis.pay.send({to:o.payer,amount:o.myShare,note:o.what})",
        },
      )`Pay my share back to the payer with Pay, noting the expense's description, for # | Use Pay
        to give the payer my share, one payment for each expense with its description as the note,
        for # | With Pay, send each payer my share of #, with the description as the note of each
        payment | For #, send my share to the payer, by one Pay payment each with the description
        as the note | Send my share to the payer by Pay, a payment for each expense with its
        description as note, for #`,
    ),
    /** This action requests from each other participant their share of the expense. */
    "request-shares": difficulty2(
      applies(
        (db, row) => {
          for (const { person, cents } of sharesOfOthers(db, row)) {
            insertRequest(db, person!, cents, row.what);
          }
        },
        {
          when: (row, db) => {
            const shares = sharesOfOthers(db, row);
            const areReachable = shares.every(
              ({ person, cents }) => isReachable(db, person) && cents > 0,
            );
            return row.payer === null && shares.length > 0 && areReachable;
          },
          call: 'const o=apis.split.expense({id:x});for(const s of o.shares)if(s.person!=="me")apis.pay.request({from:s.person,amount:s.amount,note:o.what})',
        },
      )`Request from every other participant their share with Pay, noting the expense's
        description, for # | Use Pay to ask every other participant for their own share, with the
        expense's description as the note, of # | With Pay, request the shares of all other
        participants of #, each with the description as its note | For #, request their shares
        from all others by Pay, with the description as the note | For #, send all other
        participants Pay requests for their shares, with the description as the note`,
    ),
    remove: sets({ removed: true }, { when: canChangeExpense, api: "remove" })`Remove # from Split
      | Delete # in Split | Take # out of Split | Let Split remove # | Strike # in the Split app`,
    "set-category": setsToDrawn("category", oneOf(EXPENSE_CATEGORIES), {
      when: canChangeExpense,
      api: "change",
    })`Change the category to "$" for # | Set the category of # to "$" | Move # to the category "$"
      | Make "$" the category of # | Sort # into the category "$"`,
  }),
);
