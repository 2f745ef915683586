/** Papers and habits: documents with their last good day, passes, favourite routes, and the credit. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  day,
  dayOf,
  dollars,
  given,
  handle,
  handleOf,
  idOf,
  line,
  newestFirst,
  paged,
  pageOf,
  paging,
  personId,
  rowBy,
  same,
} from "../shared.ts";
import { creditOf } from "./rules.ts";
import {
  creditEntries,
  DOCUMENT_KINDS,
  documents,
  type Pass,
  passes,
  type Route,
  routes,
  SERVICE_KINDS,
  services,
  type TravelDocument,
} from "./tables.ts";
import { exampleId } from "./trip-rules.ts";

const documentItem = z.strictObject({
  kind: z.enum(DOCUMENT_KINDS),
  id: z.int(),
  of: z.string().nullable(),
  number: z.string(),
  expires: z.string(),
});
const documentView = (db: Reader) => (row: TravelDocument) => ({
  kind: row.kind,
  id: row.id,
  of: row.person === null ? null : handleOf(db, row.person),
  number: row.number,
  expires: row.expires,
});

const kind = z.enum(DOCUMENT_KINDS);

const listDocuments = defineApi({
  summary: "List travel documents, the first to expire first; `of` is null for the owner's own.",
  params: z.strictObject({
    kind: kind.optional().describe("only of this kind"),
    of: handle("only of this contact").optional(),
    own: z.boolean().optional().describe("only the owner's own, or only those of contacts"),
    before: day("only those that expire before this day").optional(),
    ...paging,
  }),
  returns: pageOf(documentItem),
  example: () => ({ own: true }),
  handler: ({ db }, { kind, of, own, before, ...page }) => {
    const rows = db
      .where(documents, given({ kind, person: personId(db, of, "of") }))
      .filter(
        (row) =>
          (own === undefined || (row.person === null) === own) &&
          (before === undefined || row.expires < before),
      )
      .toSorted((a, b) => (a.expires === b.expires ? a.id - b.id : a.expires < b.expires ? -1 : 1));
    return paged(rows, page, documentView(db));
  },
});

const addDocument = defineApi({
  summary: "Store a travel document.",
  params: z.strictObject({
    kind: kind.describe("what it is"),
    number: line("its number"),
    expires: day("its last good day"),
    of: handle("whose it is; the owner's when left out").optional(),
  }),
  returns: documentItem,
  example: () => ({ kind: "visa" as const, number: "V 4410", expires: "2027-01-31" }),
  handler: ({ db }, { of, ...args }) => {
    if (db.all(documents).some((row) => same(row.number, args.number))) {
      throw new ApiError(409, `number: there is a document "${args.number}" already`);
    }
    const person = personId(db, of, "of") ?? null;
    return documentView(db)(db.insert(documents, { ...args, person }));
  },
});

const renewDocument = defineApi({
  summary: "Give a document a later last good day.",
  params: z.strictObject({ id: idOf("document"), expires: day("the new last good day") }),
  returns: documentItem,
  example: (db) => ({ id: exampleId(db, documents), expires: "2036-05-31" }),
  handler: ({ db }, { id, expires }) => {
    const row = rowBy(db, documents, id, "document");
    if (expires > row.expires) return documentView(db)(db.update(documents, id, { expires }));
    throw new ApiError(422, `expires: expected a day after ${row.expires}, got ${expires}`);
  },
});

// --- passes ---

const passItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  kind: z.enum(SERVICE_KINDS),
  percent: z.int(),
  expires: z.string(),
});
const passView = ({ name, id, kind, percent, expires }: Pass) => ({
  name,
  id,
  kind,
  percent,
  expires,
});

const listPasses = defineApi({
  summary: "List passes; each takes some percent off the owner's own fare.",
  params: z.strictObject({
    good: z.boolean().optional().describe("only those good today, or only expired ones"),
    ...paging,
  }),
  returns: pageOf(passItem),
  example: () => ({ good: true }),
  handler: ({ db, now }, { good, ...page }) => {
    const rows = db
      .all(passes)
      .filter((row) => good === undefined || row.expires >= dayOf(now) === good);
    return paged(rows, page, passView);
  },
});

// --- favourite routes ---

const routeItem = z.strictObject({ from: z.string(), id: z.int(), to: z.string() });
const routeView = ({ from, id, to }: Route) => ({ from, id, to });
const ends = { from: line("city of departure"), to: line("city of arrival") };

const listRoutes = defineApi({
  summary: "List favourite routes.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(routeItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(routes), page, routeView),
});

const isRoute = (db: Reader, from: string, to: string) =>
  db.all(routes).some((row) => same(row.from, from) && same(row.to, to));

const addRoute = defineApi({
  summary: "Save a favourite route.",
  params: z.strictObject(ends),
  returns: routeItem,
  example: (db) => {
    const free = db.all(services).find((row) => !isRoute(db, row.from, row.to));
    return { from: free?.from ?? "Oslo", to: free?.to ?? "Delft" };
  },
  handler: ({ db }, { from, to }) => {
    if (same(from, to)) throw new ApiError(422, `to: expected another city than "${from}"`);
    if (isRoute(db, from, to)) {
      throw new ApiError(409, `from: the route from "${from}" to "${to}" is saved already`);
    }
    return routeView(db.insert(routes, { from, to }));
  },
});

const removeRoute = defineApi({
  summary: "Remove a favourite route.",
  params: z.strictObject({ id: idOf("route") }),
  returns: routeItem,
  example: (db) => ({ id: exampleId(db, routes) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, routes, id, "route");
    db.remove(routes, id);
    return routeView(row);
  },
});

// --- credit ---

const showCredit = defineApi({
  summary: "Show how many dollars of travel credit the owner has.",
  params: z.strictObject({}),
  returns: z.strictObject({ credit: z.number() }),
  example: () => ({}),
  handler: ({ db }) => ({ credit: dollars(creditOf(db).cents) }),
});

const creditHistory = defineApi({
  summary: "List what came to (positive) and went from the credit, newest first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(
    z.strictObject({ amount: z.number(), booking: z.int().nullable(), day: z.string() }),
  ),
  example: () => ({}),
  handler: ({ db }, page) =>
    paged(newestFirst(db.all(creditEntries)), page, ({ cents, booking, at }) => ({
      amount: dollars(cents),
      booking,
      day: dayOf(at),
    })),
});

export const paperApis = {
  documents: listDocuments,
  addDocument,
  renewDocument,
  passes: listPasses,
  routes: listRoutes,
  addRoute,
  removeRoute,
  credit: showCredit,
  creditHistory,
};
