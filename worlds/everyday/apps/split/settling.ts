/** Balances between the owner and others, and what makes them even. */

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
  personColumnFilter,
  requirePerson,
  requireReceiver,
  requireRow,
  toCents,
  toDollars,
} from "../shared.ts";
import { payments, people } from "../tables.ts";
import { balances, balanceWith, planOf } from "./debts.ts";
import { activeGroup, groupBy, memberBy, mustBeGroup, onlyGroup, sideName } from "./sides.ts";
import { nudges, type Settlement, settlements, splitGroups, splitMembers } from "./tables.ts";

const way = z.enum(["owes me", "I owe"]);

/** A debt of a dollar or more in a group, for examples. */
function someDebt(db: Reader, outgoing: boolean) {
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

/** For examples: half a dollar of a debt, paid back. */
function half(db: Reader, param: "to" | "from") {
  const { group, person } = someDebt(db, param === "to");
  return { group, [param]: person, amount: 0.5 };
}

const sides = (cents: number) => ({
  owesMe: toDollars(Math.max(cents, 0)),
  iOwe: toDollars(Math.max(-cents, 0)),
});

const balanceApis = {
  balances: listApi(
    "List with whom the owner is not even, the largest amount first, over all groups or in one.",
    {
      item: defineObjectItem({ name: z.string(), person: z.string(), amount: z.number(), way }),
      params: {
        way: way.optional().describe("only people who owe the owner, or whom the owner owes"),
        group: onlyGroup,
      },
      rows: ({ way, group }, { db }) => {
        mustBeGroup(db, group);
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
    handler: ({ db }, { person: came }) => {
      const person = requirePerson(db, came, "person").id;
      const groups = db.all(splitGroups).flatMap(({ name, id }) => {
        const cents = balanceWith(db, person, id);
        return cents === 0 ? [] : [{ name, group: id, ...sides(cents) }];
      });
      return { ...sides(balanceWith(db, person)), groups };
    },
  }),
  plan: listApi(
    "List the few transfers that make a group even: whoever owes most pays whoever is owed most, until all are even.",
    {
      item: defineObjectItem({ from: z.string(), to: z.string(), amount: z.number() }),
      params: { group: idParam("group") },
      rows: ({ group }, { db }) => {
        mustBeGroup(db, group);
        return planOf(db, group).map(({ from, to, cents }) => ({
          from: sideName(db, from),
          to: sideName(db, to),
          amount: toDollars(cents),
        }));
      },
      example: (db) => ({ group: db.all(splitGroups)[0]!.id }),
    },
  ),
};

// --- settlements ---

const kind = z.enum(["paid", "received"]);

/** Those in active groups can be undone. */
const settlement = resource({
  noun: "settlement",
  item: settlements.item({
    with: handleField,
    id: z.int(),
    amount: dollarsField,
    kind: [kind, ({ outgoing }) => (outgoing ? "paid" : "received")],
    ...settlements.fields("group", "payment"),
    day: dayField,
  }),
  guard: ({ group }, { db }) => activeGroup(db, group, "id"),
  isExample: ({ group }, db) => !groupBy(db, group).archived,
});

const payment = z.int().min(1).optional().describe("id of the payment of pay that did it");

interface Settling {
  readonly group: number;
  readonly person: string;
  readonly amount: number;
  readonly payment?: number | undefined;
}

function settle({ db, now }: CallContext, came: Settling, outgoing: boolean) {
  const group = groupBy(db, came.group);
  const person = memberBy(db, group, came.person, outgoing ? "to" : "from");
  const cents = toCents(came.amount);
  const balance = balanceWith(db, person, group.id);
  const debt = outgoing ? -balance : balance;
  refuseUnless(cents <= debt, 422, () => {
    const [who, whom] = outgoing ? ["the owner", came.person] : [came.person, "the owner"];
    const most = toDollars(Math.max(debt, 0));
    return `amount: expected at most ${most}, which ${who} owes ${whom} in "${group.name}", got ${came.amount}`;
  });
  const row = { group: group.id, person, outgoing, cents, payment: came.payment ?? null };
  if (row.payment !== null) matchPayment(db, row.payment, row);
  return { ...row, undone: false, at: now };
}

/** A payment settles once, and only what it was. */
function matchPayment(
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
  const once = settled.every((other) => other.payment !== id);
  refuseUnless(once, 409, `payment: ${id} settled something already`);
}

const settlementApis = {
  settlements: settlement.list("List settlements that count, newest first.", {
    rows: { undone: false },
    filters: {
      with: personColumnFilter("only with this person", "with"),
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
    row: ({ to, ...came }, context) => settle(context, { ...came, person: to }, true),
    example: (db) => half(db, "to"),
  }),
  recordReceived: settlement.add(
    "Record that a member paid the owner back; no money moves by this.",
    {
      params: { group: idParam("group"), from: handleParam("who gave it"), amount, payment },
      row: ({ from, ...came }, context) => settle(context, { ...came, person: from }, false),
      example: (db) => half(db, "from"),
    },
  ),
  undoSettlement: settlement.set(
    "Undo the record of a settlement; the debt is back.",
    { undone: true },
    "is undone already",
  ),
};

// --- reminders ---

const nudge = resource({
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
  remind: nudge.add("Remind someone of what they owe the owner.", {
    params: {
      person: handleParam("who owes the owner"),
      text: z.string().trim().max(300).default("").describe("a few words of the owner"),
    },
    row: ({ person: came, text }, { db, now }) => {
      const person = requireReceiver(db, came, "person").id;
      const owes = balanceWith(db, person) > 0;
      refuseUnless(owes, 422, `person: expected someone who owes the owner, "${came}" does not`);
      return { person, text, at: now };
    },
    example: (db) => ({ person: someDebt(db, false).person, text: "Whenever it suits you." }),
  }),
  reminders: nudge.list("List the reminders that the owner sent, newest first.", {
    filters: { to: personColumnFilter("only to this person", "to") },
    order: newestFirst,
  }),
};
