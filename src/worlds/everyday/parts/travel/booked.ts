/** What a new booking means, written on tables, and who it is for. */

import type { Draw } from "../../../../goals/index.ts";
import type { Writer } from "../../../../world/index.ts";
import { bookings, type Service, travellers } from "../../apps/travel/tables.ts";

interface Made {
  readonly kind: "hotel" | Service["kind"];
  readonly service: number | null;
  readonly hotel: number | null;
  readonly day: string;
  readonly nights: number;
  readonly rooms: number;
}

export function write(db: Writer, made: Made, companions: readonly number[]): void {
  const money = { pass: null, paid: "card" as const, cents: 0, refund: 0 };
  const row = db.insert(bookings, { ...made, ...money, trip: null, status: "booked" });
  for (const person of [null, ...companions]) {
    db.insert(travellers, { booking: row.id, person, seat: null, dropped: false });
  }
}

/** Someone to come along, in about half of the draws. */
export function companionsOf(draw: Draw) {
  const person = draw.rng.chance(0.5) ? draw.person() : undefined;
  return {
    words: person ? `for me and ${person.words}` : "for me alone",
    ids: person ? [person.value.id] : [],
    code: person ? `,with:[${person.code}]` : "",
    uses: person ? [person] : [],
  };
}
