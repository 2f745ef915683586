/**
 * All tokens of a rollout, as text or as a table, coloured by a recorded value, with the numbers of the selected token.
 */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { RolloutView, TokenColumns } from "../../../../src/spec/studio/index.ts";
import {
  buildColourScale,
  COLUMN_NAMES,
  type ColumnName,
  readColumn,
} from "../../lib/token-columns.ts";
import { findBoundaries } from "../../lib/token-lines.ts";
import { LoadedContent } from "../../parts/loaded-content.tsx";
import type { RolloutTabProps } from "./tab-props.ts";
import { TokenDetails } from "./tokens/details.tsx";
import { Legend } from "./tokens/legend.tsx";
import { TokenTable } from "./tokens/table.tsx";
import { TokenGrid } from "./tokens/text.tsx";
import type { TokenViewProps } from "./tokens/token-props.ts";
import { TokenTools } from "./tokens/tools.tsx";
import "../../style/tokens.css";

export function RolloutTokens({ view, tokens, query }: RolloutTabProps) {
  const requestedTurn = query["turn"] === undefined ? undefined : Number(query["turn"]);
  const requestedRow = findRowOfTurn(view, requestedTurn) ?? Number(query["row"] ?? 0);
  return (
    <LoadedContent loaded={tokens}>
      {({ rows }) => {
        if (rows.length === 0) {
          return <p class="note">This rollout has no tokens, because its policy uses messages.</p>;
        }
        const number = rows[requestedRow] ? requestedRow : 0;
        return <TokenRow key={number} {...{ view, rows, query, number, requestedTurn }} />;
      }}
    </LoadedContent>
  );
}

interface RowProps extends Pick<RolloutTabProps, "view" | "query"> {
  readonly rows: readonly TokenColumns[];
  readonly number: number;
  readonly requestedTurn: number | undefined;
}

function TokenRow({ view, rows, query, number, requestedTurn }: RowProps) {
  const row = rows[number]!;
  const { turns, place } = findTurnsOfRow(view, rows, number);
  const boundaries = useMemo(() => findBoundaries(turns, place), [turns, place]);
  const [moved, setMoved] = useState(() => ({
    token: findStartOfTurn(view, requestedTurn),
    wasChosen: false,
  }));
  useEffect(() => {
    if (requestedTurn !== undefined)
      setMoved({ token: findStartOfTurn(view, requestedTurn), wasChosen: false });
  }, [view, requestedTurn]);
  const color = chooseColour(query["color"], row.recorded !== null);
  const values = useMemo(() => readColumn(color, row), [color, row]);
  const scale = useMemo(() => buildColourScale(color, values ?? []), [color, values]);
  const props: TokenViewProps = {
    row,
    boundaries,
    values,
    scale,
    active: moved.token,
    wasChosen: moved.wasChosen,
    move: (token) => setMoved({ token, wasChosen: true }),
  };
  return (
    <>
      <TokenTools {...{ view, rows, number, color, query }} />
      {row.recorded === null && (
        <p class="note">
          Ratio, advantage, clip and entropy were not recorded. The trainer records them for a
          sample of the rollouts that it learns from.
        </p>
      )}
      <Legend color={color} scale={scale} values={values} />
      <div class="token-panes">
        {query["mode"] === "table" ? <TokenTable {...props} /> : <TokenGrid {...props} />}
        <TokenDetails row={row} token={moved.token} turns={turns} number={place} />
      </div>
    </>
  );
}

/**
 * Returns the turns to which a row belongs, and the index of the row among their rows. Rows of other roles come after
 * those of the agent.
 */
function findTurnsOfRow({ rollout }: RolloutView, rows: readonly TokenColumns[], number: number) {
  const own = rows.filter(({ role }) => role === undefined).length;
  const other = rollout.cast?.[number - own];
  return other ? { turns: other.turns, place: 0 } : { turns: rollout.turns, place: number };
}

function findRowOfTurn({ rollout }: RolloutView, turn: number | undefined): number | undefined {
  const found = turn === undefined ? undefined : rollout.turns[turn];
  return found?.span && (found.segment ?? 0);
}

function findStartOfTurn({ rollout }: RolloutView, turn: number | undefined): number {
  return rollout.turns[turn ?? -1]?.span?.[0] ?? 0;
}

/**
 * Returns the requested column if there is one. Otherwise returns the ratio if it was recorded, or the sampler's
 * log-prob.
 */
function chooseColour(asked: string | undefined, recorded: boolean): ColumnName {
  return COLUMN_NAMES.find((name) => name === asked) ?? (recorded ? "ratio" : "sampled");
}
