/**
 * What one author wrote in an episode, as changes of the start state. In a world with actors, checks compare what the
 * agent wrote: what others write depends on when the agent stops, and it is not the agent's doing.
 */
import { AGENT, type HistoryEntry, type TableRow, type WrittenRow } from "../define.ts";
import type { RowChange, TableCatalog } from "../state/index.ts";

export interface AgentWriting {
  /**
   * The agent's changes, tables in order of declaration and rows by id. A row that another author added and the agent
   * changed counts as added, because its id depends on what else happened; a change of bookkeeping alone does not count.
   * If the agent removed such a row, it has the column `removed`.
   */
  readonly changes: readonly RowChange[];
  /** Rows that other authors added, by `<table>#<id>`, as they were added. */
  readonly addedByOthers: ReadonlyMap<string, TableRow>;
}

/** Returns what the agent wrote. Values that others wrote later into the same rows are left out. */
export function collectAgentWriting(
  catalog: TableCatalog,
  history: readonly HistoryEntry[],
): AgentWriting {
  const own = new Map<string, RowChange>();
  const addedByOthers = new Map<string, TableRow>();
  for (const { author, rows } of history) {
    for (const row of rows) {
      const key = `${row.table}#${row.id}`;
      if (author !== AGENT) {
        if (row.kind === "insert") addedByOthers.set(key, row.after!);
        continue;
      }
      const change = combineChanges(own.get(key), row, addedByOthers.get(key), catalog);
      if (change) own.set(key, change);
      else own.delete(key);
    }
  }
  const position = new Map(catalog.tables.map(({ name }, i) => [name, i]));
  const changes = [...own.values()].sort(
    (a, b) => position.get(a.table)! - position.get(b.table)! || a.id - b.id,
  );
  return { changes, addedByOthers };
}

/** Combines what the agent did to a row before with what it did now; undefined when nothing is left of it. */
function combineChanges(
  known: RowChange | undefined,
  { table, id, kind, before, after }: WrittenRow,
  addedByOther: TableRow | undefined,
  catalog: TableCatalog,
): RowChange | undefined {
  if (kind === "insert") return { table, id, kind, after: after! };
  if (addedByOther) {
    // Reading such a row, which may clear a flag of bookkeeping, is no writing.
    const changesContent = catalog.changesContent({ table, id, kind, before, after } as RowChange);
    if (!known && !changesContent) return undefined;
    const row = kind === "remove" ? { ...before!, removed: true } : after!;
    return { table, id, kind: "insert", after: row };
  }
  if (kind === "remove") {
    if (known?.kind === "insert") return undefined;
    return { table, id, kind, before: known?.kind === "update" ? known.before : before! };
  }
  const columns = catalog.changedColumns(before!, after!);
  const written = Object.fromEntries(columns.map((column) => [column, after![column] ?? null]));
  if (known?.kind === "insert") return { ...known, after: { ...known.after, ...written } };
  const original = known?.kind === "update" ? known.before : before!;
  const latest = known?.kind === "update" ? known.after : before!;
  const row = { ...latest, ...written };
  if (catalog.changedColumns(original, row).length === 0) return undefined;
  return { table, id, kind: "update", before: original, after: row };
}
