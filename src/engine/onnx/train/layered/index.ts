/** Training in bounded memory, one layer at a time. */
export * from "./activation-bytes.ts";
export type { LayeredCotangents } from "./head.ts";
export * from "./layered-pass.ts";
export { addInto } from "./row-loops.ts";
