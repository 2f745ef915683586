/**
 * The options of a resource and of each of its APIs. Functions get the row first, then the call's arguments, and the
 * context last. If they throw an `ApiError`, it is the answer of the call.
 */
import type { Api, CallContext, Reader, Table, TableRow, Writer } from "../define.ts";
import type { FieldTypes, Item, NoFields, ViewContext } from "./item.ts";
import type { ListOptions, Output, ParentColumn } from "./list.ts";

/** The options of a resource. */
export interface ResourceOptions<R extends TableRow, K extends FieldTypes, P> {
  /** The table of the rows. Default: the item's table. */
  readonly table?: Table<R>;
  /** The noun for a row in messages: `there is no <noun> with id 7`. */
  readonly noun: string;
  readonly item: Item<R>;
  /** The parameters that name a row. They come first. The default is `id`. */
  readonly keys?: K;
  /** True when the key is the row's `name`, with case ignored. A new row must then have an unused name. */
  readonly keyIsName?: boolean;
  /** A text that is added to the 404 error, such as `notes.checklist lists them`. */
  readonly hint?: string;
  /**
   * Returns the row that the arguments name, or throws an `ApiError`. By default, finds it by its id, which is the
   * first key.
   */
  readonly find?: (args: Output<K>, look: ViewContext) => R;
  /** Refuses rows that exist but may not be used, such as rows of other people. Their id is the first key. */
  readonly guard?: (row: R, look: ViewContext) => unknown;
  /** True when a new row must have an unused `name`. */
  readonly unique?: boolean;
  /** Writes a change. By default it is written to the row's columns. */
  readonly save?: (row: R, patch: P, db: Writer) => R;
  /** Returns what `set` is compared with, for `already`. By default these are the row's columns. */
  readonly state?: (row: R, db: Reader) => object;
  /** Returns true for rows that documentation may use as examples. */
  readonly isExample?: (row: R, db: Reader) => boolean;
  /**
   * Returns the keys of a row for examples, without throwing. The row must pass `fits`. By default it is the passing
   * row with the smallest id.
   */
  readonly example?: (db: Reader, fits: (row: R) => boolean) => object;
}

export interface RowApiOptions<R extends TableRow, K extends FieldTypes, A extends FieldTypes> {
  /** The parameters besides the keys. */
  readonly params?: A;
  /** Refuses arguments before the row is searched. */
  readonly checkArguments?: (args: Output<K & A>, context: CallContext) => unknown;
  /** Refuses actions that are not allowed for this row. */
  readonly checkRow?: (row: R, args: Output<K & A>, context: CallContext) => unknown;
  /** Finds the row in another way than the resource. */
  readonly find?: (args: Output<K>, look: ViewContext) => R;
  /** Shows the row in another way than the resource. */
  readonly item?: Item<R>;
  /** Arguments of the example besides the keys. A function returns all arguments instead. */
  readonly example?: object | ((db: Reader) => object);
  /** Returns true for rows that the example may use. */
  readonly isExample?: (row: R, db: Reader) => boolean;
}

export interface ChangeOptions<R extends TableRow, K extends FieldTypes, A extends FieldTypes, P>
  extends RowApiOptions<R, K, A> {
  /**
   * The change, or a function that computes or refuses it. By default each parameter changes the column of the same
   * name.
   */
  readonly set?: P | ((row: R, args: Output<K & A>, context: CallContext) => P);
  /**
   * Refuses the call with a 409 when nothing would change. It is a text, such as "is already done", or a function that
   * returns the message.
   */
  readonly already?: string | ((row: R, args: Output<K & A>) => string);
}

export interface ActOptions<R extends TableRow, K extends FieldTypes, A extends FieldTypes>
  extends RowApiOptions<R, K, A> {
  /** Does what the API is for. Returns the row to show, if it is not the same row. */
  readonly run: (row: R, args: Output<K & A>, context: CallContext) => R | undefined;
}

export interface RemoveOptions<R extends TableRow, K extends FieldTypes, A extends FieldTypes>
  extends RowApiOptions<R, K, A> {
  /** Tables whose rows are removed too, if they hold the row's id in the given column. */
  readonly parts?: readonly (readonly [table: { readonly name: string }, column: string])[];
}

export interface AddOptions<R extends TableRow, A extends FieldTypes> {
  readonly params?: A;
  /**
   * The row to which the new row is added. The parameters that name it come first, and its example is used by default.
   */
  readonly parent?: readonly [
    parent: ParentColumn<R>[0] & { example(db: Reader): object },
    column: ParentColumn<R>[1],
  ];
  /** Refuses arguments before the parent is searched. */
  readonly checkArguments?: (args: Output<A>, context: CallContext) => unknown;
  /** Columns with the same values in every new row. */
  readonly defaults?: Partial<R>;
  /**
   * Returns further columns of the new row, or an existing row, which is then shown unchanged. By default each
   * parameter becomes the column of the same name.
   */
  readonly row?: (args: Output<A>, context: CallContext) => Partial<R>;
  readonly item?: Item<R>;
  readonly example?: object | ((db: Reader) => object);
}

/** Defines the APIs of a table's rows. Other resources and handlers may use `find` and `example`. */
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
  /** Defines an API that always makes the same change. `already` is the message when nothing would change. */
  set(summary: string, set: P, already?: string): Api;
  /** Defines an API that does anything else with a row. */
  act<A extends FieldTypes = NoFields>(summary: string, options: ActOptions<R, K, A>): Api;
  /** Defines an API that removes a row, and shows the row as it was before. */
  remove<A extends FieldTypes = NoFields>(summary: string, options?: RemoveOptions<R, K, A>): Api;
}
