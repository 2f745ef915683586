/** The tokens as a table: one row per token, with all columns. */
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { clamp } from "../../../lib/rows-in-sight.ts";
import { COLUMN_DESCRIPTIONS, type ColumnName, readColumn } from "../../../lib/token-columns.ts";
import { layOutToken, type TokenLayout } from "../../../lib/token-layout.ts";
import { scrollToRow, VirtualRows } from "../../../parts/virtual-rows.tsx";
import { formatTokenNumber } from "./format-token-number.ts";
import { focusToken, stepClass, type TokenViewProps, tokenAtEvent } from "./token-props.ts";

const ROW_HEIGHT = 27;
const HEAD_HEIGHT = 34;
const SHOWN_COLUMNS: readonly ColumnName[] = [
  "sampled",
  "old",
  "current",
  "change",
  "ratio",
  "clipped",
  "advantage",
  "entropy",
];

export function TokenTable({
  row,
  boundaries,
  values,
  scale,
  active,
  wasChosen,
  move,
}: TokenViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const count = row.ids.length;
  const columns = useMemo(
    () => SHOWN_COLUMNS.map((name) => [name, readColumn(name, row)] as const),
    [row],
  );
  const turnAt = useMemo(() => findTurnOfEachToken(count, boundaries), [count, boundaries]);
  useLayoutEffect(() => {
    scrollToRow(box.current, active, { count, rowHeight: ROW_HEIGHT, headHeight: HEAD_HEIGHT });
    if (wasChosen) focusToken(box.current, active);
  }, [active, wasChosen, count]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey) return;
    const page =
      Math.floor(((box.current?.clientHeight ?? ROW_HEIGHT) - HEAD_HEIGHT) / ROW_HEIGHT) - 1;
    const to = moveRowByKey(event.key, active, count, page);
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  };
  const onClick = (event: MouseEvent) => {
    const token = tokenAtEvent(event);
    if (token !== undefined) move(token);
  };
  return (
    <VirtualRows
      label="Tokens as a table"
      count={count}
      rowHeight={ROW_HEIGHT}
      headHeight={HEAD_HEIGHT}
      pinned={active}
      columns={SHOWN_COLUMNS.length + 5}
      head={<TokenTableHead columns={columns} />}
      onKeyDown={onKeyDown}
      onClick={onClick}
      box={box}
      row={(i, { top }) => (
        <div
          key={i}
          class={`token-row${row.mask[i] === 1 ? " own" : ""}`}
          role="row"
          aria-rowindex={i + 2}
          aria-selected={i === active}
          data-token={i}
          tabIndex={i === active ? 0 : -1}
          style={{ top }}
        >
          <span role="gridcell">{i}</span>
          <span role="gridcell">{turnAt[i] === undefined ? "" : turnAt[i] + 1}</span>
          <span role="gridcell" class={`token${stepClass(scale.step(values?.[i]))}`} dir="ltr">
            <TokenPieces layout={layOutToken(row.texts?.[i] ?? "")} isKnown={row.texts !== null} />
          </span>
          <span role="gridcell">{row.ids[i]}</span>
          <span role="gridcell">{row.mask[i] === 1 ? "agent" : "context"}</span>
          {columns.map(([name, column]) => (
            <span key={name} role="gridcell">
              {column === null ? "" : formatCell(name, column[i])}
            </span>
          ))}
        </div>
      )}
    />
  );
}

function TokenTableHead({
  columns,
}: {
  readonly columns: readonly (readonly [ColumnName, unknown])[];
}) {
  return (
    <div class="token-row token-head" role="row" aria-rowindex={1}>
      {["position", "turn", "token", "id", "source"].map((name) => (
        <span key={name} role="columnheader">
          {name}
        </span>
      ))}
      {columns.map(([name, column]) => (
        <span key={name} role="columnheader" title={COLUMN_DESCRIPTIONS[name].meaning}>
          {SHORT_HEADINGS[name] ?? name}
          {column === null && <small> not recorded</small>}
        </span>
      ))}
    </div>
  );
}

const SHORT_HEADINGS: Partial<Record<ColumnName, string>> = {
  sampled: "log-prob",
  old: "before",
  current: "current",
};

function TokenPieces({
  layout,
  isKnown,
}: {
  readonly layout: TokenLayout;
  readonly isKnown: boolean;
}) {
  if (!isKnown) return <span class="soft">not known</span>;
  return (
    <>
      {layout.pieces.map((piece, i) => (
        <span key={i} class={piece.kind === "plain" ? undefined : `token-${piece.kind}`}>
          {piece.text}
        </span>
      ))}
    </>
  );
}

function formatCell(name: ColumnName, value: number | null | undefined): string {
  if (value === null || value === undefined) return "";
  return name === "clipped" ? (value ? "clipped" : "") : formatTokenNumber(value);
}

/** Returns the turn of each token; undefined for context. */
function findTurnOfEachToken(
  count: number,
  boundaries: TokenViewProps["boundaries"],
): (number | undefined)[] {
  let turn: number | undefined;
  return Array.from({ length: count }, (_, i) => {
    if (boundaries.has(i)) turn = boundaries.get(i);
    return turn;
  });
}

function moveRowByKey(key: string, at: number, count: number, page: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  return step === undefined ? undefined : clamp(at + step, 0, count - 1);
}
