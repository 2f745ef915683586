/** Who may do what with a trip: own ones everything; a contact's as viewer nothing, as editor its plans and costs. */
import { firstId, type Look, must, type Reader, rowById } from "../../../../world/index.ts";
import { handleOf, idOf } from "../shared.ts";
import { type Trip, trips } from "./tables.ts";

const anyTrip = (db: Reader, id: number, param = "trip") =>
  rowById(db, trips, id, { noun: "trip", param, hint: "travel.trips lists them" });

/** A 409 where it is cancelled. */
function standing(row: Trip, param: string): Trip {
  const { id, cancelled } = row;
  must(!cancelled, 409, `${param}: trip ${id} is cancelled; travel.reopenTrip first`);
  return row;
}

export function mustBeOwn(db: Reader, { id, person }: Trip, param: string): void {
  must(person === null, 403, () => {
    return `${param}: expected an own trip, ${id} belongs to "${handleOf(db, person!)}"`;
  });
}

/** A trip that only the owner rules over. */
export function ownTrip(db: Reader, id: number, param = "trip"): Trip {
  const row = anyTrip(db, id, param);
  mustBeOwn(db, row, param);
  return standing(row, param);
}

/** A trip whose plans and costs the owner may change. */
export function editableTrip(db: Reader, id: number, param = "trip"): Trip {
  const row = anyTrip(db, id, param);
  must(row.person === null || row.role === "editor", 403, () => {
    const host = handleOf(db, row.person!);
    return `${param}: trip ${id} belongs to "${host}" and the owner is only a viewer there`;
  });
  return standing(row, param);
}

export const isOwn = (row: Trip) => row.person === null && !row.cancelled;
export const ownTripId = (db: Reader) => firstId(db, trips, isOwn);

/** Whether it hangs on an own trip, for examples. */
export function onOwn(db: Reader, { trip }: { readonly trip: number }): boolean {
  const row = db.get(trips, trip);
  return row !== undefined && isOwn(row);
}

export const trip = idOf("trip");

/** Rows that hang on a trip that is looked at. */
export const ofTrip = {
  keys: { trip },
  find: (args: { readonly trip: number }, { db }: Look) => anyTrip(db, args.trip),
};
export const ofOwnTrip = {
  keys: { trip },
  find: (args: { readonly trip: number }, { db }: Look) => ownTrip(db, args.trip),
};
export const ofOwnExample = (db: Reader) => ({ trip: ownTripId(db) });
