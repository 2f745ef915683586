/**
 * Columns: what a table keeps of each of its rows, said once, as types that know what else is true of them.
 *
 *   const bank = tablesOf("bank");
 *   export const cards = bank.table("cards", {
 *     label: text,
 *     account: ref("bank.accounts").indexed,
 *     kind: oneOf(CARD_KINDS),
 *     blockedSince: text.orNull,
 *     spent: int.derived,
 *   });
 *   export type Card = RowOf<typeof cards>;
 *
 * From this come the type of rows, the table's indexes, references and classes, and for `fields` how items show the columns
 * as they are. `bank.tables` are all that were declared so, in their order.
 */
import { z } from "zod";
import { type Cell, type ColumnClass, defineTable, type Table, type TableRow } from "../define.ts";
import { type Fields, type Item, itemOf, type Types } from "./item.ts";

interface Marks {
  readonly isIndexed?: boolean;
  readonly isLoose?: boolean;
  readonly kind?: ColumnClass;
  /** Name of the table whose ids it holds. */
  readonly to?: string;
}

/** One column: the type of its cells, and what a table has to know of it. */
export class Column<T extends Cell = Cell> {
  readonly type: z.ZodType<T, T>;
  readonly marks: Marks;

  constructor(type: z.ZodType, marks: Marks = {}) {
    this.type = type as z.ZodType<T, T>;
    this.marks = marks;
  }

  /** `where` on it does not scan. */
  get indexed(): Column<T> {
    return new Column(this.type, { ...this.marks, isIndexed: true });
  }

  /** Compared by letters and digits only, case ignored. */
  get loose(): Column<T> {
    return new Column(this.type, { ...this.marks, isLoose: true });
  }

  /** Follows from other cells; not compared by checks. */
  get derived(): Column<T> {
    return new Column(this.type, { ...this.marks, kind: "derived" });
  }

  /** A read flag or a counter; not compared by checks. */
  get bookkeeping(): Column<T> {
    return new Column(this.type, { ...this.marks, kind: "bookkeeping" });
  }

  /** A list of them. */
  get many(): Column<T extends string ? readonly string[] : readonly number[]> {
    return new Column(z.array(this.type), this.marks);
  }

  /** May be null. */
  get orNull(): Column<T | null> {
    return new Column(this.type.nullable(), this.marks);
  }
}

/** Any text: names, days (`2026-03-14`), instants. */
export const text = new Column<string>(z.string());
/** A whole number; money is in cents. */
export const int = new Column<number>(z.int());
/** Any number. */
export const real = new Column<number>(z.number());
/** True or false. */
export const flag = new Column<boolean>(z.boolean());
/** One of these words. */
export const oneOf = <const V extends readonly [string, ...string[]]>(words: V) =>
  new Column<V[number]>(z.enum(words));
/** The id of a row of the table of this name, such as `contacts.people`. */
export const ref = (table: string) => new Column<number>(z.int(), { to: table });

type Columns = { readonly [name: string]: Column };
type Cells<C> = { readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };
type Rows<C> = Cells<{ id: Column<number> } & C> extends infer R extends TableRow ? R : never;

/** A table that knows the types of its columns, by which `fields` shows them. */
export interface Declared<R extends TableRow = TableRow> extends Table<R> {
  readonly types: { readonly [K in keyof R]: z.ZodType<R[K], R[K]> };
  /** Fields of an item: these columns as they are, in this order. */
  fields<N extends keyof R & string>(...names: readonly N[]): Pick<Declared<R>["types"], N>;
  /** How rows are shown: by these fields, or by these columns as they are. */
  item<S extends Types>(fields: Fields<R, S>): Item<R, S>;
  item<N extends keyof R & string>(...names: readonly N[]): Item<R, Pick<Declared<R>["types"], N>>;
}

/** The type of a table's rows. */
export type RowOf<T extends { readonly row?: unknown }> = NonNullable<T["row"]>;

/** Declares the tables of an app; `tables` are all that were declared, in that order. */
export function tablesOf(app: string) {
  const tables: Table[] = [];
  return {
    tables: tables as readonly Table[],
    table<const C extends Columns>(name: string, columns: C): Declared<Rows<C>> {
      const made = tableOf(`${app}.${name}`, columns);
      tables.push(made as unknown as Table);
      return made;
    },
  };
}

/** One table; `name` is `<app>.<plural noun>`. */
export function tableOf<const C extends Columns>(name: string, columns: C): Declared<Rows<C>> {
  const entries = Object.entries(columns);
  const named = (is: (marks: Marks) => unknown) =>
    entries.flatMap(([name, { marks }]) => (is(marks) ? name : []));
  const each = <V>(of: (marks: Marks) => V | undefined) =>
    Object.fromEntries(
      entries.flatMap(([name, { marks }]) => {
        const value = of(marks);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const table = defineTable(name, {
    indexes: named(({ isIndexed }) => isIndexed),
    loose: named(({ isLoose }) => isLoose),
    classes: each(({ kind }) => kind),
    references: each(({ to }) => to),
  });
  const cells = Object.fromEntries(entries.map(([name, { type }]) => [name, type]));
  const types: Record<string, z.ZodType> = { id: z.int(), ...cells };
  const fields = (...names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, types[name]]));
  const item = (...parts: readonly [object] | readonly string[]) =>
    itemOf(
      table,
      (typeof parts[0] === "object" ? parts[0] : fields(...(parts as string[]))) as never,
    );
  return { ...table, types, fields, item } as unknown as Declared<Rows<C>>;
}
