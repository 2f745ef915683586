/** Tables that say of every field of an outside format what happens to it. */
export * from "./format-table.ts";
export * from "./schema-by-tag.ts";
