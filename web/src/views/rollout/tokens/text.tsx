/** The tokens as running text in fixed-width letters. The agent's tokens stand out from the context. */

import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { createTokenLayoutCache, type TokenLayout } from "../../../lib/token-layout.ts";
import { findLine, layOutLines, moveTokenByKey, type TokenLine } from "../../../lib/token-lines.ts";
import { scrollToRow, VirtualRows } from "../../../parts/virtual-rows.tsx";
import { focusToken, stepClass, type TokenViewProps, tokenAtEvent } from "./token-props.ts";

const LINE_HEIGHT = 24;
/** The width, in letters, of what is next to the text: the number of the turn and the scroll bar. */
const MARGIN_LETTERS = 9;

export function TokenGrid(props: TokenViewProps) {
  const { row, boundaries, active, wasChosen, move } = props;
  const box = useRef<HTMLDivElement>(null);
  const columns = useLettersPerLine(box);
  const tokens = useMemo(() => layOutTokens(row), [row]);
  const lines = useMemo(
    () => (columns === undefined ? [] : layOutLines(tokens, boundaries, columns)),
    [tokens, boundaries, columns],
  );
  const at = findLine(lines, active);
  useLayoutEffect(() => {
    scrollToRow(box.current, at, { count: lines.length, rowHeight: LINE_HEIGHT });
    if (wasChosen) focusToken(box.current, active);
  }, [active, wasChosen, at, lines]);
  const draw = useLineRenderer(props, tokens, lines);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey) return;
    const page = Math.floor((box.current?.clientHeight ?? LINE_HEIGHT) / LINE_HEIGHT) - 1;
    const to = event.ctrlKey
      ? ({ Home: 0, End: tokens.length - 1 } as Record<string, number>)[event.key]
      : moveTokenByKey(event.key, active, lines, (i) => tokens[i]!.width, page);
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
      label="Tokens as text"
      count={lines.length}
      rowHeight={LINE_HEIGHT}
      pinned={at}
      row={draw}
      onKeyDown={onKeyDown}
      onClick={onClick}
      box={box}
    />
  );
}

/**
 * Returns a function that renders lines and caches them. An unchanged line gives the same node, so nothing in it has to
 * be compared.
 */
function useLineRenderer(
  props: TokenViewProps,
  tokens: readonly TokenLayout[],
  lines: readonly TokenLine[],
) {
  const { row, values, scale, active } = props;
  const drawn = useMemo(() => new Map<number, VNode>(), [row, values, scale, tokens, lines]);
  return (index: number, place: { readonly top: number }): VNode => {
    const line = lines[index]!;
    const holds = active >= line.from && active < line.to;
    const known = holds ? undefined : drawn.get(index);
    if (known) return known;
    const made = (
      <TokenLineRow
        key={index}
        index={index}
        top={place.top}
        line={line}
        props={props}
        tokens={tokens}
        active={holds ? active : undefined}
      />
    );
    if (!holds) drawn.set(index, made);
    return made;
  };
}

interface LineProps {
  readonly index: number;
  readonly top: number;
  readonly line: TokenLine;
  readonly props: TokenViewProps;
  readonly tokens: readonly TokenLayout[];
  readonly active: number | undefined;
}

function TokenLineRow({ index, top, line, props, tokens, active }: LineProps) {
  const { row, values, scale } = props;
  const cells: VNode[] = [];
  for (let i = line.from; i < line.to; i++) {
    const own = row.mask[i] === 1 ? "token own" : "token";
    const isActive = i === active;
    cells.push(
      <span
        key={i}
        role="gridcell"
        data-token={i}
        class={own + stepClass(scale.step(values?.[i]))}
        tabIndex={isActive ? 0 : -1}
        aria-describedby={isActive ? "token-details" : undefined}
        aria-selected={isActive ? true : undefined}
      >
        {tokens[i]!.pieces.map((piece, n) =>
          piece.kind === "plain" ? (
            piece.text
          ) : (
            <span key={n} class={`token-${piece.kind}`}>
              {piece.text}
            </span>
          ),
        )}
      </span>,
    );
  }
  return (
    <div class="token-line" role="row" aria-rowindex={index + 1} style={{ top }} dir="ltr">
      {line.turn === undefined ? (
        <span class="token-turn" aria-hidden="true" />
      ) : (
        <span class="token-turn" role="rowheader">
          turn {line.turn + 1}
        </span>
      )}
      {cells}
    </div>
  );
}

function layOutTokens({ ids, texts }: TokenViewProps["row"]): readonly TokenLayout[] {
  const textOf = createTokenLayoutCache();
  return ids.map((id, i) => textOf(texts ? (texts[i] ?? "") : `${id} `));
}

/** Returns how many letters fit into a line, or undefined until the box is measured. */
function useLettersPerLine(box: { readonly current: HTMLElement | null }): number | undefined {
  const [columns, set] = useState<number>();
  useLayoutEffect(() => {
    const element = box.current!;
    const probe = document.createElement("span");
    probe.className = "token-probe";
    probe.textContent = "x".repeat(100);
    element.append(probe);
    const letter = probe.getBoundingClientRect().width / 100;
    probe.remove();
    const measure = () =>
      set(Math.max(20, Math.floor(element.clientWidth / letter) - MARGIN_LETTERS));
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  return columns;
}
