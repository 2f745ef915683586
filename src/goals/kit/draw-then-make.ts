/** Parts that first draw a value, whose cells run before their own cells. */
import type { DrawContext, Value } from "../parts.ts";

/**
 * Draws a value, then makes a deed, an effect or a found value that uses it. Returns undefined when either step fails.
 */
export const drawThenMake =
  <V extends Value<unknown>, U extends object & { readonly uses?: readonly Value<unknown>[] }>(
    find: (draw: DrawContext) => V | undefined,
    make: (one: V, draw: DrawContext) => U | undefined,
  ) =>
  (draw: DrawContext): U | undefined => {
    const one = find(draw);
    const what = one && make(one, draw);
    return what && { ...what, uses: [one, ...(what.uses ?? [])] };
  };
