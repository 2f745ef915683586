/** What both drawings of tokens are given. */
import type { TokenColumns } from "../../../../../src/spec/studio/index.ts";
import type { ColorScale } from "../../../lib/token-columns.ts";
import type { Boundaries } from "../../../lib/token-lines.ts";

export interface TokenViewProps {
  readonly row: TokenColumns;
  readonly boundaries: Boundaries;
  /** Of the column that colours; null: not recorded. */
  readonly values: readonly (number | null)[] | null;
  readonly scale: ColorScale;
  /** The token that is looked at; the only one in the order of Tab. */
  readonly active: number;
  /** It was chosen within the drawing, which then has the focus. */
  readonly wasChosen: boolean;
  move(token: number): void;
}

/** The class that draws a step of a colour scale. */
export function stepClass(step: number): string {
  return step === 0 ? "" : step > 0 ? ` more-${step}` : ` less-${-step}`;
}

/** The token of a click, if it was on one. */
export function tokenAtEvent(event: MouseEvent): number | undefined {
  const at = event.target instanceof Element ? event.target.closest("[data-token]") : null;
  const token = at?.getAttribute("data-token");
  return token == null ? undefined : Number(token);
}

/** Puts the focus on a token that is drawn. */
export function focusToken(box: HTMLElement | null, token: number): void {
  box?.querySelector<HTMLElement>(`[data-token="${token}"]`)?.focus({ preventScroll: true });
}
