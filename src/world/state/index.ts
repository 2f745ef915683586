/** The tables of an episode: frozen base tables under a small overlay of changes. */
export { equalCells, FrozenTables } from "./base.ts";
export { TableCatalog } from "./catalog.ts";
export { makeScratch } from "./scratch.ts";
export { type RowChange, TableState } from "./table-state.ts";
