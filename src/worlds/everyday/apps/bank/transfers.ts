/** Money that the owner sends now: between own accounts, and to payees. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  contains,
  given,
  handle,
  handleOf,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personId,
  receiver,
  same,
} from "../shared.ts";
import { people } from "../tables.ts";
import { firstOwn } from "./accounts.ts";
import { book, requireCents, spendable } from "./book.ts";
import { accounts, orders, type Payee, payees } from "./tables.ts";
import { category, transactionItem, transactionView } from "./transactions.ts";

const note = z.string().trim().max(200).default("").describe("what it is for");

const move = defineApi({
  summary: "Move money between two accounts; both get a transaction.",
  params: z.strictObject({
    from: idOf("account that it leaves"),
    to: idOf("account that gets it"),
    amount,
    note,
  }),
  returns: transactionItem,
  example: (db) => {
    const from = firstOwn(db);
    const to = db.all(accounts).find((row) => row.role === "spend" && row.id !== from.id)!;
    return { from: from.id, to: to.id, amount: 25, note: "for later" };
  },
  handler: ({ db, now }, { from, to, amount, note }) => {
    if (from === to) throw new ApiError(422, `to: expected another account than "from", got ${to}`);
    const source = spendable(db, from, "from");
    const target = spendable(db, to, "to");
    const cents = centsOf(amount);
    requireCents(db, source, cents);
    const common = { category: "transfers", note, card: null } as const;
    book(db, now, { ...common, account: to, cents, payee: source.name });
    return transactionView(
      book(db, now, { ...common, account: from, cents: -cents, payee: target.name }),
    );
  },
});

export function payeeBy(db: Reader, id: number, param: string): Payee {
  const row = db.get(payees, id);
  if (row && !row.removed) return row;
  throw new ApiError(404, `${param}: there is no payee with id ${id}; see bank.payees`);
}

/** The first payee that may be paid, for examples. */
export function firstPayee(db: Reader): Payee {
  const blocked = (row: Payee) => row.person !== null && db.get(people, row.person)?.blocked;
  return db.all(payees).find((row) => !row.removed && !blocked(row))!;
}

const transfer = defineApi({
  summary: "Transfer money to a payee.",
  params: z.strictObject({
    from: idOf("account that it leaves"),
    payee: idOf("payee"),
    amount,
    note,
    category: category.default("transfers").describe("the category of the transaction"),
  }),
  returns: transactionItem,
  example: (db) => ({ from: firstOwn(db).id, payee: firstPayee(db).id, amount: 12.5 }),
  handler: ({ db, now }, { from, payee: id, amount, note, category }) => {
    const account = spendable(db, from, "from");
    const payee = payeeBy(db, id, "payee");
    if (payee.person !== null) receiver(db, handleOf(db, payee.person), "payee");
    const cents = centsOf(amount);
    requireCents(db, account, cents);
    const row = { account: from, cents: -cents, payee: payee.name, category, note, card: null };
    return transactionView(book(db, now, row));
  },
});

// --- payees ---

const payeeItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  number: z.string(),
  person: z.string().nullable(),
});

const payeeView =
  (db: Reader) =>
  ({ name, id, number, person }: Payee) => ({
    name,
    id,
    number,
    person: person === null ? null : handleOf(db, person),
  });

const byName = (a: Payee, b: Payee) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id);

const list = defineApi({
  summary: "List payees by name; `person` is null for companies.",
  params: z.strictObject({
    person: handle("only accounts of this contact").optional(),
    name: z.string().min(1).max(100).optional().describe("only those with this in their name"),
    ...paging,
  }),
  returns: pageOf(payeeItem),
  example: (db) => ({ name: firstPayee(db).name }),
  handler: ({ db }, { person, name, ...page }) => {
    const match = given({ removed: false, person: personId(db, person, "person") });
    const rows = db.where(payees, match).filter((row) => !name || contains(row.name, name));
    return paged(rows.toSorted(byName), page, payeeView(db));
  },
});

/** A 409 when a payee that was not removed has this name. */
function freePayee(db: Reader, name: string, except?: number): void {
  const taken = db
    .where(payees, { removed: false })
    .find((row) => same(row.name, name) && row.id !== except);
  if (!taken) return;
  throw new ApiError(409, `name: there is a payee "${taken.name}" already; expected a new name`);
}

const addPayee = defineApi({
  summary: "Add a payee.",
  params: z.strictObject({
    name: line("name of the payee"),
    number: z
      .string()
      .regex(/^\d{8}$/)
      .describe('account number, eight digits such as "20417733"'),
    person: handle("the contact whose account it is").optional(),
  }),
  returns: payeeItem,
  example: () => ({ name: "Corner bakery", number: "20417733" }),
  handler: ({ db }, { name, number, person: came }) => {
    freePayee(db, name);
    const person = came === undefined ? null : receiver(db, came, "person").id;
    return payeeView(db)(db.insert(payees, { name, number, person, removed: false }));
  },
});

const renamePayee = defineApi({
  summary: "Rename a payee; earlier transactions keep the old name.",
  params: z.strictObject({ id: idOf("payee"), name: line("the new name") }),
  returns: payeeItem,
  example: (db) => ({ id: firstPayee(db).id, name: "Old payee" }),
  handler: ({ db }, { id, name }) => {
    payeeBy(db, id, "id");
    freePayee(db, name, id);
    return payeeView(db)(db.update(payees, id, { name }));
  },
});

const removePayee = defineApi({
  summary: "Remove a payee that no standing order uses.",
  params: z.strictObject({ id: idOf("payee") }),
  returns: payeeItem,
  example: (db) => ({ id: db.all(payees).find((row) => !row.removed && !isUsed(db, row.id))!.id }),
  handler: ({ db }, { id }) => {
    const row = payeeBy(db, id, "id");
    if (isUsed(db, id)) {
      throw new ApiError(409, `id: a standing order pays "${row.name}"; bank.endOrder first`);
    }
    return payeeView(db)(db.update(payees, id, { removed: true }));
  },
});

function isUsed(db: Reader, payee: number): boolean {
  return db.where(orders, { payee }).some((order) => order.status !== "ended");
}

export const transferApis = {
  move,
  transfer,
  payees: list,
  addPayee,
  renamePayee,
  removePayee,
};
