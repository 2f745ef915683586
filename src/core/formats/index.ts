export * from "./format-table.ts";
