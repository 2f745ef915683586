/**
 * Column types: the type of each column of a table, declared once.
 *
 *   const bank = declareTables("bank");
 *   export const cards = bank.table("cards", {
 *     label: text,
 *     account: ref("bank.accounts").indexed,
 *     kind: oneOf(CARD_KINDS),
 *     blockedSince: text.orNull,
 *     spent: int.derived,
 *   });
 *   export type Card = RowOf<typeof cards>;
 *
 * From this declaration come the type of the rows, the table's indexes, references and classes, and the fields with
 * which items show columns unchanged. `bank.tables` lists all tables that were declared in this way, in order.
 */
import { z } from "zod";
import { type Cell, type ColumnClass, defineTable, type Table, type TableRow } from "../define.ts";
import { defineItem, type Fields, type FieldTypes, type Item } from "./item.ts";

interface ColumnMarks {
  readonly isIndexed?: boolean;
  readonly isLoose?: boolean;
  readonly kind?: ColumnClass;
  /** Name of the table whose ids the column holds. */
  readonly referencedTable?: string;
}

/** The type of a column: the type of its cells, and what the table has to know about the column. */
export class ColumnType<T extends Cell = Cell> {
  readonly type: z.ZodType<T, T>;
  readonly marks: ColumnMarks;

  constructor(type: z.ZodType, marks: ColumnMarks = {}) {
    this.type = type as z.ZodType<T, T>;
    this.marks = marks;
  }

  /** The same column with a hash index, so that `where` on it need not look at every row. */
  get indexed(): ColumnType<T> {
    return new ColumnType(this.type, { ...this.marks, isIndexed: true });
  }

  /** The column as free text, whose case, spacing and closing punctuation do not count; see `comparedText`. */
  get loose(): ColumnType<T> {
    return new ColumnType(this.type, { ...this.marks, isLoose: true });
  }

  /** The same column, marked as derived: its values follow from other cells, and checks do not compare it. */
  get derived(): ColumnType<T> {
    return new ColumnType(this.type, { ...this.marks, kind: "derived" });
  }

  /** The same column, marked as bookkeeping, such as a read flag or a counter. Checks do not compare it. */
  get bookkeeping(): ColumnType<T> {
    return new ColumnType(this.type, { ...this.marks, kind: "bookkeeping" });
  }

  /** A column whose cells are lists of such values. */
  get many(): ColumnType<T extends string ? readonly string[] : readonly number[]> {
    return new ColumnType(z.array(this.type), this.marks);
  }

  /** The same column, in which null is allowed too. */
  get orNull(): ColumnType<T | null> {
    return new ColumnType(this.type.nullable(), this.marks);
  }
}

/** A column of texts, such as names, days (`2026-03-14`) and instants. */
export const text = new ColumnType<string>(z.string());
/** A column of whole numbers. Money is in cents. */
export const int = new ColumnType<number>(z.int());
/** A column of any numbers. */
export const real = new ColumnType<number>(z.number());
/** A column of true or false. */
export const flag = new ColumnType<boolean>(z.boolean());
/** A column whose cells are one of these words. */
export const oneOf = <const V extends readonly [string, ...string[]]>(words: V) =>
  new ColumnType<V[number]>(z.enum(words));
/** A column with ids of rows of another table, which is given by name, such as `contacts.people`. */
export const ref = (table: string) => new ColumnType<number>(z.int(), { referencedTable: table });

type Columns = { readonly [name: string]: ColumnType };
type Cells<C> = { readonly [K in keyof C]: C[K] extends ColumnType<infer T> ? T : never };
type Rows<C> = Cells<{ id: ColumnType<number> } & C> extends infer R extends TableRow ? R : never;

/** A table that knows the types of its columns, so that items can show them. */
export interface DeclaredTable<R extends TableRow = TableRow> extends Table<R> {
  readonly types: { readonly [K in keyof R]: z.ZodType<R[K], R[K]> };
  /** Returns fields of an item that show these columns unchanged, in this order. */
  fields<N extends keyof R & string>(...names: readonly N[]): Pick<DeclaredTable<R>["types"], N>;
  /** Defines how rows are shown: by these fields, or by these columns unchanged. */
  item<S extends FieldTypes>(fields: Fields<R, S>): Item<R, S>;
  item<N extends keyof R & string>(
    ...names: readonly N[]
  ): Item<R, Pick<DeclaredTable<R>["types"], N>>;
}

/** The type of a table's rows. */
export type RowOf<T extends { readonly row?: unknown }> = NonNullable<T["row"]>;

/** Declares the tables of an app. `tables` lists all declared tables in order. */
export function declareTables(app: string) {
  const tables: Table[] = [];
  return {
    tables: tables as readonly Table[],
    table<const C extends Columns>(name: string, columns: C): DeclaredTable<Rows<C>> {
      const made = declareTable(`${app}.${name}`, columns);
      tables.push(made as unknown as Table);
      return made;
    },
  };
}

/** Declares one table. `name` has the form `<app>.<plural noun>`. */
export function declareTable<const C extends Columns>(
  name: string,
  columns: C,
): DeclaredTable<Rows<C>> {
  const entries = Object.entries(columns);
  const columnsWithMark = (is: (marks: ColumnMarks) => unknown) =>
    entries.flatMap(([name, { marks }]) => (is(marks) ? name : []));
  const markByColumn = <V>(of: (marks: ColumnMarks) => V | undefined) =>
    Object.fromEntries(
      entries.flatMap(([name, { marks }]) => {
        const value = of(marks);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const table = defineTable(name, {
    indexes: columnsWithMark(({ isIndexed }) => isIndexed),
    loose: columnsWithMark(({ isLoose }) => isLoose),
    classes: markByColumn(({ kind }) => kind),
    references: markByColumn(({ referencedTable }) => referencedTable),
  });
  const cells = Object.fromEntries(entries.map(([name, { type }]) => [name, type]));
  const types: Record<string, z.ZodType> = { id: z.int(), ...cells };
  const fields = (...names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, types[name]]));
  const item = (...parts: readonly [object] | readonly string[]) =>
    defineItem(
      table,
      (typeof parts[0] === "object" ? parts[0] : fields(...(parts as string[]))) as never,
    );
  return { ...table, types, fields, item } as unknown as DeclaredTable<Rows<C>>;
}
