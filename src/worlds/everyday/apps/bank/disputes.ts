/** Disputes: the owner does not recognise a card transaction; the bank decides another day. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { dollars, given, idOf, paged, pageOf, paging, prose, rowBy } from "../shared.ts";
import { spendable } from "./book.ts";
import { DISPUTE_STATUSES, type Dispute, disputes, transactions } from "./tables.ts";
import { firstEditable } from "./transactions.ts";

const disputeItem = z.strictObject({
  payee: z.string(),
  id: z.int(),
  amount: z.number(),
  reason: z.string(),
  status: z.enum(DISPUTE_STATUSES),
  transaction: z.int(),
});

const view =
  (db: Reader) =>
  ({ id, transaction, reason, status }: Dispute) => {
    const row = db.get(transactions, transaction);
    return {
      payee: row?.payee ?? "removed",
      id,
      amount: dollars(Math.abs(row?.cents ?? 0)),
      reason,
      status,
      transaction,
    };
  };

const list = defineApi({
  summary: "List disputes, the latest first.",
  params: z.strictObject({
    status: z.enum(DISPUTE_STATUSES).optional().describe("only in this state"),
    ...paging,
  }),
  returns: pageOf(disputeItem),
  example: () => ({ status: "open" as const }),
  handler: ({ db }, { status, ...page }) =>
    paged(db.where(disputes, given({ status })).toReversed(), page, view(db)),
});

const isOpen = (db: Reader, transaction: number) =>
  db.where(disputes, { transaction, status: "open" }).length > 0;

const dispute = defineApi({
  summary: "Dispute a card transaction.",
  params: z.strictObject({ id: idOf("transaction"), reason: prose("why") }),
  returns: disputeItem,
  example: (db) => {
    const ok = firstEditable(
      db,
      (row) => row.card !== null && row.cents < 0 && !isOpen(db, row.id),
    );
    return { id: ok.id, reason: "I was not there that day." };
  },
  handler: ({ db }, { id, reason }) => {
    const row = rowBy(db, transactions, id, "transaction");
    spendable(db, row.account, "id");
    if (row.card === null || row.cents >= 0) {
      throw new ApiError(422, `id: expected a payment by card, transaction ${id} is none`);
    }
    if (isOpen(db, id)) throw new ApiError(409, `id: transaction ${id} is disputed already`);
    return view(db)(db.insert(disputes, { transaction: id, reason, status: "open" }));
  },
});

const withdraw = defineApi({
  summary: "Withdraw an open dispute.",
  params: z.strictObject({ id: idOf("dispute") }),
  returns: disputeItem,
  example: (db) => ({ id: db.where(disputes, { status: "open" })[0]!.id }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, disputes, id, "dispute");
    if (row.status !== "open") {
      throw new ApiError(409, `id: expected an open dispute, ${id} is ${row.status}`);
    }
    return view(db)(db.update(disputes, id, { status: "withdrawn" }));
  },
});

export const disputeApis = { disputes: list, dispute, withdrawDispute: withdraw };
