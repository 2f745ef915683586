/** Seats: chosen after booking, one for each traveller; until then any free seat will do. */
import { z } from "zod";
import { ApiError, defineApi } from "../../../../world/index.ts";
import { handle, handleOf, idOf, personId } from "../shared.ts";
import { journey, openNow } from "./bookings.ts";
import { aboard, freeSeats, serviceBy } from "./rules.ts";
import { bookings, services, travellers } from "./tables.ts";

const seatItem = z.strictObject({
  handle: z.string().nullable(),
  id: z.int(),
  seat: z.string().nullable(),
});

const choose = defineApi({
  summary: "Choose a free seat for the owner or another traveller of a journey.",
  params: z.strictObject({
    id: idOf("booking"),
    seat: z
      .string()
      .regex(/^\d{1,2}[A-D]$/, "expected a seat such as 12A")
      .describe('row and letter, such as "12A"'),
    person: handle("who sits there; the owner when left out").optional(),
  }),
  returns: seatItem,
  example: (db) => {
    const row = db.all(bookings).find((other) => openNow(other) && other.service !== null);
    const service = row?.service ? db.get(services, row.service) : undefined;
    const seat = row && service ? freeSeats(db, service, row.day)[0] : undefined;
    return { id: row?.id ?? 1, seat: seat ?? "1A" };
  },
  handler: (context, { id, seat, ...args }) => {
    const { db } = context;
    const row = journey(context, id);
    const person = personId(db, args.person, "person") ?? null;
    const found = aboard(db, id).find((traveller) => traveller.person === person);
    if (!found) throw new ApiError(404, `person: "${args.person}" is not on booking ${id}`);
    const free = freeSeats(db, serviceBy(db, row.service ?? 0), row.day);
    if (!free.includes(seat)) {
      const some = free.slice(0, 3).join(", ");
      throw new ApiError(409, `seat: expected a free one such as ${some}, ${seat} is none`);
    }
    db.update(travellers, found.id, { seat });
    return { handle: person === null ? null : handleOf(db, person), id, seat };
  },
});

export const seatApis = { chooseSeat: choose };
