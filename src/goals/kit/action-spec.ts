/** The declaration of an action, before the action has its name and knows its list. */
import type { Table, TableRow } from "../../world/index.ts";
import type { Action, DrawContext, Effect } from "../parts.ts";
import type { RowCondition } from "./row-condition.ts";

/** What the actions of one list have in common. */
export interface ActionListOptions<R extends TableRow> {
  /**
   * The kind of the rows. For several kinds, each has the names of its actions: `{ notes: "pin tag", archived: "tag"
   * }`.
   */
  readonly kind: string | { readonly [kind: string]: string };
  readonly app: string;
  readonly table: Table<R>;
  /** The API parameter that takes the key `x`; `id` by default. */
  readonly key?: string;
  readonly difficulty?: 1 | 2;
  /** A condition on rows that all of the actions need, in addition to the conditions of each action. */
  readonly when?: RowCondition<R>;
  /** The names of actions that call other APIs first, so that their difficulty is 2. */
  readonly difficult?: string;
  /** The names of actions whose API belongs to another app than their rows, by app: `{ todo: "print buy" }`. */
  readonly otherApps?: { readonly [app: string]: string };
}

/** A declared action that has no name yet. */
export interface ActionSpec<R extends TableRow> {
  readonly difficulty?: 1 | 2;
  readonly takes?: Action["takes"];
  readonly effect: (draw: DrawContext, list: ActionListOptions<R>) => Effect | undefined;
}
