/** Balances between the owner and others, and what makes them even. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  dayOf,
  dollars,
  given,
  handle,
  handleOf,
  idOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
  receiver,
  rowBy,
} from "../shared.ts";
import { payments, people } from "../tables.ts";
import { balances, balanceWith, planOf } from "./debts.ts";
import { activeGroup, groupBy, memberBy, sideName } from "./sides.ts";
import { nudges, type Settlement, settlements, splitGroups, splitMembers } from "./tables.ts";

const WAYS = ["owes me", "I owe"] as const;

const balanceItem = z.strictObject({
  name: z.string(),
  person: z.string(),
  amount: z.number(),
  way: z.enum(WAYS),
});

const balanceView =
  (db: Reader) =>
  ([id, cents]: readonly [number, number]) => ({
    name: db.get(people, id)?.name ?? "removed",
    person: handleOf(db, id),
    amount: dollars(Math.abs(cents)),
    way: cents > 0 ? WAYS[0] : WAYS[1],
  });

const list = defineApi({
  summary:
    "List with whom the owner is not even, the largest amount first, over all groups or in one.",
  params: z.strictObject({
    way: z.enum(WAYS).optional().describe("only people who owe the owner, or whom the owner owes"),
    group: idOf("group").optional(),
    ...paging,
  }),
  returns: pageOf(balanceItem),
  example: () => ({ way: "owes me" as const }),
  handler: ({ db }, { way, group, ...page }) => {
    if (group !== undefined) groupBy(db, group);
    const rows = [...balances(db, group)]
      .filter(([, cents]) => way === undefined || (way === "owes me") === cents > 0)
      .sort(([a, x], [b, y]) => Math.abs(y) - Math.abs(x) || a - b);
    return paged(rows, page, balanceView(db));
  },
});

const balance = defineApi({
  summary: "Show the balance with one person in all, and in each group where it is not even.",
  params: z.strictObject({ person: handle("the other side") }),
  returns: z.strictObject({
    owesMe: z.number(),
    iOwe: z.number(),
    groups: z.array(
      z.strictObject({ name: z.string(), group: z.int(), owesMe: z.number(), iOwe: z.number() }),
    ),
  }),
  example: (db) => ({ person: handleOf(db, [...balances(db).keys()][0]!) }),
  handler: ({ db }, { person: came }) => {
    const person = personBy(db, came, "person").id;
    const sides = (cents: number) => ({
      owesMe: dollars(Math.max(cents, 0)),
      iOwe: dollars(Math.max(-cents, 0)),
    });
    const groups = db
      .all(splitGroups)
      .map(({ name, id }) => ({ name, group: id, cents: balanceWith(db, person, id) }))
      .filter(({ cents }) => cents !== 0)
      .map(({ name, group, cents }) => ({ name, group, ...sides(cents) }));
    return { ...sides(balanceWith(db, person)), groups };
  },
});

const plan = defineApi({
  summary:
    "List the few transfers that make a group even: whoever owes most pays whoever is owed most, until all are even.",
  params: z.strictObject({ group: idOf("group"), ...paging }),
  returns: pageOf(z.strictObject({ from: z.string(), to: z.string(), amount: z.number() })),
  example: (db) => ({ group: db.all(splitGroups)[0]!.id }),
  handler: ({ db }, { group, ...page }) => {
    groupBy(db, group);
    return paged(planOf(db, group), page, ({ from, to, cents }) => ({
      from: sideName(db, from),
      to: sideName(db, to),
      amount: dollars(cents),
    }));
  },
});

// --- settlements ---

const settlementItem = z.strictObject({
  with: z.string(),
  id: z.int(),
  amount: z.number(),
  kind: z.enum(["paid", "received"]),
  group: z.int(),
  payment: z.int().nullable(),
  day: z.string(),
});

const view =
  (db: Reader) =>
  ({ person, id, cents, outgoing, group, payment, at }: Settlement) => ({
    with: handleOf(db, person),
    id,
    amount: dollars(cents),
    kind: outgoing ? ("paid" as const) : ("received" as const),
    group,
    payment,
    day: dayOf(at),
  });

const history = defineApi({
  summary: "List settlements that count, newest first.",
  params: z.strictObject({
    with: handle("only with this person").optional(),
    group: idOf("group").optional(),
    kind: z.enum(["paid", "received"]).optional().describe("only what the owner paid, or received"),
    ...paging,
  }),
  returns: pageOf(settlementItem),
  example: () => ({ kind: "received" as const }),
  handler: ({ db }, { with: other, group, kind, ...page }) => {
    const outgoing = kind === undefined ? undefined : kind === "paid";
    const person = personId(db, other, "with");
    const rows = db.where(settlements, given({ person, group, outgoing, undone: false }));
    return paged(newestFirst(rows), page, view(db));
  },
});

const payment = z.int().min(1).optional().describe("id of the payment of pay that did it");

interface Settling {
  readonly group: number;
  readonly person: string;
  readonly amount: number;
  readonly payment: number | undefined;
}

function settle({ db, now }: CallContext, came: Settling, outgoing: boolean) {
  const param = outgoing ? "to" : "from";
  const group = groupBy(db, came.group);
  const person = memberBy(db, group, came.person, param);
  const cents = centsOf(came.amount);
  const balance = balanceWith(db, person, group.id);
  const debt = outgoing ? -balance : balance;
  if (cents > debt) {
    const [who, whom] = outgoing ? ["the owner", came.person] : [came.person, "the owner"];
    throw new ApiError(
      422,
      `amount: expected at most ${dollars(Math.max(debt, 0))}, which ${who} owes ${whom} in "${group.name}", got ${came.amount}`,
    );
  }
  if (came.payment !== undefined) matchPayment(db, came.payment, person, outgoing, cents);
  const row = { group: group.id, person, outgoing, cents, payment: came.payment ?? null };
  return view(db)(db.insert(settlements, { ...row, undone: false, at: now }));
}

/** A payment settles once, and only what it was. */
function matchPayment(
  db: Reader,
  id: number,
  person: number,
  outgoing: boolean,
  cents: number,
): void {
  const row = rowBy(db, payments, id, "payment");
  if (row.person !== person || row.outgoing !== outgoing || row.cents !== cents) {
    throw new ApiError(
      422,
      `payment: expected a payment between the two of this amount, ${id} is another`,
    );
  }
  if (db.where(settlements, { person, undone: false }).some((other) => other.payment === id)) {
    throw new ApiError(409, `payment: ${id} settled something already`);
  }
}

/** A debt of a dollar or more in a group, for examples. */
function someDebt(db: Reader, outgoing: boolean) {
  for (const { id } of db.all(splitGroups)) {
    for (const [person, cents] of balances(db, id)) {
      const member = groupHas(db, id, person);
      if (member && (outgoing ? -cents : cents) >= 100)
        return { group: id, person: handleOf(db, person) };
    }
  }
  throw new Error("invariant violated: nobody owes anything");
}

function groupHas(db: Reader, group: number, person: number): boolean {
  return db.where(splitMembers, { group, person, left: false }).length > 0;
}

const recordPaid = defineApi({
  summary: "Record that the owner paid a member back; no money moves by this.",
  params: z.strictObject({ group: idOf("group"), to: handle("who got it"), amount, payment }),
  returns: settlementItem,
  example: (db) => {
    const { group, person } = someDebt(db, true);
    return { group, to: person, amount: 0.5 };
  },
  handler: (context, { group, to, amount, payment }) =>
    settle(context, { group, person: to, amount, payment }, true),
});

const recordReceived = defineApi({
  summary: "Record that a member paid the owner back; no money moves by this.",
  params: z.strictObject({ group: idOf("group"), from: handle("who gave it"), amount, payment }),
  returns: settlementItem,
  example: (db) => {
    const { group, person } = someDebt(db, false);
    return { group, from: person, amount: 0.5 };
  },
  handler: (context, { group, from, amount, payment }) =>
    settle(context, { group, person: from, amount, payment }, false),
});

const undo = defineApi({
  summary: "Undo the record of a settlement; the debt is back.",
  params: z.strictObject({ id: idOf("settlement") }),
  returns: settlementItem,
  example: (db) => {
    const inUse = (row: Settlement) => !groupBy(db, row.group).archived;
    return { id: db.where(settlements, { undone: false }).find(inUse)!.id };
  },
  handler: ({ db }, { id }) => {
    const row = rowBy(db, settlements, id, "settlement");
    activeGroup(db, row.group, "id");
    if (row.undone) throw new ApiError(409, `id: settlement ${id} is undone already`);
    return view(db)(db.update(settlements, id, { undone: true }));
  },
});

// --- reminders ---

const nudgeItem = z.strictObject({
  text: z.string(),
  id: z.int(),
  to: z.string(),
  day: z.string(),
});

const remind = defineApi({
  summary: "Remind someone of what they owe the owner.",
  params: z.strictObject({
    person: handle("who owes the owner"),
    text: z.string().trim().max(300).default("").describe("a few words of the owner"),
  }),
  returns: nudgeItem,
  example: (db) => ({ person: someDebt(db, false).person, text: "Whenever it suits you." }),
  handler: ({ db, now }, { person: came, text }) => {
    const person = receiver(db, came, "person").id;
    if (balanceWith(db, person) <= 0) {
      throw new ApiError(422, `person: expected someone who owes the owner, "${came}" does not`);
    }
    const { id } = db.insert(nudges, { person, text, at: now });
    return { text, id, to: handleOf(db, person), day: dayOf(now) };
  },
});

const reminders = defineApi({
  summary: "List the reminders that the owner sent, newest first.",
  params: z.strictObject({ to: handle("only to this person").optional(), ...paging }),
  returns: pageOf(nudgeItem),
  example: () => ({}),
  handler: ({ db }, { to, ...page }) => {
    const rows = db.where(nudges, given({ person: personId(db, to, "to") }));
    return paged(newestFirst(rows), page, ({ text, id, person, at }) => ({
      text,
      id,
      to: handleOf(db, person),
      day: dayOf(at),
    }));
  },
});

export const settlingApis = {
  balances: list,
  balance,
  plan,
  settlements: history,
  recordPaid,
  recordReceived,
  undoSettlement: undo,
  remind,
  reminders,
};
