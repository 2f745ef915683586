/**
 * Tests tables that are declared by the types of their columns: their indexes and references, their order, and how
 * items show them.
 */
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { declareTables, defineItem, flag, int, oneOf, type RowOf, ref, text } from "./index.ts";

const library = declareTables("library");
const shelves = library.table("shelves", { name: text.indexed });
const books = library.table("books", {
  title: text.loose.indexed,
  shelf: ref("library.shelves").orNull.indexed,
  kind: oneOf(["novel", "guide"]),
  tags: text.many,
  seen: flag.bookkeeping,
  pages: int.derived,
});

describe("declared columns", () => {
  test("declared columns give the table its indexes, references, classes and loose columns", () => {
    const { types: _, fields: __, item: ___, ...table } = books;
    expect(table).toEqual({
      name: "library.books",
      indexes: ["title", "shelf"],
      references: { shelf: "library.shelves" },
      classes: { seen: "bookkeeping", pages: "derived" },
      loose: ["title"],
    });
  });

  test("tables are listed in the order in which they are declared", () => {
    expect(library.tables).toEqual([shelves, books]);
  });

  test("rows have the types of the declared columns", () => {
    expectTypeOf<RowOf<typeof books>>().toEqualTypeOf<{
      readonly id: number;
      readonly title: string;
      readonly shelf: number | null;
      readonly kind: "novel" | "guide";
      readonly tags: readonly string[];
      readonly seen: boolean;
      readonly pages: number;
    }>();
  });

  test("`fields` shows declared columns unchanged, in the order of the names", () => {
    const item = defineItem(books, {
      ...books.fields("kind", "id"),
      long: [z.boolean(), ({ pages }) => pages > 500],
      ...books.fields("shelf"),
    });
    expect(Object.keys(item.schema.shape)).toEqual(["kind", "id", "long", "shelf"]);
    const row = { id: 7, kind: "novel", shelf: null, long: true };
    expect(item.schema.safeParse(row).success).toBe(true);
    expect(item.schema.safeParse({ ...row, kind: "poem" }).success).toBe(false);
  });

  test("an item of a table can consist of columns or of other fields", () => {
    const { item } = books;
    expect(Object.keys(item("title", "id").schema.shape)).toEqual(["title", "id"]);
    const long = item({
      ...books.fields("title"),
      long: [z.boolean(), ({ pages }) => pages > 500],
    });
    expect(Object.keys(long.schema.shape)).toEqual(["title", "long"]);
  });
});
