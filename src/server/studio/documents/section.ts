/** What a recognised file becomes: sections of notes and a table of text. */
import type { TextTable } from "../../../report/index.ts";
import type { StudioDocument } from "../../../spec/studio/index.ts";

export type Section = StudioDocument["sections"][number];

export interface RecognisedResult extends Pick<StudioDocument, "kind" | "title"> {
  /** Made when somebody looks. */
  sections(): Section[];
}

/** A table under a title. */
export function makeSection(
  title: string,
  { columns, rows }: TextTable,
  notes: readonly string[] = [],
): Section {
  return {
    title,
    notes: [...notes],
    columns: columns.map((column) => column.title),
    rows: rows.map((row) => [...row]),
  };
}
