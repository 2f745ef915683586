/**
 * Defines the APIs of travel documents with the day on which they expire, of passes, favourite routes and the travel
 * credit.
 */

import {
  apiWithoutParameters,
  booleanParam,
  dayParam,
  equalIgnoringCase,
  filterWhere,
  filterWhether,
  listApi,
  refuseUnless,
  resource,
  shortTextParam,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  dayOf,
  handleParam,
  nullableHandleField,
  optionalPersonId,
  personColumnFilter,
  toDollars,
} from "../shared.ts";
import { requireCredit } from "./rules.ts";
import * as tables from "./tables.ts";

const kind = z.enum(tables.DOCUMENT_KINDS);

const document = resource({
  noun: "document",
  item: tables.documents.item({
    ...tables.documents.fields("kind", "id"),
    of: nullableHandleField,
    ...tables.documents.fields("number", "expires"),
  }),
});

const passItem = tables.passes.item("name", "id", "kind", "percent", "expires");

const route = resource({
  noun: "route",
  item: tables.routes.item("from", "id", "to"),
});

const isSavedRoute = (db: Reader, from: string, to: string) =>
  db
    .all(tables.routes)
    .some((row) => equalIgnoringCase(row.from, from) && equalIgnoringCase(row.to, to));

export const documentAndCreditApis = {
  documents: document.list(
    "List travel documents, the first to expire first; `of` is null for the owner's own.",
    {
      filters: {
        kind: kind.describe("only of this kind"),
        person: personColumnFilter("only of this contact", "person"),
        own: [
          booleanParam("only the owner's own, or only those of contacts"),
          filterWhether((row) => row.person === null),
        ],
        before: [
          dayParam("only those that expire before this day"),
          filterWhere((row, end) => row.expires < end),
        ],
      },
      order: "expires",
      example: { own: true },
    },
  ),
  addDocument: document.add("Store a travel document.", {
    params: {
      kind: kind.describe("what it is"),
      number: shortTextParam("its number"),
      expires: dayParam("its last good day"),
      person: handleParam("whose it is; the owner's when left out").optional(),
    },
    row: (args, { db }) => {
      const isStored = db
        .all(tables.documents)
        .some((row) => equalIgnoringCase(row.number, args.number));
      refuseUnless(!isStored, 409, `number: there is a document "${args.number}" already`);
      return { ...args, person: optionalPersonId(db, args.person, "person") ?? null };
    },
    example: { kind: "visa", number: "V 4410", expires: "2027-01-31" },
  }),
  renewDocument: document.change("Give a document a later last good day.", {
    params: { expires: dayParam("the new last good day") },
    checkRow: (row, { expires }) => {
      const isLater = expires > row.expires;
      refuseUnless(isLater, 422, `expires: expected a day after ${row.expires}, got ${expires}`);
    },
    example: { expires: "2036-05-31" },
  }),
  passes: listApi("List passes; each takes some percent off the owner's own fare.", {
    item: passItem,
    filters: {
      good: [
        booleanParam("only those good today, or only expired ones"),
        filterWhether((row, { now }) => row.expires >= dayOf(now)),
      ],
    },
    example: { good: true },
  }),
  routes: route.list("List favourite routes."),
  addRoute: route.add("Save a favourite route.", {
    params: { from: shortTextParam("city of departure"), to: shortTextParam("city of arrival") },
    checkArguments: ({ from, to }, { db }) => {
      refuseUnless(!equalIgnoringCase(from, to), 422, `to: expected another city than "${from}"`);
      const known = isSavedRoute(db, from, to);
      refuseUnless(!known, 409, `from: the route from "${from}" to "${to}" is saved already`);
    },
    example: (db) => {
      const free = db.all(tables.services).find((row) => !isSavedRoute(db, row.from, row.to));
      return { from: free?.from ?? "Oslo", to: free?.to ?? "Delft" };
    },
  }),
  removeRoute: route.remove("Remove a favourite route."),
  credit: apiWithoutParameters(
    "Show how many dollars of travel credit the owner has.",
    { credit: z.number() },
    ({ db }) => ({ credit: toDollars(requireCredit(db).cents) }),
  ),
};
