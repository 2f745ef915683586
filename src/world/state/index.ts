/** Tables of an episode: a frozen base under a small overlay. */
export { Base, sameCell } from "./base.ts";
export { Catalog } from "./catalog.ts";
export { scratchOf } from "./scratch.ts";
export { type RowChange, State } from "./state.ts";
