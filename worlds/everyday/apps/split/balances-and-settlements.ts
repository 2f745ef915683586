/**
 * Defines the APIs of balances (who owes whom how much), of settlements, which pay a debt back, and of reminders to
 * pay.
 */

import {
  defineObjectItem,
  idParam,
  listApi,
  newestFirst,
  refuseUnless,
  resource,
} from "bowline/resources";
import { type CallContext, defineApi, type Reader, z } from "bowline/world";
import {
  amount,
  dayField,
  dollarsField,
  handleField,
  handleOf,
  handleParam,
  leavingOut,
  personColumnFilter,
  requirePerson,
  requireReceiver,
  requireRow,
  toCents,
  toDollars,
} from "../shared.ts";
import { payments, people } from "../tables.ts";
import { balances, balanceWith, planTransfers } from "./debts.ts";
import {
  optionalGroupParam,
  requireActiveGroup,
  requireGroup,
  requireGroupIfGiven,
  requireMember,
  sideName,
} from "./members.ts";
import { nudges, type Settlement, settlements, splitGroups, splitMembers } from "./tables.ts";

const direction = z.enum(["owes me", "I owe"]);

/**
 * Returns a group, and a member who owes the owner at least a dollar or to whom the owner owes that much. Examples of
 * API calls use it.
 */
function exampleDebt(db: Reader, outgoing: boolean) {
  for (const { id: group } of db.all(splitGroups)) {
    for (const [person, cents] of balances(db, group)) {
      const isMember = db.where(splitMembers, { group, person, left: false }).length > 0;
      if (isMember && (outgoing ? -cents : cents) >= 100) {
        return { group, person: handleOf(db, person) };
      }
    }
  }
  throw new Error("invariant violated: nobody owes anything");
}

/** Returns the arguments of an example of an API call that pays back half a dollar of a debt. */
function exampleSettlement(db: Reader, param: "to" | "from") {
  const { group, person } = exampleDebt(db, param === "to");
  return { group, [param]: person, amount: 0.5 };
}

const toOwedFields = (cents: number) => ({
  owesMe: toDollars(Math.max(cents, 0)),
  iOwe: toDollars(Math.max(-cents, 0)),
});

const balanceApis = {
  balances: listApi(
    leavingOut(
      "List with whom the owner is not even, the largest amount first, over all groups or in one.",
      "removed expenses are",
    ),
    {
      item: defineObjectItem({
        name: z.string(),
        person: z.string(),
        amount: z.number(),
        way: direction,
      }),
      params: {
        way: direction.optional().describe("only people who owe the owner, or whom the owner owes"),
        group: optionalGroupParam,
      },
      rows: ({ way, group }, { db }) => {
        requireGroupIfGiven(db, group);
        return [...balances(db, group)]
          .filter(([, cents]) => way === undefined || (way === "owes me") === cents > 0)
          .sort(([a, x], [b, y]) => Math.abs(y) - Math.abs(x) || a - b)
          .map(([id, cents]) => ({
            name: db.get(people, id)?.name ?? "removed",
            person: handleOf(db, id),
            amount: toDollars(Math.abs(cents)),
            way: cents > 0 ? ("owes me" as const) : ("I owe" as const),
          }));
      },
      example: { way: "owes me" },
    },
  ),
  balance: defineApi({
    summary: "Show the balance with one person in all, and in each group where it is not even.",
    params: z.strictObject({ person: handleParam("the other side") }),
    returns: z.strictObject({
      owesMe: z.number(),
      iOwe: z.number(),
      groups: z.array(
        z.strictObject({ name: z.string(), group: z.int(), owesMe: z.number(), iOwe: z.number() }),
      ),
    }),
    example: (db) => ({ person: handleOf(db, [...balances(db).keys()][0]!) }),
    handler: ({ db }, { person: handle }) => {
      const person = requirePerson(db, handle, "person").id;
      const groups = db.all(splitGroups).flatMap(({ name, id }) => {
        const cents = balanceWith(db, person, id);
        return cents === 0 ? [] : [{ name, group: id, ...toOwedFields(cents) }];
      });
      return { ...toOwedFields(balanceWith(db, person)), groups };
    },
  }),
  plan: listApi(
    leavingOut(
      "List the few transfers that make a group even: whoever owes most pays whoever is owed most.",
      "until all are even. Removed expenses are",
    ),
    {
      item: defineObjectItem({ from: z.string(), to: z.string(), amount: z.number() }),
      params: { group: idParam("group") },
      rows: ({ group }, { db }) => {
        requireGroupIfGiven(db, group);
        return planTransfers(db, group).map(({ from, to, cents }) => ({
          from: sideName(db, from),
          to: sideName(db, to),
          amount: toDollars(cents),
        }));
      },
      example: (db) => ({ group: db.all(splitGroups)[0]!.id }),
    },
  ),
};

const kind = z.enum(["paid", "received"]);

/** Settlements. Only those in active groups can be undone. */
const settlement = resource({
  noun: "settlement",
  item: settlements.item({
    person: handleField,
    id: z.int(),
    amount: dollarsField,
    kind: [kind, ({ outgoing }) => (outgoing ? "paid" : "received")],
    ...settlements.fields("group", "payment"),
    day: dayField,
  }),
  guard: ({ group }, { db }) => requireActiveGroup(db, group, "id"),
  isExample: ({ group }, db) => !requireGroup(db, group).archived,
});

const payment = z.int().min(1).optional().describe("id of the payment of pay that did it");

interface SettlementArguments {
  readonly group: number;
  readonly person: string;
  readonly amount: number;
  readonly payment?: number | undefined;
}

function makeSettlement({ db, now }: CallContext, given: SettlementArguments, outgoing: boolean) {
  const group = requireGroup(db, given.group);
  const person = requireMember(db, group, given.person, outgoing ? "to" : "from");
  const cents = toCents(given.amount);
  const balance = balanceWith(db, person, group.id);
  const debt = outgoing ? -balance : balance;
  refuseUnless(cents <= debt, 422, () => {
    const [debtor, creditor] = outgoing ? ["the owner", given.person] : [given.person, "the owner"];
    const most = toDollars(Math.max(debt, 0));
    return `amount: expected at most ${most}, which ${debtor} owes ${creditor} in "${group.name}", got ${given.amount}`;
  });
  const row = { group: group.id, person, outgoing, cents, payment: given.payment ?? null };
  if (row.payment !== null) requireMatchingPayment(db, row.payment, row);
  return { ...row, undone: false, at: now };
}

/**
 * Throws a 422 unless the payment is between the owner and this person and has this amount. Throws a 409 when it has
 * already settled something.
 */
function requireMatchingPayment(
  db: Reader,
  id: number,
  { person, outgoing, cents }: Pick<Settlement, "person" | "outgoing" | "cents">,
): void {
  const row = requireRow(db, payments, id, "payment");
  refuseUnless(
    row.person === person && row.outgoing === outgoing && row.cents === cents,
    422,
    `payment: expected a payment between the two of this amount, ${id} is another`,
  );
  const settled = db.where(settlements, { person, undone: false });
  const isUnused = settled.every((other) => other.payment !== id);
  refuseUnless(isUnused, 409, `payment: ${id} settled something already`);
}

const settlementApis = {
  settlements: settlement.list("List settlements, newest first; undone ones are left out.", {
    rows: { undone: false },
    filters: {
      person: personColumnFilter("only with this person", "person"),
      group: idParam("group"),
      kind: [
        kind.describe("only what the owner paid, or received"),
        (kind) => ({ outgoing: kind === "paid" }),
      ],
    },
    order: newestFirst,
    example: { kind: "received" },
  }),
  recordPaid: settlement.add("Record that the owner paid a member back; no money moves by this.", {
    params: { group: idParam("group"), to: handleParam("who got it"), amount, payment },
    row: ({ to, ...settlementArgs }, context) =>
      makeSettlement(context, { ...settlementArgs, person: to }, true),
    example: (db) => exampleSettlement(db, "to"),
  }),
  recordReceived: settlement.add(
    "Record that a member paid the owner back; no money moves by this.",
    {
      params: { group: idParam("group"), from: handleParam("who gave it"), amount, payment },
      row: ({ from, ...settlementArgs }, context) =>
        makeSettlement(context, { ...settlementArgs, person: from }, false),
      example: (db) => exampleSettlement(db, "from"),
    },
  ),
  undoSettlement: settlement.set(
    "Undo the record of a settlement; the debt is back.",
    { undone: true },
    "is undone already",
  ),
};

const reminder = resource({
  noun: "reminder",
  item: nudges.item({
    ...nudges.fields("text", "id"),
    to: handleField,
    day: dayField,
  }),
});

export const settlingApis = {
  ...balanceApis,
  ...settlementApis,
  remind: reminder.add("Remind someone of what they owe the owner.", {
    params: {
      person: handleParam("who owes the owner"),
      text: z.string().trim().max(300).default("").describe("a few words of the owner"),
    },
    row: ({ person: handle, text }, { db, now }) => {
      const person = requireReceiver(db, handle, "person").id;
      const owes = balanceWith(db, person) > 0;
      refuseUnless(owes, 422, `person: expected someone who owes the owner, "${handle}" does not`);
      return { person, text, at: now };
    },
    example: (db) => ({ person: exampleDebt(db, false).person, text: "Whenever it suits you." }),
  }),
  reminders: reminder.list("List the reminders that the owner sent, newest first.", {
    filters: { to: personColumnFilter("only to this person", "to") },
    order: newestFirst,
  }),
};
