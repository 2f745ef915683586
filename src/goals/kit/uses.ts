/** What a drawn part makes use of: a value that is drawn first, and whose cells run before. */
import type { DrawContext, Value } from "../parts.ts";

/** A deed, an effect or what a source finds, which needs one value and is undefined without it. */
export const drawThenMake =
  <V extends Value<unknown>, U extends object & { readonly uses?: readonly Value<unknown>[] }>(
    find: (draw: DrawContext) => V | undefined,
    made: (one: V, draw: DrawContext) => U | undefined,
  ) =>
  (draw: DrawContext): U | undefined => {
    const one = find(draw);
    const what = one && made(one, draw);
    return what && { ...what, uses: [one, ...(what.uses ?? [])] };
  };
