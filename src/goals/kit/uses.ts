/** What a drawn part makes use of: a value that is drawn first, and whose cells run before. */
import type { Draw, Value } from "../parts.ts";

/** A deed, an effect or what a source finds, which needs one value and is undefined without it. */
export const withOne =
  <V extends Value<unknown>, U extends object & { readonly uses?: readonly Value<unknown>[] }>(
    find: (draw: Draw) => V | undefined,
    made: (one: V, draw: Draw) => U | undefined,
  ) =>
  (draw: Draw): U | undefined => {
    const one = find(draw);
    const what = one && made(one, draw);
    return what && { ...what, uses: [one, ...(what.uses ?? [])] };
  };
