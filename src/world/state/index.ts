/** Tables of an episode: a frozen base under a small overlay. */
export { equalCells, FrozenTables } from "./base.ts";
export { TableCatalog } from "./catalog.ts";
export { makeScratch } from "./scratch.ts";
export { type RowChange, TableState } from "./table-state.ts";
