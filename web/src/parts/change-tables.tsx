/**
 * A table of changes with one line for each cell: its value before and after, and the value in the other list (actual
 * or intended).
 */
import type { Change } from "../../../src/spec/studio/index.ts";
import type { ChangePart } from "../lib/compare-changes.ts";
import { RecordedValue } from "./recorded-value.tsx";
import "../style/checks.css";

const KINDS = { insert: "added", update: "changed", remove: "removed" } as const;
const INSTEAD = { both: undefined, missing: "Actual", extra: "Intended" } as const;

export function ChangePartsTable({
  title,
  kind,
  parts,
}: {
  readonly title: string;
  readonly kind: keyof typeof INSTEAD;
  readonly parts: readonly ChangePart[];
}) {
  const instead = parts.some((part) => part.instead) ? INSTEAD[kind] : undefined;
  return (
    <section>
      <h2>
        {title} <span class="soft">({parts.length})</span>
      </h2>
      {parts.length === 0 ? (
        <p class="note">None.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
        <section class="scroll" tabIndex={0} aria-label={title}>
          <table class="parts">
            <thead>
              <tr>
                <th scope="col">Row</th>
                <th scope="col">Change</th>
                <th scope="col">Column</th>
                <th scope="col">Before</th>
                <th scope="col">{kind === "missing" ? "Intended" : "After"}</th>
                {instead !== undefined && <th scope="col">{instead}</th>}
              </tr>
            </thead>
            <tbody>{parts.flatMap((part) => renderRows(part, instead !== undefined))}</tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function renderRows({ change, cells, instead }: ChangePart, showsInstead: boolean) {
  const { table, id, kind } = change;
  const columns = cells.length === 0 ? [undefined] : cells;
  return columns.map((column, i) => (
    <tr key={`${table} ${id} ${column}`}>
      <td>
        {i === 0 && (
          <code>
            {table} {kind === "insert" ? "new row" : `#${id}`}
          </code>
        )}
      </td>
      <td>{i === 0 && KINDS[kind]}</td>
      <td>{column !== undefined && <code>{column}</code>}</td>
      <td>
        {column !== undefined && change.before?.[column] != null && (
          <del>
            <ChangedCell change={change} side="before" column={column} />
          </del>
        )}
      </td>
      <td>
        {column !== undefined && change.after && (
          <ins>
            <ChangedCell change={change} side="after" column={column} />
          </ins>
        )}
      </td>
      {showsInstead && (
        <td>
          {column !== undefined && instead && (
            <ChangedCell change={instead} side="after" column={column} />
          )}
        </td>
      )}
    </tr>
  ));
}

function ChangedCell({
  change,
  side,
  column,
}: {
  readonly change: Change;
  readonly side: "before" | "after";
  readonly column: string;
}) {
  return <RecordedValue value={change[side]?.[column]} />;
}
