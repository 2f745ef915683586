/**
 * A resource is the rows of one table, together with how an app's APIs name, show and change them. What all of these
 * APIs share is declared once: the parameters that name a row, how a row is found, the message when it is not found,
 * how it is shown, and which rows are good examples. Then each API is declared by what it does:
 *
 *   const todo = resource({ noun: "todo", item: defineItem(todos, todos.fields("title", "id", "done")) });
 *
 *   apis: {
 *     list: todo.list("List todos, oldest first."),
 *     show: todo.show("Show a todo."),
 *     add: todo.add("Add a todo.", { params: { title }, defaults: { done: false } }),
 *     rename: todo.change("Change a todo's title.", { params: { title } }),
 *     complete: todo.set("Mark an open todo as done.", { done: true }, "is already done"),
 *     remove: todo.remove("Remove a todo."),
 *   }
 *
 * Each of them is an ordinary `defineApi`. An API that does not fit this form is written with `defineApi`.
 */
import { z } from "zod";
import {
  type Api,
  ApiError,
  type CallContext,
  defineApi,
  type Reader,
  type Table,
  type TableRow,
} from "../define.ts";
import type { FieldTypes, ViewContext } from "./item.ts";
import { type ListOptions, listApiOfTable, makeEqualityTest, parentMatch } from "./list.ts";
import type {
  ActOptions,
  AddOptions,
  ChangeOptions,
  RemoveOptions,
  Resource,
  ResourceOptions,
  RowApiOptions,
} from "./options.ts";
import { idParam } from "./params.ts";
import { refuseUnless } from "./refuse-unless.ts";
import { requireFreeName, rowByName } from "./rows.ts";

/** Returns the row with this id, or throws a 404: `id: there is no todo with id 7`, followed by `hint`. */
export function rowById<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  id: number,
  { noun, param = "id", hint }: { noun: string; param?: string; hint?: string | undefined },
): R {
  const row = db.get(table, id);
  const more = hint === undefined ? "" : `; ${hint}`;
  refuseUnless(row, 404, `${param}: there is no ${noun} with id ${id}${more}`);
  return row;
}

type IdKey = { readonly id: z.ZodInt };
type CallArguments = Readonly<Record<string, unknown>>;

/** Declares a resource, which defines the APIs of a table's rows. */
export function resource<
  R extends TableRow,
  K extends FieldTypes = IdKey,
  P = Partial<Omit<R, "id">>,
>(options: ResourceOptions<R, K, P>): Resource<R, K, P> {
  const maker = new ApiMaker(options as never);
  return {
    item: options.item,
    keys: maker.keys,
    find: maker.find,
    example: (db: Reader) => maker.example(db, () => true),
    list: maker.list.bind(maker),
    show: maker.show.bind(maker),
    add: maker.add.bind(maker),
    change: maker.change.bind(maker),
    set: (summary: string, set: P, already?: string) =>
      maker.change(summary, { set: set as object, ...(already !== undefined && { already }) }),
    act: maker.act.bind(maker),
    remove: maker.remove.bind(maker),
  } as unknown as Resource<R, K, P>;
}

type AnyRowApiOptions = RowApiOptions<TableRow, FieldTypes, FieldTypes>;
/** Does what the call is for, and returns what the call shows. */
type RunOnRow = (
  row: TableRow,
  args: CallArguments,
  context: CallContext,
  show: ShowRow,
) => unknown;
type ShowRow = (row: TableRow) => unknown;
/** Refuses the call before anything else is done with the row. */
type RefuseFirst = (row: TableRow, args: CallArguments, db: Reader) => void;

/** Makes the APIs of one resource. The interface `Resource` has the types of rows and arguments. */
class ApiMaker {
  readonly keys: FieldTypes;
  readonly find: (args: CallArguments, look: ViewContext) => TableRow;
  readonly example: (db: Reader, fits: (row: TableRow) => boolean) => object;
  readonly #options: ResourceOptions<TableRow, FieldTypes, object>;
  readonly #param: string;
  readonly #table: Table;

  constructor(options: ResourceOptions<TableRow, FieldTypes, object>) {
    this.#options = options;
    this.#table = options.table ?? options.item.table!;
    this.keys = options.keys ?? { id: idParam(options.noun) };
    this.#param = Object.keys(this.keys)[0]!;
    this.find = options.find ?? ((args, look) => this.#findAllowedRow(args[this.#param], look));
    const { isExample: own = () => true } = options;
    this.example =
      options.example ??
      ((db, fits) => {
        const row = db.all(this.#table).find((row) => own(row, db) && fits(row));
        return { [this.#param]: options.keyIsName ? (row?.["name"] ?? "none") : (row?.id ?? 1) };
      });
  }

  list(summary: string, options: ListOptions<TableRow, FieldTypes, FieldTypes> = {}) {
    return listApiOfTable(summary, { item: this.#options.item, ...options }, this.#table);
  }

  show(summary: string, options: AnyRowApiOptions = {}): Api {
    return this.#rowApi(summary, options, (row, _args, _context, show) => show(row));
  }

  add(summary: string, options: AddOptions<TableRow, FieldTypes>): Api {
    const {
      parent,
      params,
      checkArguments,
      defaults,
      row = argumentsWithoutKeys({ ...parent?.[0].keys }),
      example = {},
    } = options;
    const item = options.item ?? this.#options.item;
    return defineApi({
      summary,
      params: z.strictObject({ ...parent?.[0].keys, ...params }),
      returns: item.schema,
      example: (db) =>
        typeof example === "function" ? example(db) : { ...parent?.[0].example(db), ...example },
      handler: (context, args) => {
        checkArguments?.(args, context);
        this.#requireFreeName(args, context.db);
        // The columns have the order in which a handler would write them: first the parent, then the arguments, then
        // the defaults.
        const parentId = parent && parentMatch<TableRow>(parent, args, context);
        const own = { ...parentId, ...row(args, context) };
        const made = { ...own, ...defaults, ...own } as TableRow;
        const shown = "id" in made ? made : context.db.insert(this.#table, made);
        return item.view(shown, context);
      },
    });
  }

  change(summary: string, options: ChangeOptions<TableRow, FieldTypes, FieldTypes, object>): Api {
    const {
      set = (_: unknown, args: CallArguments) => argumentsWithoutKeys(this.keys)(args),
      already,
    } = options;
    const { save, state = (row) => row } = this.#options;
    const same = typeof set === "function" ? () => false : makeEqualityTest(set);
    const changeRow: RunOnRow = (row, args, context, show) => {
      this.#requireFreeName(args, context.db, row.id);
      const patch = typeof set === "function" ? set(row, args, context) : set;
      return show((save ?? updateRow(this.#table))(row, patch, context.db));
    };
    const refuseUnchanged = (row: TableRow, args: CallArguments, db: Reader) => {
      if (already === undefined || !same(state(row, db))) return;
      throw new ApiError(409, this.#alreadyMessage(already, row, args));
    };
    const wouldChange = (row: TableRow, db: Reader) => !same(state(row, db));
    return this.#rowApi(
      summary,
      { isExample: wouldChange, ...options },
      changeRow,
      refuseUnchanged,
    );
  }

  act(summary: string, options: ActOptions<TableRow, FieldTypes, FieldTypes>): Api {
    return this.#rowApi(summary, options, (row, args, context, show) =>
      show(options.run(row, args, context) ?? row),
    );
  }

  remove(summary: string, options: RemoveOptions<TableRow, FieldTypes, FieldTypes> = {}): Api {
    const { parts = [] } = options;
    return this.#rowApi(summary, options, (row, _args, { db }, show) => {
      const shown = show(row);
      for (const [table, column] of parts as [Table, string][]) {
        for (const { id } of db.where(table, { [column]: row.id })) db.remove(table, id);
      }
      db.remove(this.#table, row.id);
      return shown;
    });
  }

  #rowApi(summary: string, options: AnyRowApiOptions, run: RunOnRow, first?: RefuseFirst): Api {
    const {
      params,
      checkArguments,
      find = this.find,
      checkRow,
      item = this.#options.item,
    } = options;
    const { isExample = () => true, example } = options;
    return defineApi({
      summary,
      params: z.strictObject({ ...this.keys, ...params }),
      returns: item.schema,
      example: (db) =>
        typeof example === "function"
          ? example(db)
          : { ...this.example(db, (row) => isExample(row, db)), ...example },
      handler: (context, args) => {
        checkArguments?.(args, context);
        const row = find(args, context);
        first?.(row, args, context.db);
        checkRow?.(row, args, context);
        const showRow = (row: TableRow) => item.view(row, context);
        return run(row, args, context, showRow) as Record<string, unknown>;
      },
    });
  }

  #findAllowedRow(key: unknown, look: ViewContext): TableRow {
    const row = this.#findByKey(key, look.db);
    this.#options.guard?.(row, look);
    return row;
  }

  #findByKey(key: unknown, db: Reader): TableRow {
    const { noun, hint, keyIsName: isNamed } = this.#options;
    const table = this.#table;
    const param = this.#param;
    if (isNamed) return rowByName(db, table as NamedTable, key as string, param);
    return rowById(db, table, key as number, { noun, param, hint });
  }

  #requireFreeName({ name }: CallArguments, db: Reader, except?: number): void {
    const { keyIsName, unique = keyIsName } = this.#options;
    if (!unique || name === undefined) return;
    requireFreeName(db, this.#table as NamedTable, name as string, except);
  }

  #alreadyMessage(
    already: string | ((row: TableRow, args: CallArguments) => string),
    row: TableRow,
    args: CallArguments,
  ) {
    if (typeof already === "function") return already(row, args);
    return `${this.#param}: ${this.#options.noun} ${row.id} ${already}`;
  }
}

type NamedTable = Table<TableRow & { readonly name: string }>;

const updateRow = (table: Table) => (row: TableRow, patch: object, db: CallContext["db"]) =>
  db.update(table, row.id, patch);

/** Returns a function that keeps only the given arguments which are not keys. */
function argumentsWithoutKeys(keys: FieldTypes) {
  return (args: CallArguments): object =>
    Object.fromEntries(
      Object.entries(args).filter(([name, value]) => !(name in keys) && value !== undefined),
    );
}
