/** An action as it is declared, before it knows its name and whose list it is in. */
import type { Table, TableRow } from "../../world/index.ts";
import type { Action, DrawContext, Effect } from "../parts.ts";
import type { RowCondition } from "./when.ts";

/** What the actions of one list have in common. */
export interface ActionListOptions<R extends TableRow> {
  /** One, or for each of several the names of those that fit it, in order: `{ notes: "pin tag", archived: "tag" }`. */
  readonly kind: string | { readonly [kind: string]: string };
  readonly app: string;
  readonly table: Table<R>;
  /** The parameter of the APIs that takes the key `x`; absent: `id`. */
  readonly key?: string;
  readonly difficulty?: 1 | 2;
  /** What all of them need, beside what each needs. */
  readonly when?: RowCondition<R>;
  /** Names of those whose calls ask other APIs first: difficulty 2. */
  readonly difficult?: string;
  /** Names of those that are done in another app than that of their rows: `{ todo: "print buy" }`. */
  readonly otherApps?: { readonly [app: string]: string };
}

/** One entry of a list of actions. */
export interface ActionSpec<R extends TableRow> {
  readonly difficulty?: 1 | 2;
  readonly takes?: Action["takes"];
  readonly effect: (draw: DrawContext, on: ActionListOptions<R>) => Effect | undefined;
}
