/** What an action is declared with: what the actions of one list have in common, where and how an agent does one. */
import type { Reader, Table, TableRow, Writer } from "../../world/index.ts";
import type { Action, Draw, Effect, Value } from "../parts.ts";

/** What the actions of one list have in common. */
export interface On<R extends TableRow> {
  /** One, or for each of several the names of those that fit it, in order: `{ notes: "pin tag", archived: "tag" }`. */
  readonly kind: string | { readonly [kind: string]: string };
  readonly app: string;
  readonly table: Table<R>;
  /** The parameter of the APIs that takes the key `x`; absent: `id`. */
  readonly key?: string;
  readonly difficulty?: 1 | 2;
  /** What all of them need, beside what each needs. */
  readonly when?: When<R>;
  /** Names of those whose calls ask other APIs first: difficulty 2. */
  readonly hard?: string;
  /** Names of those that are done in another app than that of their rows: `{ todo: "print buy" }`. */
  readonly elsewhere?: { readonly [app: string]: string };
}

/** Whether an API does not refuse a row. */
export type When<R extends TableRow> = (row: R, db: Reader) => boolean;

export type Takes = NonNullable<Action["takes"]>;

/** One entry of a list of actions. */
export interface ActionSpec<R extends TableRow> {
  readonly difficulty?: 1 | 2;
  readonly takes?: Action["takes"];
  readonly effect: (draw: Draw, on: On<R>) => Effect | undefined;
}

/** Where and how an agent does it. */
export interface How<R extends TableRow> {
  /** Rows where the API does not refuse; absent: all. A row that is gone permits nothing. */
  readonly when?: When<R>;
  /** Of the app: called as `apis.app.api({id:x,args})`. */
  readonly api?: string;
  readonly args?: string;
  /** Instead of `api`: one statement or expression for the key `x`. */
  readonly call?: string;
  readonly uses?: readonly Value<unknown>[];
  readonly setup?: (db: Writer) => void;
}
