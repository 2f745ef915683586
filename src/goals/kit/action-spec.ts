/** The declaration of actions, before an action has its name and knows whose list it is in. */
import type { Table, TableRow } from "../../world/index.ts";
import type { Action, DrawContext, Effect } from "../parts.ts";
import type { RowCondition } from "./row-condition.ts";

/** What the actions of one list have in common. */
export interface ActionListOptions<R extends TableRow> {
  /** The kind of the rows, or for several kinds the names of their actions: `{ notes: "pin tag", archived: "tag" }`. */
  readonly kind: string | { readonly [kind: string]: string };
  readonly app: string;
  readonly table: Table<R>;
  /** The API parameter that takes the key `x`; absent: `id`. */
  readonly key?: string;
  readonly difficulty?: 1 | 2;
  /** Holds for rows that all of the actions need, beside what each of them needs. */
  readonly when?: RowCondition<R>;
  /** Names of the actions whose calls ask other APIs first, so that their difficulty is 2. */
  readonly difficult?: string;
  /** Names of the actions whose API belongs to another app than their rows: `{ todo: "print buy" }`. */
  readonly otherApps?: { readonly [app: string]: string };
}

/** A declared action that has no name yet. */
export interface ActionSpec<R extends TableRow> {
  readonly difficulty?: 1 | 2;
  readonly takes?: Action["takes"];
  readonly effect: (draw: DrawContext, list: ActionListOptions<R>) => Effect | undefined;
}
