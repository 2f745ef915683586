/** Tests a small library that is declared by resources: what its APIs document, answer, refuse and write. */
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { ApiDispatcher, type EpisodeSession } from "../api/index.ts";
import { defineApp, defineTable } from "../define.ts";
import { FrozenTables, TableState } from "../state/index.ts";
import {
  apiWithoutParameters,
  atLeast,
  atMost,
  booleanParam,
  countNames,
  countReferencingRows,
  countsApi,
  defineItem,
  descending,
  filterWhether,
  listApi,
  orderBy,
  refuseUnless,
  requireSomeArgument,
  resource,
  shortTextParam,
  tally,
  textOfReferencedRow,
  upsertRow,
} from "./index.ts";

type Shelf = { readonly id: number; readonly name: string };
const shelves = defineTable<Shelf>("library.shelves");
type Book = {
  readonly id: number;
  readonly shelf: number;
  readonly title: string;
  readonly pages: number;
  readonly lent: boolean;
};
const books = defineTable<Book>("library.books", { indexes: ["shelf"] });

const shelf = resource({
  table: shelves,
  noun: "shelf",
  keys: { shelf: shortTextParam("name of the shelf") },
  keyIsName: true,
  item: defineItem(shelves, {
    name: z.string(),
    books: countReferencingRows(books, "shelf"),
  }),
});
const book = resource({
  table: books,
  noun: "book",
  hint: "library.books lists them",
  item: defineItem(books, { title: z.string(), id: z.int(), lent: z.boolean() }),
});

/** A resource of the books that are lent. Only these can be returned. */
const lentBook = resource({
  table: books,
  noun: "book",
  item: defineItem(books, {
    title: z.string(),
    shelf: textOfReferencedRow(shelves, "shelf", "name"),
  }),
  guard: ({ id, lent }) => refuseUnless(lent, 409, `id: book ${id} is not lent`),
  isExample: ({ lent }) => lent,
});

const app = defineApp({
  name: "library",
  summary: "Books on shelves.",
  tables: [shelves, books],
  apis: {
    books: book.list("List books.", {
      parent: [shelf, "shelf"],
      filters: {
        title: shortTextParam("only of this title"),
        long: [
          booleanParam("only long ones, or only short ones"),
          filterWhether(({ pages }) => pages > 300),
        ],
        atMost: [z.int().describe("pages"), atMost("pages")],
        atLeast: [z.int().describe("pages"), atLeast("pages")],
      },
      sorts: {
        title: orderBy(({ title }) => title),
        longest: orderBy(descending(({ pages }) => pages)),
      },
    }),
    add: book.add("Put a book on a shelf.", {
      parent: [shelf, "shelf"],
      params: { title: shortTextParam("its title"), pages: z.int().optional() },
      defaults: { pages: 100, lent: false },
      example: { title: "Walden" },
    }),
    removeShelf: shelf.remove("Remove a shelf and its books.", { parts: [[books, "shelf"]] }),
    addShelf: shelf.add("Add a shelf.", { params: { name: shortTextParam("its name") } }),
    rename: shelf.change("Rename a shelf.", { params: { name: shortTextParam("the new name") } }),
    show: book.show("Show a book."),
    lend: book.set("Lend a book.", { lent: true }, "is already lent"),
    long: listApi("List long books.", { item: book.item, rows: { pages: 880 } }),
    tear: book.act("Tear out pages.", {
      params: { pages: z.int().min(1).describe("how many") },
      checkArguments: ({ pages }) =>
        refuseUnless(pages < 50, 422, `pages: expected fewer than 50, got ${pages}`),
      run: (row, { pages }, { db }) => db.update(books, row.id, { pages: row.pages - pages }),
    }),
    giveBack: lentBook.change("Take a lent book back.", { set: { lent: false } }),
    shelve: book.act("Put a book on another shelf.", {
      params: { shelf: shortTextParam("its name") },
      run: ({ id }, { shelf }, { db }) =>
        db.update(books, id, { shelf: upsertRow(db, shelves, { name: shelf }, {}).id }),
    }),
    search: book.list("Search titles.", {
      searchIn: ["title"],
      order: "-pages",
      example: { query: "m" },
    }),
    size: apiWithoutParameters("Show how many books there are.", { books: z.int() }, ({ db }) => ({
      books: db.all(books).length,
    })),
    sizes: countsApi("Count.", { all: (db) => db.all(books), one: [() => 1, "always"] }),
    remove: book.remove("Remove a book that is not lent.", {
      checkRow: ({ lent, id }) => refuseUnless(!lent, 409, `id: book ${id} is lent`),
    }),
  },
});

const dispatcher = new ApiDispatcher([app], "2026-03-12T08:00:00Z");
const owner = { name: "Ida", email: "ida@example.com", phone: "1" };
let session: EpisodeSession;
const call = (api: string, args: object = {}): unknown => {
  const result = dispatcher.call(session, owner, "library", api, args);
  return "value" in result ? result.value : `${result.status} ${result.message}`;
};

beforeEach(() => {
  session = { state: new TableState(FrozenTables.empty(dispatcher.catalog.tables)), calls: 0 };
  call("addShelf", { name: "Novels" });
  for (const [title, pages] of [
    ["Middlemarch", 880],
    ["Emma", 480],
    ["Walden", 290],
  ])
    call("add", { shelf: "novels", title, pages });
});

describe("lists of a resource", () => {
  const listTitles = (args: object) =>
    (call("books", { shelf: "Novels", ...args }) as { items: Book[] }).items.map((b) => b.title);

  test("lists are sorted by the first order by default, and each kind of filter works", () => {
    expect(listTitles({})).toEqual(["Emma", "Middlemarch", "Walden"]);
    expect(listTitles({ sort: "longest" })).toEqual(["Middlemarch", "Emma", "Walden"]);
    expect(listTitles({ long: false })).toEqual(["Walden"]);
    expect(listTitles({ title: "Emma", atMost: 500 })).toEqual(["Emma"]);
    expect(listTitles({ title: "Emma", atMost: 400 })).toEqual([]);
    expect(listTitles({ atLeast: 480 })).toEqual(["Emma", "Middlemarch"]);
    expect(call("search", { query: "EMM" })).toMatchObject({ items: [{ title: "Emma" }] });
    expect(call("search", { query: "D" })).toMatchObject({
      items: [{ title: "Middlemarch" }, { title: "Walden" }],
    });
  });

  test("lists come in pages, and refuse an unknown parent", () => {
    expect(call("books", { shelf: "Novels", size: 2 })).toMatchObject({ more: true });
    expect(listTitles({ size: 2, page: 2 })).toEqual(["Walden"]);
    expect(call("books", { shelf: "Novel" })).toBe(
      '404 shelf: there is no shelf "Novel"; did you mean "Novels"?',
    );
  });
});

test("a new row gets the parent's id, then the arguments, then the defaults", () => {
  expect(call("add", { shelf: "Novels", title: "Persuasion" })).toEqual({
    title: "Persuasion",
    id: 4,
    lent: false,
  });
  expect(JSON.stringify(session.state.get(books, 4))).toBe(
    '{"id":4,"shelf":1,"title":"Persuasion","pages":100,"lent":false}',
  );
});

test("a name must be unique, ignoring case, but a row may keep its own name", () => {
  expect(call("addShelf", { name: "NOVELS" })).toBe(
    '409 name: "Novels" exists already; expected a new name',
  );
  expect(call("rename", { shelf: "Novels", name: "novels" })).toEqual({ name: "novels", books: 3 });
});

test("an API with `already` refuses a call that would change nothing", () => {
  expect(call("lend", { id: 2 })).toEqual({ title: "Emma", id: 2, lent: true });
  expect(call("lend", { id: 2 })).toBe("409 id: book 2 is already lent");
});

test("arguments are checked before the row is searched, and the row is checked after that", () => {
  expect(call("tear", { id: 9, pages: 60 })).toBe("422 pages: expected fewer than 50, got 60");
  expect(call("tear", { id: 9, pages: 6 })).toBe(
    "404 id: there is no book with id 9; library.books lists them",
  );
  call("lend", { id: 1 });
  expect(call("remove", { id: 1 })).toBe("409 id: book 1 is lent");
  expect(call("remove", { id: 2 })).toEqual({ title: "Emma", id: 2, lent: false });
  expect(call("show", { id: 2 })).toMatch(/^404/);
});

test("examples use rows of the present state", () => {
  const exampleOf = (api: string) => dispatcher.example("library", api, session.state);
  expect(exampleOf("lend")).toEqual({ id: 1 });
  call("lend", { id: 1 });
  expect(exampleOf("lend")).toEqual({ id: 2 });
  expect(exampleOf("add")).toEqual({ shelf: "Novels", title: "Walden" });
  expect(exampleOf("rename")).toEqual({ shelf: "Novels" });
});

test("a guard refuses some of the existing rows, and examples use the others", () => {
  expect(call("giveBack", { id: 9 })).toMatch(/^404 id: there is no book/);
  expect(call("giveBack", { id: 2 })).toBe("409 id: book 2 is not lent");
  call("lend", { id: 2 });
  expect(dispatcher.example("library", "giveBack", session.state)).toEqual({ id: 2 });
  expect(call("giveBack", { id: 2 })).toEqual({ title: "Emma", shelf: "Novels" });
});

test("upsertRow changes the row that matches, or inserts one", () => {
  const shelf = () => session.state.get(books, 2)?.shelf;
  call("shelve", { id: 2, shelf: "Guides" });
  expect(shelf()).toBe(2);
  call("shelve", { id: 2, shelf: "Novels" });
  expect(shelf()).toBe(1);
});

test("a removed row is shown as it was before, and rows that belong to it are removed too", () => {
  expect(call("removeShelf", { shelf: "Novels" })).toEqual({ name: "Novels", books: 3 });
  expect(call("size")).toEqual({ books: 0 });
});

test("a list takes its rows from the table of its item", () => {
  expect(call("long")).toMatchObject({ items: [{ title: "Middlemarch" }], more: false });
});

test("an API without parameters refuses arguments", () => {
  expect(call("size")).toEqual({ books: 3 });
});

test("countsApi counts rows or returns numbers, and countNames sorts by name", () => {
  expect(call("sizes")).toEqual({ all: 3, one: 1 });
  expect(countNames(["b", null, "a", "b"])).toEqual([
    { name: "a", size: 1 },
    { name: "b", size: 2 },
  ]);
});

test("tally counts values in order of first appearance, and requireSomeArgument refuses a call without arguments", () => {
  expect(tally(["b", "a", "b"])).toEqual([
    ["b", 2],
    ["a", 1],
  ]);
  expect(() => requireSomeArgument({ day: undefined, time: undefined })).toThrow(
    "day, time: expected at least one of them, got none",
  );
});
