/** An action as it is declared, before it knows its name and whose list it is in. */
import type { Table, TableRow } from "../../world/index.ts";
import type { Action, Draw, Effect } from "../parts.ts";

/** What the actions of one list have in common. */
export interface On<R extends TableRow> {
  readonly kind: string;
  readonly app: string;
  readonly table: Table<R>;
  /** The parameter of the APIs that takes the key `x`; absent: `id`. */
  readonly key?: string;
  readonly difficulty?: 1 | 2;
}

/** One entry of a list of actions. */
export interface ActionSpec<R extends TableRow> {
  readonly difficulty?: 1 | 2;
  readonly takes?: Action["takes"];
  readonly effect: (draw: Draw, on: On<R>) => Effect | undefined;
}
