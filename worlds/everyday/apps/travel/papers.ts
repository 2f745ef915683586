/** Papers and habits: documents with their last good day, passes, favourite routes, and the credit. */

import {
  day,
  either,
  line,
  listing,
  must,
  newestFirst,
  plainApi,
  resource,
  same,
  when,
  where,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  anyHandle,
  dayOf,
  dollars,
  handle,
  inDollars,
  ofPerson,
  onDay,
  personId,
} from "../shared.ts";
import { creditOf } from "./rules.ts";
import * as tables from "./tables.ts";

const kind = z.enum(tables.DOCUMENT_KINDS);

const document = resource({
  noun: "document",
  item: tables.documents.item({
    ...tables.documents.fields("kind", "id"),
    of: anyHandle,
    ...tables.documents.fields("number", "expires"),
  }),
});

const passItem = tables.passes.item("name", "id", "kind", "percent", "expires");

const route = resource({
  noun: "route",
  item: tables.routes.item("from", "id", "to"),
});

const isRoute = (db: Reader, from: string, to: string) =>
  db.all(tables.routes).some((row) => same(row.from, from) && same(row.to, to));

const entryItem = tables.creditEntries.item({
  amount: inDollars,
  booking: z.int().nullable(),
  day: onDay,
});

export const paperApis = {
  documents: document.list(
    "List travel documents, the first to expire first; `of` is null for the owner's own.",
    {
      filters: {
        kind: kind.describe("only of this kind"),
        of: ofPerson("only of this contact", "of"),
        own: [
          either("only the owner's own, or only those of contacts"),
          when((row) => row.person === null),
        ],
        before: [
          day("only those that expire before this day"),
          where((row, end) => row.expires < end),
        ],
      },
      order: "expires",
      example: { own: true },
    },
  ),
  addDocument: document.add("Store a travel document.", {
    params: {
      kind: kind.describe("what it is"),
      number: line("its number"),
      expires: day("its last good day"),
      of: handle("whose it is; the owner's when left out").optional(),
    },
    row: ({ of, ...args }, { db }) => {
      const there = db.all(tables.documents).some((row) => same(row.number, args.number));
      must(!there, 409, `number: there is a document "${args.number}" already`);
      return { ...args, person: personId(db, of, "of") ?? null };
    },
    example: { kind: "visa", number: "V 4410", expires: "2027-01-31" },
  }),
  renewDocument: document.change("Give a document a later last good day.", {
    params: { expires: day("the new last good day") },
    unless: (row, { expires }) => {
      const later = expires > row.expires;
      must(later, 422, `expires: expected a day after ${row.expires}, got ${expires}`);
    },
    example: { expires: "2036-05-31" },
  }),
  passes: listing("List passes; each takes some percent off the owner's own fare.", {
    item: passItem,
    filters: {
      good: [
        either("only those good today, or only expired ones"),
        when((row, { now }) => row.expires >= dayOf(now)),
      ],
    },
    example: { good: true },
  }),
  routes: route.list("List favourite routes."),
  addRoute: route.add("Save a favourite route.", {
    params: { from: line("city of departure"), to: line("city of arrival") },
    check: ({ from, to }, { db }) => {
      must(!same(from, to), 422, `to: expected another city than "${from}"`);
      const known = isRoute(db, from, to);
      must(!known, 409, `from: the route from "${from}" to "${to}" is saved already`);
    },
    example: (db) => {
      const free = db.all(tables.services).find((row) => !isRoute(db, row.from, row.to));
      return { from: free?.from ?? "Oslo", to: free?.to ?? "Delft" };
    },
  }),
  removeRoute: route.remove("Remove a favourite route."),
  credit: plainApi(
    "Show how many dollars of travel credit the owner has.",
    { credit: z.number() },
    ({ db }) => ({ credit: dollars(creditOf(db).cents) }),
  ),
  creditHistory: listing("List what came to (positive) and went from the credit, newest first.", {
    item: entryItem,
    order: newestFirst,
  }),
};
