/**
 * Defines the APIs of the companions of a trip, and of the people who may see or change the plan of the owner's trips.
 */

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
  exampleOwnTrip,
  exampleOwnTripId,
  isCompanion,
  isOnOwnTrip,
  ownTripParent,
  requireOwnTrip,
  tripParam as tripId,
  tripParent,
} from "./trips.ts";

/** Returns the handle of a contact who is not on the example trip. Examples of API calls use it. */
const exampleNonCompanion = (db: Reader) =>
  exampleHandleWhere(db, (person) => !isCompanion(db, exampleOwnTripId(db), person.id));

/**
 * Makes a resource of rows that connect a person with a trip. A call names such a row by its trip and its person. Only
 * rows whose columns have the values `active` count.
 */
const tripPersonResource = <
  R extends TableRow & { readonly trip: number; readonly person: number },
>(
  table: Table<R>,
  active: Partial<R>,
  item: Item<R>,
  personDescription: string,
  missingMessage: (handle: string, trip: number) => string,
) =>
  resource({
    table,
    noun: "person",
    item,
    keys: { trip: tripId, person: handleParam(personDescription) },
    find: (args, { db }) => {
      const trip = requireOwnTrip(db, args.trip).id;
      const { id, handle } = requirePerson(db, args.person, "person");
      const row = db.where(table, active).find((one) => one.trip === trip && one.person === id);
      refuseUnless(row, 404, `person: ${missingMessage(handle, trip)}`);
      return row;
    },
    example: (db) => {
      const row = db.where(table, active).find((one) => isOnOwnTrip(db, one));
      return { trip: row?.trip ?? 1, person: row ? handleOf(db, row.person) : "amara.o" };
    },
  });

const companion = tripPersonResource(
  companions,
  { left: false },
  companions.item({ name: nameField, handle: handleField }),
  "who stays at home",
  (handle) => `"${handle}" does not come along`,
);

const share = tripPersonResource(
  tripShares,
  { ended: false },
  tripShares.item({ name: nameField, handle: handleField, role: z.enum(ROLES) }),
  "who sees it",
  (handle, trip) => `"${handle}" does not see trip ${trip}`,
);

export const companionApis = {
  companions: companion.list("List who comes along on a trip; who no longer does is left out.", {
    parent: [tripParent, "trip"],
    rows: { left: false },
    example: (db) => ({ trip: firstRowId(db, trips) }),
  }),
  addCompanion: companion.add("Take a contact along on an own trip.", {
    params: { trip: tripId, person: handleParam("who comes along") },
    row: (args, { db }) => {
      const trip = requireOwnTrip(db, args.trip).id;
      const { id, handle } = requireReceiver(db, args.person, "person");
      refuseUnless(!isCompanion(db, trip, id), 409, `person: "${handle}" comes along already`);
      return { trip, person: id, left: false };
    },
    example: (db) => ({ trip: exampleOwnTripId(db), person: exampleNonCompanion(db) }),
  }),
  removeCompanion: companion.set(
    "Note that a contact does not come along on an own trip any more.",
    { left: true },
  ),
  sharedWith: share.list(
    "List the contacts who see the plan of an own trip; shares that ended are left out.",
    {
      parent: [ownTripParent, "trip"],
      rows: { ended: false },
      example: exampleOwnTrip,
    },
  ),
  shareTrip: share.add(
    "Let a contact see the plan of an own trip, or change what they may do with it.",
    {
      params: {
        trip: tripId,
        person: handleParam("who shall see it"),
        role: z.enum(ROLES).default("viewer").describe("editors may change plans and costs"),
      },
      row: ({ role, ...args }, { db }) => {
        const trip = requireOwnTrip(db, args.trip).id;
        const person = requireReceiver(db, args.person, "person").id;
        const [existing] = db.where(tripShares, { trip, person, ended: false });
        return existing
          ? db.update(tripShares, existing.id, { role })
          : { trip, person, role, ended: false };
      },
      example: (db) => ({ trip: exampleOwnTripId(db), person: exampleNonCompanion(db) }),
    },
  ),
  unshareTrip: share.set("End a contact's view of the plan of an own trip.", { ended: true }),
};
