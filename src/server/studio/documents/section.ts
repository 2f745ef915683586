/** The form of a recognised file: sections, each with notes and a table of text. */
import type { TextTable } from "../../../report/index.ts";
import type { StudioDocument } from "../../../spec/studio/index.ts";

export type Section = StudioDocument["sections"][number];

export interface RecognisedResult extends Pick<StudioDocument, "kind" | "title"> {
  /** Builds the sections. It is called only when the document is opened. */
  sections(): Section[];
}

/** Makes a section of a table under a title. */
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
