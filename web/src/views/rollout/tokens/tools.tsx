/** Controls of the view of tokens: text or table, colour, turn and row. */
import type { RolloutView, TokenColumns } from "../../../../../src/spec/studio/index.ts";
import { type Address, replaceQuery } from "../../../lib/address.ts";
import { escapeInvisible } from "../../../lib/invisible-characters.ts";
import {
  COLUMN_DESCRIPTIONS,
  COLUMN_NAMES,
  type ColumnName,
  readColumn,
} from "../../../lib/token-columns.ts";

interface ToolsProps {
  readonly view: RolloutView;
  readonly rows: readonly TokenColumns[];
  readonly number: number;
  readonly color: ColumnName;
  readonly query: Address["query"];
}

export function TokenTools({ view, rows, number, color, query }: ToolsProps) {
  const row = rows[number]!;
  const isTable = query["mode"] === "table";
  return (
    <div class="token-tools">
      <fieldset>
        <legend class="hidden-word">Show the tokens as</legend>
        <button
          type="button"
          aria-pressed={!isTable}
          onClick={() => replaceQuery({ mode: undefined })}
        >
          Text
        </button>
        <button
          type="button"
          aria-pressed={isTable}
          onClick={() => replaceQuery({ mode: "table" })}
        >
          Table
        </button>
      </fieldset>
      <label>
        Colour{" "}
        <select
          value={color}
          onChange={(event) => replaceQuery({ color: event.currentTarget.value })}
        >
          {COLUMN_NAMES.map((name) => (
            <option key={name} value={name}>
              {COLUMN_DESCRIPTIONS[name].name}
              {readColumn(name, row) === null ? " (not recorded)" : ""}
            </option>
          ))}
        </select>
      </label>
      <JumpToTurn view={view} query={query} />
      {rows.length > 1 && <RowChooser rows={rows} number={number} />}
      <span class="soft">{row.ids.length.toLocaleString("en")} tokens</span>
    </div>
  );
}

function JumpToTurn({ view, query }: Pick<ToolsProps, "view" | "query">) {
  return (
    <label>
      Turn{" "}
      <select
        value={query["turn"] ?? ""}
        onChange={(event) => replaceQuery({ turn: event.currentTarget.value })}
      >
        <option value="">–</option>
        {view.rollout.turns.map(
          ({ span }, i) =>
            span && (
              <option key={i} value={i}>
                {i + 1}
              </option>
            ),
        )}
      </select>
    </label>
  );
}

/** Chooses a training row. A rewritten context and every other role of the policy has a row with its own prompt. */
function RowChooser({ rows, number }: Pick<ToolsProps, "rows" | "number">) {
  return (
    <label>
      Row{" "}
      <select
        value={number}
        onChange={(event) => replaceQuery({ row: event.currentTarget.value, turn: undefined })}
      >
        {rows.map(({ role }, i) => (
          <option key={i} value={i}>
            {i + 1} of {rows.length}
            {role !== undefined && `, ${escapeInvisible(role)}`}
          </option>
        ))}
      </select>
    </label>
  );
}
