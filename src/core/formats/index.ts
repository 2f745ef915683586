export * from "./format-table.ts";
export * from "./schema-by-tag.ts";
