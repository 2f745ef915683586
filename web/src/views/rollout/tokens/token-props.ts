/** The properties of both views of tokens, text and table. */
import type { TokenColumns } from "../../../../../src/spec/studio/index.ts";
import type { ColorScale } from "../../../lib/token-columns.ts";
import type { Boundaries } from "../../../lib/token-lines.ts";

export interface TokenViewProps {
  readonly row: TokenColumns;
  readonly boundaries: Boundaries;
  /** The values of the column that colours the tokens; null if they were not recorded. */
  readonly values: readonly (number | null)[] | null;
  readonly scale: ColorScale;
  /** The selected token. It is the only one that the Tab key reaches. */
  readonly active: number;
  /** True if the token was selected in this view, which then keeps the focus. */
  readonly wasChosen: boolean;
  move(token: number): void;
}

/** Returns the CSS class of a step of a colour scale. */
export function stepClass(step: number): string {
  return step === 0 ? "" : step > 0 ? ` more-${step}` : ` less-${-step}`;
}

/** Returns the token that was clicked, or undefined. */
export function tokenAtEvent(event: MouseEvent): number | undefined {
  const at = event.target instanceof Element ? event.target.closest("[data-token]") : null;
  const token = at?.getAttribute("data-token");
  return token == null ? undefined : Number(token);
}

/** Focuses a token if it is drawn. */
export function focusToken(box: HTMLElement | null, token: number): void {
  box?.querySelector<HTMLElement>(`[data-token="${token}"]`)?.focus({ preventScroll: true });
}
