/** Contacts and trips: who comes along, and who may see or change the plan of an own one. */

import { firstRowId, type Item, refuseUnless, resource } from "bowline/resources";
import type { Reader, Table, TableRow } from "bowline/world";
import { z } from "bowline/world";
import {
  exampleHandleWhere,
  handleField,
  handleOf,
  handleParam,
  nameField,
  requirePerson,
  requireReceiver,
} from "../shared.ts";
import { companions, ROLES, tripShares, trips } from "./tables.ts";
import {
  comes,
  ofOwnExample,
  ofOwnTrip,
  ofTrip,
  onOwn,
  ownTrip,
  ownTripId,
  trip as tripId,
} from "./trips.ts";

/** A contact who is not on the trip yet, for examples. */
const outsider = (db: Reader) =>
  exampleHandleWhere(db, (person) => !comes(db, ownTripId(db), person.id));

/** Rows that tie a person to a trip, one of them for both, while they are as `standing` says. */
const ties = <R extends TableRow & { readonly trip: number; readonly person: number }>(
  table: Table<R>,
  standing: Partial<R>,
  item: Item<R>,
  who: string,
  missing: (handle: string, trip: number) => string,
) =>
  resource({
    table,
    noun: "person",
    item,
    keys: { trip: tripId, person: handleParam(who) },
    find: (args, { db }) => {
      const trip = ownTrip(db, args.trip).id;
      const { id, handle } = requirePerson(db, args.person, "person");
      const row = db.where(table, standing).find((one) => one.trip === trip && one.person === id);
      refuseUnless(row, 404, `person: ${missing(handle, trip)}`);
      return row;
    },
    example: (db) => {
      const row = db.where(table, standing).find((one) => onOwn(db, one));
      return { trip: row?.trip ?? 1, person: row ? handleOf(db, row.person) : "amara.o" };
    },
  });

const companion = ties(
  companions,
  { left: false },
  companions.item({ name: nameField, handle: handleField }),
  "who stays at home",
  (handle) => `"${handle}" does not come along`,
);

const share = ties(
  tripShares,
  { ended: false },
  tripShares.item({ name: nameField, handle: handleField, role: z.enum(ROLES) }),
  "who sees it",
  (handle, trip) => `"${handle}" does not see trip ${trip}`,
);

export const guestApis = {
  companions: companion.list("List who comes along on a trip.", {
    parent: [ofTrip, "trip"],
    rows: { left: false },
    example: (db) => ({ trip: firstRowId(db, trips) }),
  }),
  addCompanion: companion.add("Take a contact along on an own trip.", {
    params: { trip: tripId, person: handleParam("who comes along") },
    row: (args, { db }) => {
      const trip = ownTrip(db, args.trip).id;
      const { id, handle } = requireReceiver(db, args.person, "person");
      refuseUnless(!comes(db, trip, id), 409, `person: "${handle}" comes along already`);
      return { trip, person: id, left: false };
    },
    example: (db) => ({ trip: ownTripId(db), person: outsider(db) }),
  }),
  removeCompanion: companion.set(
    "Note that a contact does not come along on an own trip any more.",
    { left: true },
  ),
  sharedWith: share.list("List the contacts who see the plan of an own trip.", {
    parent: [ofOwnTrip, "trip"],
    rows: { ended: false },
    example: ofOwnExample,
  }),
  shareTrip: share.add(
    "Let a contact see the plan of an own trip, or change what they may do with it.",
    {
      params: {
        trip: tripId,
        person: handleParam("who shall see it"),
        role: z.enum(ROLES).default("viewer").describe("editors may change plans and costs"),
      },
      row: ({ role, ...args }, { db }) => {
        const trip = ownTrip(db, args.trip).id;
        const person = requireReceiver(db, args.person, "person").id;
        const [old] = db.where(tripShares, { trip, person, ended: false });
        return old ? db.update(tripShares, old.id, { role }) : { trip, person, role, ended: false };
      },
      example: (db) => ({ trip: ownTripId(db), person: outsider(db) }),
    },
  ),
  unshareTrip: share.set("End a contact's view of the plan of an own trip.", { ended: true }),
};
