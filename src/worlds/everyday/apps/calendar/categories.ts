/** Categories: an event lies in at most one, own or accepted alike. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { freeName, idOf, line, named, paged, pageOf, paging } from "../shared.ts";
import { eventItem, eventView, openEvent } from "./events.ts";
import { ownId } from "./examples.ts";
import { type Category, COLOURS, categories, filings } from "./tables.ts";

const item = z.strictObject({ name: z.string(), colour: z.enum(COLOURS), events: z.int() });
const view =
  (db: Reader) =>
  ({ id, name, colour }: Category) => ({
    name,
    colour,
    events: db.where(filings, { category: id }).length,
  });

const colour = z.enum(COLOURS).describe("its colour");
const category = line("name of the category");
const anyName = (db: Reader) => db.all(categories)[0]?.name ?? "home";

const list = defineApi({
  summary: "List categories with their colour and number of events, oldest first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(item),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(categories), page, view(db)),
});

const add = defineApi({
  summary: "Add a category.",
  params: z.strictObject({ name: line("a new name"), colour }),
  returns: item,
  example: () => ({ name: "evening classes", colour: "green" }) as const,
  handler: ({ db }, row) => {
    freeName(db, categories, row.name);
    return view(db)(db.insert(categories, row));
  },
});

const change = defineApi({
  summary: "Rename a category or change its colour.",
  params: z.strictObject({
    category,
    name: line("the new name").optional(),
    colour: colour.optional(),
  }),
  returns: item,
  example: (db) => ({ category: anyName(db), colour: "purple" }) as const,
  handler: ({ db }, { category, name, colour }) => {
    const row = named(db, categories, category, "category");
    if (name !== undefined) freeName(db, categories, name, row.id);
    return view(db)(
      db.update(categories, row.id, { name: name ?? row.name, colour: colour ?? row.colour }),
    );
  },
});

const remove = defineApi({
  summary: "Remove a category that no event lies in.",
  params: z.strictObject({ category }),
  returns: item,
  example: (db) => ({
    category:
      db.all(categories).find((row) => db.where(filings, { category: row.id }).length === 0)
        ?.name ?? anyName(db),
  }),
  handler: ({ db }, args) => {
    const row = named(db, categories, args.category, "category");
    const count = db.where(filings, { category: row.id }).length;
    if (count > 0) {
      throw new ApiError(
        409,
        `category: "${row.name}" still has ${count} events; calendar.unfile first`,
      );
    }
    db.remove(categories, row.id);
    return view(db)(row);
  },
});

const file = defineApi({
  summary: "Put an event into a category, in place of its old one.",
  params: z.strictObject({ id: idOf("event"), category }),
  returns: eventItem,
  example: (db) => ({ id: ownId(db), category: anyName(db) }),
  handler: ({ db }, { id, category }) => {
    const row = openEvent(db, id);
    const drawer = named(db, categories, category, "category").id;
    const [known] = db.where(filings, { event: id });
    if (known) db.update(filings, known.id, { category: drawer });
    else db.insert(filings, { event: id, category: drawer });
    return eventView(row);
  },
});

const unfile = defineApi({
  summary: "Take an event out of its category.",
  params: z.strictObject({ id: idOf("event") }),
  returns: eventItem,
  example: (db) => ({ id: ownId(db, (row) => db.where(filings, { event: row.id }).length > 0) }),
  handler: ({ db }, { id }) => {
    const row = openEvent(db, id);
    const [known] = db.where(filings, { event: id });
    if (!known) throw new ApiError(409, `id: event ${id} lies in no category`);
    db.remove(filings, known.id);
    return eventView(row);
  },
});

export const categoryApis = {
  categories: list,
  addCategory: add,
  changeCategory: change,
  removeCategory: remove,
  file,
  unfile,
};
