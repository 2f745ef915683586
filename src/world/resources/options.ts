/**
 * What a resource is told of itself and of each of its APIs. In functions a row comes first, then the call's arguments, the
 * context last; whatever they throw as an `ApiError` is the call's answer.
 */
import type { Api, CallContext, Reader, Table, TableRow, Writer } from "../define.ts";
import type { FieldTypes, Item, NoFields, ViewContext } from "./item.ts";
import type { ListOptions, Of, Output } from "./list.ts";

/** What a resource is told of itself. */
export interface ResourceOptions<R extends TableRow, K extends FieldTypes, P> {
  /** Default: the item's. */
  readonly table?: Table<R>;
  /** In messages: `there is no <noun> with id 7`. */
  readonly noun: string;
  readonly item: Item<R>;
  /** Parameters that name a row; they come first. Default: `id`. */
  readonly keys?: K;
  /** The key is the row's `name`, case ignored; a new name must be free. */
  readonly keyIsName?: boolean;
  /** What is said behind the 404, such as `notes.checklist lists them`. */
  readonly hint?: string;
  /** The row that the arguments name, or an `ApiError`. Default: by the first key, an id. */
  readonly find?: (args: Output<K>, look: ViewContext) => R;
  /** Refuses rows that are found but not meant, such as those of others; their id is the first key. */
  readonly guard?: (row: R, look: ViewContext) => unknown;
  /** A new `name` must be free. */
  readonly unique?: boolean;
  /** Writes a change. Default: to the row's columns. */
  readonly save?: (row: R, patch: P, db: Writer) => R;
  /** What `set` is compared with for `already`. Default: the row's columns. */
  readonly state?: (row: R, db: Reader) => object;
  /** Of which rows the examples are. */
  readonly isExample?: (row: R, db: Reader) => boolean;
  /** Keys of a row that fits, for examples; it must not throw. Default: the first, by id. */
  readonly example?: (db: Reader, fits: (row: R) => boolean) => object;
}

export interface Options<R extends TableRow, K extends FieldTypes, A extends FieldTypes> {
  /** Beside the keys. */
  readonly params?: A;
  /** Refuses arguments before the row is looked for. */
  readonly checkArguments?: (args: Output<K & A>, context: CallContext) => unknown;
  /** Refuses what may not be done with the row. */
  readonly checkRow?: (row: R, args: Output<K & A>, context: CallContext) => unknown;
  /** Another way to find the row than the resource's. */
  readonly find?: (args: Output<K>, look: ViewContext) => R;
  /** Another view than the resource's. */
  readonly item?: Item<R>;
  /** Beside the keys; or, as a function, all arguments. */
  readonly example?: object | ((db: Reader) => object);
  /** Of which row the example is. */
  readonly isExample?: (row: R, db: Reader) => boolean;
}

export interface Change<R extends TableRow, K extends FieldTypes, A extends FieldTypes, P>
  extends Options<R, K, A> {
  /** The change, or a function that makes or refuses it. Default: the parameters, each to the column of its name. */
  readonly set?: P | ((row: R, args: Output<K & A>, context: CallContext) => P);
  /** A 409 where nothing would change, such as "is already done"; a function gives the whole message. */
  readonly already?: string | ((row: R, args: Output<K & A>) => string);
}

export interface Act<R extends TableRow, K extends FieldTypes, A extends FieldTypes>
  extends Options<R, K, A> {
  /** Does it; returns the row to show, if another. */
  readonly run: (row: R, args: Output<K & A>, context: CallContext) => R | undefined;
}

export interface Remove<R extends TableRow, K extends FieldTypes, A extends FieldTypes>
  extends Options<R, K, A> {
  /** Tables whose rows go with it, by the column that holds its id. */
  readonly parts?: readonly (readonly [table: { readonly name: string }, column: string])[];
}

export interface Add<R extends TableRow, A extends FieldTypes> {
  readonly params?: A;
  /** To what the row is added; its keys come first, and its example is the default one's. */
  readonly parent?: readonly [parent: Of<R>[0] & { example(db: Reader): object }, column: Of<R>[1]];
  /** Refuses arguments before the parent is looked for. */
  readonly checkArguments?: (args: Output<A>, context: CallContext) => unknown;
  /** Columns of every new row. */
  readonly defaults?: Partial<R>;
  /**
   * Further columns of the new row; or a row that is there already, to be shown as it is. Default: the parameters, each
   * in the column of its name.
   */
  readonly row?: (args: Output<A>, context: CallContext) => Partial<R>;
  readonly item?: Item<R>;
  readonly example?: object | ((db: Reader) => object);
}

/** Makes the APIs of its rows; `find` and `example` are for other resources and handlers. */
export interface Resource<R extends TableRow, K extends FieldTypes, P> {
  readonly item: Item<R>;
  readonly keys: K;
  readonly find: (args: Output<K>, look: ViewContext) => R;
  readonly example: (db: Reader) => object;
  list<A extends FieldTypes = NoFields, F extends FieldTypes = NoFields>(
    summary: string,
    options?: ListOptions<R, A, F>,
  ): Api;
  show<A extends FieldTypes = NoFields>(summary: string, options?: Options<R, K, A>): Api;
  /** A row that is new. */
  add<A extends FieldTypes = NoFields>(summary: string, options: Add<R, A>): Api;
  /** Columns of the row that get other values. */
  change<A extends FieldTypes = NoFields>(summary: string, options: Change<R, K, A, P>): Api;
  /** A change that is always the same, and its `already`. */
  set(summary: string, set: P, already?: string): Api;
  /** Whatever else is done with the row. */
  act<A extends FieldTypes = NoFields>(summary: string, options: Act<R, K, A>): Api;
  /** The row is gone; it is shown as it was. */
  remove<A extends FieldTypes = NoFields>(summary: string, options?: Remove<R, K, A>): Api;
}
