/**
 * Call lists run straight on a task's start state, without a sandbox: how mutants and equivalents are tried.
 */
import type { Evaluation } from "../../spec/index.ts";
import type { CallResult } from "../api/index.ts";
import type { Cell } from "../define.ts";
import type { Start, WorldInstance } from "../episode/index.ts";
import type { RowChange } from "../state/index.ts";

export interface Call {
  readonly app: string;
  readonly api: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Replayed {
  readonly evaluation: Evaluation;
  readonly results: readonly CallResult[];
  /** Equal for two replays that left the same content behind. Independent of the checks' own comparison. */
  readonly key: string;
}

export class Replayer {
  readonly start: Start;
  readonly #world: WorldInstance;

  constructor(world: WorldInstance, start: Start) {
    this.#world = world;
    this.start = start;
  }

  get catalog() {
    return this.#world.dispatcher.catalog;
  }

  run(calls: readonly Call[]): Replayed {
    const { dispatcher, owner } = this.#world;
    const session = { state: this.start.state.clone(), calls: 0 };
    const results = calls.map(({ app, api, args }) =>
      dispatcher.call(session, owner, app, api, args),
    );
    const key = this.#key(session.state.changesSince(this.start.state));
    return { evaluation: this.start.checks.evaluate(session.state), results, key };
  }

  /** True when the call changed what the task compares. */
  writes(result: CallResult): boolean {
    return (
      "changes" in result && result.changes.some((change) => this.#compared(change).length > 0)
    );
  }

  /** The compared columns of a change; a removed row counts by its id. */
  #compared(change: RowChange): string[] {
    const { catalog } = this;
    const { table, kind } = change;
    if (kind === "insert") return catalog.contentColumns(table, change.after);
    if (kind === "remove") return catalog.isContent(change) ? ["id"] : [];
    return catalog
      .changedColumns(change.before, change.after)
      .filter(
        (c) =>
          catalog.columnClass(table, c) === "content" ||
          this.start.checks.named.has(`${table}.${c}`),
      );
  }

  #key(changes: readonly RowChange[]): string {
    const created = new Map<string, string>();
    for (const { kind, table, id } of changes) {
      if (kind === "insert") created.set(`${table}#${id}`, `new ${created.size}`);
    }
    const lines = changes.flatMap((change) => {
      const columns = this.#compared(change).sort();
      if (columns.length === 0) return [];
      const row = change.kind === "remove" ? change.before : change.after;
      const cells = columns.map((c) => [c, this.#rename(change.table, c, row[c] ?? null, created)]);
      return [[change.kind, change.table, change.kind === "insert" ? "" : change.id, cells]];
    });
    return JSON.stringify(lines);
  }

  #rename(
    table: string,
    column: string,
    cell: Cell,
    created: ReadonlyMap<string, string>,
  ): unknown {
    const target = this.catalog.table(table).references[column];
    if (!target) return cell;
    const rename = (id: unknown) => created.get(`${target}#${id}`) ?? id;
    return Array.isArray(cell) ? cell.map(rename) : rename(cell);
  }
}
