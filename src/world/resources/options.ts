/**
 * The options of a resource and of each of its APIs. Functions take a row first, then the call's arguments, and the
 * context last. An `ApiError` that they throw is the answer of the call.
 */
import type { Api, CallContext, Reader, Table, TableRow, Writer } from "../define.ts";
import type { FieldTypes, Item, NoFields, ViewContext } from "./item.ts";
import type { ListOptions, Output, ParentColumn } from "./list.ts";

/** The options of a resource. */
export interface ResourceOptions<R extends TableRow, K extends FieldTypes, P> {
  /** The table of the rows. Default: the item's table. */
  readonly table?: Table<R>;
  /** What messages call a row: `there is no <noun> with id 7`. */
  readonly noun: string;
  readonly item: Item<R>;
  /** The parameters that name a row; they come first. Default: `id`. */
  readonly keys?: K;
  /** True when the key is the row's `name`, case ignored. A new name must be free. */
  readonly keyIsName?: boolean;
  /** A text to add to the 404, such as `notes.checklist lists them`. */
  readonly hint?: string;
  /** Returns the row that the arguments name, or throws an `ApiError`. Default: finds it by its id, the first key. */
  readonly find?: (args: Output<K>, look: ViewContext) => R;
  /** Refuses rows that exist but may not be used, such as those of other people. Their id is the first key. */
  readonly guard?: (row: R, look: ViewContext) => unknown;
  /** True when a new `name` must be free. */
  readonly unique?: boolean;
  /** Writes a change. Default: writes it to the row's columns. */
  readonly save?: (row: R, patch: P, db: Writer) => R;
  /** Returns what `set` is compared with, for `already`. Default: the row's columns. */
  readonly state?: (row: R, db: Reader) => object;
  /** Returns true for rows that documentation may use as examples. */
  readonly isExample?: (row: R, db: Reader) => boolean;
  /** Returns the keys of a fitting row for examples, without throwing. Default: the keys of the first by id. */
  readonly example?: (db: Reader, fits: (row: R) => boolean) => object;
}

export interface RowApiOptions<R extends TableRow, K extends FieldTypes, A extends FieldTypes> {
  /** The parameters beside the keys. */
  readonly params?: A;
  /** Refuses arguments before the row is looked for. */
  readonly checkArguments?: (args: Output<K & A>, context: CallContext) => unknown;
  /** Refuses what may not be done with the row. */
  readonly checkRow?: (row: R, args: Output<K & A>, context: CallContext) => unknown;
  /** Finds the row in another way than the resource does. */
  readonly find?: (args: Output<K>, look: ViewContext) => R;
  /** Shows the row in another way than the resource does. */
  readonly item?: Item<R>;
  /** Arguments of the example beside the keys; as a function it returns all arguments. */
  readonly example?: object | ((db: Reader) => object);
  /** Returns true for rows that the example may be about. */
  readonly isExample?: (row: R, db: Reader) => boolean;
}

export interface ChangeOptions<R extends TableRow, K extends FieldTypes, A extends FieldTypes, P>
  extends RowApiOptions<R, K, A> {
  /** The change, or a function that makes or refuses it. Default: each parameter changes the column of its name. */
  readonly set?: P | ((row: R, args: Output<K & A>, context: CallContext) => P);
  /** Refuses with a 409 when nothing would change: a text such as "is already done", or a function of the message. */
  readonly already?: string | ((row: R, args: Output<K & A>) => string);
}

export interface ActOptions<R extends TableRow, K extends FieldTypes, A extends FieldTypes>
  extends RowApiOptions<R, K, A> {
  /** Does what the API is for. Returns the row to show, when it is not the same row. */
  readonly run: (row: R, args: Output<K & A>, context: CallContext) => R | undefined;
}

export interface RemoveOptions<R extends TableRow, K extends FieldTypes, A extends FieldTypes>
  extends RowApiOptions<R, K, A> {
  /** Tables whose rows are removed too: those that hold the row's id in the given column. */
  readonly parts?: readonly (readonly [table: { readonly name: string }, column: string])[];
}

export interface AddOptions<R extends TableRow, A extends FieldTypes> {
  readonly params?: A;
  /** The row to which the new row is added. Its keys come first, and its example is the default example. */
  readonly parent?: readonly [
    parent: ParentColumn<R>[0] & { example(db: Reader): object },
    column: ParentColumn<R>[1],
  ];
  /** Refuses arguments before the parent is looked for. */
  readonly checkArguments?: (args: Output<A>, context: CallContext) => unknown;
  /** Columns that every new row gets. */
  readonly defaults?: Partial<R>;
  /**
   * Returns further columns of the new row, or an existing row, which is then shown as it is. Default: each parameter
   * is the column of its name.
   */
  readonly row?: (args: Output<A>, context: CallContext) => Partial<R>;
  readonly item?: Item<R>;
  readonly example?: object | ((db: Reader) => object);
}

/** Defines the APIs of a table's rows; `find` and `example` are for other resources and handlers. */
export interface Resource<R extends TableRow, K extends FieldTypes, P> {
  readonly item: Item<R>;
  readonly keys: K;
  readonly find: (args: Output<K>, look: ViewContext) => R;
  readonly example: (db: Reader) => object;
  list<A extends FieldTypes = NoFields, F extends FieldTypes = NoFields>(
    summary: string,
    options?: ListOptions<R, A, F>,
  ): Api;
  show<A extends FieldTypes = NoFields>(summary: string, options?: RowApiOptions<R, K, A>): Api;
  /** Defines an API that inserts a row. */
  add<A extends FieldTypes = NoFields>(summary: string, options: AddOptions<R, A>): Api;
  /** Defines an API that changes columns of a row. */
  change<A extends FieldTypes = NoFields>(summary: string, options: ChangeOptions<R, K, A, P>): Api;
  /** Defines an API that always makes the same change; `already` is its refusal when nothing would change. */
  set(summary: string, set: P, already?: string): Api;
  /** Defines an API that does anything else with a row. */
  act<A extends FieldTypes = NoFields>(summary: string, options: ActOptions<R, K, A>): Api;
  /** Defines an API that removes a row, and shows it as it was. */
  remove<A extends FieldTypes = NoFields>(summary: string, options?: RemoveOptions<R, K, A>): Api;
}
