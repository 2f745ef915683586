/** Goals about transactions: their collection, relations and actions. */
import {
  actions,
  actionWithValue,
  byArgument,
  type DrawContext,
  defineCollection,
  drawSelectiveValue,
  jsLiteral,
  nouns,
  oneOf,
  referencedIn,
  relationBetween,
  relations,
  taskValue,
  wordList,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  accounts,
  CATEGORIES,
  cards,
  disputes,
  payees,
  type Transaction,
  transactions,
} from "../../apps/bank/tables.ts";
import { people } from "../../apps/tables.ts";
import { distinctForEachKey } from "../pay/money-app-code.ts";
import {
  AMOUNT_SUPERLATIVES,
  largeAmountClause,
  lateDateClause,
  linkedThingColumn,
  noteColumn,
  PAST_DATE_SUPERLATIVES,
} from "../pay/money-app-columns.ts";
import {
  canSpendFrom,
  drawAccountIfSeveral,
  insertTransfer,
  isOwnAccount,
  makeLookedUpId,
} from "./lookups.ts";

/** Draws a card that paid some of the rows. */
function drawSelectiveCard(draw: DrawContext, ids: readonly number[]) {
  const id = drawSelectiveValue(draw.rng, ids);
  const card = id === undefined ? undefined : draw.db.get(cards, id);
  if (!card || card.cancelled) return undefined;
  const label = jsLiteral(card.label);
  const code = `apis.bank.cards({size:20}).items.find(x=>x.label===${label}).id`;
  return makeLookedUpId(draw, card.id, label, code);
}

/**
 * Draws a payee that several of the rows have. People are left out, because the task may not be allowed to name them.
 */
function drawFrequentPayee(
  { rng, db }: DrawContext,
  rows: readonly Transaction[],
): string | undefined {
  const namesOfPeople = new Set(db.all(people).map((row) => row.name));
  const names = rows.map((row) => row.payee).filter((name) => !namesOfPeople.has(name));
  return drawSelectiveValue(
    rng,
    names.filter((name) => names.filter((n) => n === name).length > 1),
  );
}

const NOTE_WORDS = `tax papers | neighbours | too expensive | piano lessons | dog walking | garage
  share | dinner | wine | taxi | groceries | tickets | gift | monthly`;

const listOptions = { kind: "transactions", app: "bank", table: transactions };

export const transactionsPart = defineCollection<Transaction>({
  ...listOptions,
  nouns: nouns`bank transaction(s) | transaction(s) at my bank | transaction(s) in the Bank app
    | transaction(s) in my bank accounts
    | transaction that the bank booked / transactions booked by the bank`,
  list: "transactions",
  fields: "payee amount day account",
  columns: ({ choice, withProperty, matchingValue, money, day, text }) => ({
    category: choice("category", { arg: "category" }, { excludes: ["payee"] })`in the category "$"
      | of the category "$" | that are in the category "$" | whose category is "$"
      | which are filed under the category "$"`,
    account: {
      ...text((row, db) => db.get(accounts, row.account)!.name, {
        code: "apis.bank.account({id:x.account}).name",
        noun: "name of the account",
      }),
      ...linkedThingColumn<Transaction>("account", drawAccountIfSeveral, { excludes: ["card"] })`
        on the account $ | of the account $ | that were booked on the account $
        | which belong to the account $ | booked on the account $`,
    },
    out: withProperty((row) => row.cents < 0, { args: 'way:"out"' }, { excludes: ["in", "card"] })`
      that went out | which are payments going out | by which money went out
      | that took money out of an account | which are outgoing`,
    in: withProperty((row) => row.cents > 0, { args: 'way:"in"' }, { excludes: ["card"] })`
      that came in | which are payments coming in | by which money came in
      | that brought money into an account | which are incoming`,
    amount: money(
      (row) => Math.abs(row.cents),
      { item: "amount", noun: "amount", superlatives: AMOUNT_SUPERLATIVES },
      largeAmountClause({ arg: "least" }),
    ),
    day: day(
      (row) => row.at.slice(0, 10),
      { item: "day", noun: "date", superlatives: PAST_DATE_SUPERLATIVES },
      lateDateClause({ arg: "since" }),
    ),
    payee: {
      ...text("payee", { noun: "payee" }),
      ...matchingValue(drawFrequentPayee, (row, payee) => row.payee === payee, byArgument("payee"))`
        with the payee "$" | whose payee is "$" | that have "$" as their payee
        | with "$" as the payee | that name "$" as the payee`,
    },
    card: linkedThingColumn("card", drawSelectiveCard)`
      paid with the card $ | that were paid with the card $
      | by the card $ | that the card $ paid | which I paid by the card $`,
    note: noteColumn(NOTE_WORDS, "apis.bank.transaction({id:x.id}).note"),
  }),
});

export const transactionRelations = relations("bank", {
  "transaction-accounts": relationBetween("transactions", "accounts", {
    relatedIds: referencedIn(transactions, "account"),
    code: distinctForEachKey("apis.bank.transaction({id:k}).account"),
  })`the accounts of # | the accounts with a booking of # | whichever accounts have # on them
    | the accounts that hold # | every account with any of #`,
  "transaction-payees": relationBetween("transactions", "payees", {
    relatedIds: (id, db) => {
      const name = db.get(transactions, id)!.payee;
      return db.where(payees, { name, removed: false }).map((row) => row.id);
    },
    cells: (from, to) => [
      `var ${to}=[];for(const n of new Set(${from}.map(k=>apis.bank.transaction({id:k}).payee))){const f=apis.bank.payees({name:n,size:20}).items.find(x=>x.name===n);if(f)${to}.push(f.id)}print(${to})`,
    ],
  })`the saved payees that stand as the payee in # | those of my saved payees that occur in #
    | my saved payees with any of # | whichever saved payees stand in #
    | every saved payee that is named by any of #`,
});

const canChangeTransaction = ({ account }: Transaction, db: Reader) => canSpendFrom(db, account);

/** Returns true for a transfer that can be sent again. This is possible only for transfers to saved payees. */
function canRepeatTransfer(row: Transaction, db: Reader): boolean {
  const savedPayees = db.where(payees, { name: row.payee, removed: false });
  const arePayeesUnblocked = savedPayees.every(
    ({ person }) => person === null || !db.get(people, person)?.blocked,
  );
  const isSentTransfer = row.cents < 0 && row.category === "transfers";
  return (
    canChangeTransaction(row, db) &&
    isSentTransfer &&
    savedPayees.length === 1 &&
    arePayeesUnblocked
  );
}

export const transactionActions = actions(
  listOptions,
  ({ setsToDrawn, sets, addsRow, applies, drawnAction, difficulty2 }) => ({
    categorise: setsToDrawn("category", oneOf(CATEGORIES), {
      when: canChangeTransaction,
      api: "categorise",
    })`Change the category to "$" for # | Set the category of # to "$" | Move # to the category "$"
    | Make "$" the category of # | Sort # into the category "$"`,
    annotate: setsToDrawn("note", taskValue("text"), {
      when: canChangeTransaction,
      api: "annotate",
    })`Replace the note with $ for # | Set the note of # to $ | Make $ the note of #
    | Let the note of # be $ | Put the note $ on # instead of the present one`,
    "extend-note": difficulty2(
      drawnAction(({ rng }) => {
        const words = wordList("checked | business | reimbursed | private | split later");
        const added = ` (${rng.pick(words)})`;
        const a = jsLiteral(added);
        return sets(({ note }) => ({ note: `${note}${added}`.trim() }), {
          when: canChangeTransaction,
          call: `apis.bank.annotate({id:x,note:apis.bank.transaction({id:x}).note+${a}})`,
        })`
        Append ${a} to the note, keeping what it says, for # | Add ${a} at the end of the note of #
        | Extend the note of # by ${a} at its end | Put ${a} behind what the note of # says | Let
        the note of # end with ${a} after its present text`;
      }),
    ),
    dispute: actionWithValue("text", ({ value, code }) =>
      addsRow(disputes, ({ id }) => ({ transaction: id, reason: value, status: "open" }), {
        when: (row, db) =>
          isOwnAccount(db, row.account) &&
          row.card !== null &&
          row.cents < 0 &&
          db.where(disputes, { transaction: row.id, status: "open" }).length === 0,
        api: "dispute",
        args: `reason:${code}`,
      }),
    )`Dispute # with the reason $ | Open a dispute at the bank, giving the reason $, about #
    | Raise a dispute with the reason $ over # | Start a bank dispute for the reason $ about #
    | File a dispute over # and state the reason $`,
    "transfer-again": difficulty2(
      applies(
        (db, { account, cents, payee, note }) =>
          insertTransfer(db, { account, cents, payee, note }),
        {
          when: canRepeatTransfer,
          call: "const o=apis.bank.transaction({id:x}),to=apis.bank.payees({name:o.payee,size:20}).items.find(f=>f.name===o.payee).id;apis.bank.transfer({from:o.account,payee:to,amount:o.amount,note:o.note})",
        },
      )`Repeat # as a transfer with the same account, payee, amount and note
      | Make a new transfer with the same account, payee, amount and note for #
      | Transfer the same amount with the same note from the same account to the same payee again,
        for # | Repeat # as new transfers with the same account, payee, amount and note
      | Do # once more as a transfer, with unchanged account, payee, amount and note`,
    ),
  }),
);
