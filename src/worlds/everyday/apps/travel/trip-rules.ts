/** Who may do what with a trip: own ones everything; a contact's as viewer nothing, as editor its plans and costs. */
import { ApiError, type Reader, type Table, type TableRow } from "../../../../world/index.ts";
import { handleOf } from "../shared.ts";
import { type Trip, trips } from "./tables.ts";

/** An id for an example: the first row that fits, or 1 where there is none. */
export function exampleId<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  fits: (row: R) => boolean = () => true,
): number {
  return db.all(table).find(fits)?.id ?? 1;
}

export function tripBy(db: Reader, id: number, param = "trip"): Trip {
  const row = db.get(trips, id);
  if (row) return row;
  throw new ApiError(404, `${param}: there is no trip with id ${id}; travel.trips lists them`);
}

/** A trip that is not cancelled. */
function standing(row: Trip, param: string): Trip {
  if (!row.cancelled) return row;
  throw new ApiError(409, `${param}: trip ${row.id} is cancelled; travel.reopenTrip first`);
}

/** A trip that only the owner rules over. */
export function ownTrip(db: Reader, id: number, param = "trip"): Trip {
  const row = tripBy(db, id, param);
  if (row.person === null) return standing(row, param);
  const host = handleOf(db, row.person);
  throw new ApiError(403, `${param}: expected an own trip, ${id} belongs to "${host}"`);
}

/** A trip whose plans and costs the owner may change. */
export function editableTrip(db: Reader, id: number, param = "trip"): Trip {
  const row = tripBy(db, id, param);
  if (row.person === null || row.role === "editor") return standing(row, param);
  const host = handleOf(db, row.person);
  throw new ApiError(
    403,
    `${param}: trip ${id} belongs to "${host}" and the owner is only a viewer there`,
  );
}

export const isOwn = (row: Trip) => row.person === null && !row.cancelled;
export const ownTripId = (db: Reader) => exampleId(db, trips, isOwn);
