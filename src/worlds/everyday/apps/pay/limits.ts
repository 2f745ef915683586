/** What the owner means to send in a month. A limit only tells how much is left; no payment is refused by it. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  dollars,
  given,
  handle,
  handleOf,
  paged,
  pageOf,
  paging,
  personId,
} from "../shared.ts";
import { payments } from "../tables.ts";
import { type Limit, limits } from "./tables.ts";
import { unblocked } from "./transfer.ts";

const limitItem = z.strictObject({
  person: z.string().nullable(),
  limit: z.number(),
  sent: z.number(),
  left: z.number(),
});

/** Cents sent in the month of `now`, to one person or in all. */
export function sentInMonth(db: Reader, person: number | null, now: string): number {
  return db
    .where(payments, given({ outgoing: true, person: person ?? undefined }))
    .filter((row) => row.at.slice(0, 7) === now.slice(0, 7))
    .reduce((sum, row) => sum + row.cents, 0);
}

const view =
  (db: Reader, now: string) =>
  ({ person, cents }: Limit) => {
    const sent = sentInMonth(db, person, now);
    return {
      person: person === null ? null : handleOf(db, person),
      limit: dollars(cents),
      sent: dollars(sent),
      left: dollars(cents - sent),
    };
  };

const list = defineApi({
  summary: "List monthly limits with what was sent this month; person null is for all together.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(limitItem),
  example: () => ({}),
  handler: ({ db, now }, page) => paged(db.all(limits), page, view(db, now)),
});

const person = handle("for payments to this person; for all together when left out").optional();

const set = defineApi({
  summary: "Set a monthly limit.",
  params: z.strictObject({ amount, person }),
  returns: limitItem,
  example: (db) => ({ amount: 150, person: unblocked(db) }),
  handler: ({ db, now }, { amount, person: came }) => {
    const person = personId(db, came, "person") ?? null;
    const cents = centsOf(amount);
    const [old] = db.where(limits, { person });
    const row = old ? db.update(limits, old.id, { cents }) : db.insert(limits, { person, cents });
    return view(db, now)(row);
  },
});

const remove = defineApi({
  summary: "Remove a monthly limit.",
  params: z.strictObject({ person }),
  returns: limitItem,
  example: (db) => ({ person: handleOf(db, db.all(limits).find((row) => row.person)!.person!) }),
  handler: ({ db, now }, { person: came }) => {
    const [row] = db.where(limits, { person: personId(db, came, "person") ?? null });
    if (!row) {
      throw new ApiError(
        404,
        `person: there is no limit for ${came ? `"${came}"` : "all together"}`,
      );
    }
    const shown = view(db, now)(row);
    db.remove(limits, row.id);
    return shown;
  },
});

export const limitApis = { limits: list, setLimit: set, removeLimit: remove };
