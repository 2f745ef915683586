/** The page about outside formats: what happens to each field of files and requests that other programs write. */
import { describeFormat, type FieldDescription, type FormatTable } from "../../src/core/index.ts";
import {
  type FormatSection,
  formatSections,
  requestSections,
  tokenizerSections,
} from "./format-tables.ts";
import { escapeText, inlineCode, markdownTable } from "./markdown.ts";

export function renderFormatsPage(): string {
  return renderPage(
    "Formats of other programs",
    "Bowline reads files that other programs write. For each of their fields one of four things holds.",
    formatSections,
  );
}

export function renderRequestsPage(): string {
  return renderPage(
    "Fields of requests",
    "Bowline's servers answer requests of other programs. For each field of a request one of four things holds. " +
      "Answers of the gateway name the fields that are named in the header `x-bowline-ignored`.",
    requestSections,
  );
}

export function renderTokenizersPage(): string {
  return renderPage(
    "Formats of tokenizers",
    "Bowline runs the tokenizers of published models. For each field of their files one of four things holds.",
    tokenizerSections,
  );
}

function renderPage(title: string, opening: string, sections: readonly FormatSection[]): string {
  const texts = sections.map((section) =>
    [`## ${section.title}`, ...section.tables.map(renderTable)].join("\n\n"),
  );
  return `# ${title}

${opening}

* **computed**: Bowline does what the field says.
* **harmless**: the field changes nothing that Bowline computes, at least with the values that the table names. It is
  refused with all others.
* **refused**: the field asks for something that Bowline does not compute. A file or request with it gives an error that
  names the field.
* **named**: the field is not obeyed, and Bowline says so.

A field that is null is absent. This page is generated from the tables through which Bowline reads.

${texts.join("\n\n")}
`;
}

function renderTable(table: FormatTable): string {
  const rows = groupRows(describeFormat(table)).map(({ fields, treatment, note }) => [
    fields.join(", "),
    treatment,
    note,
  ]);
  return [
    `### ${escapeText(table.name)}`,
    markdownTable(["field", "treatment", "note"], rows),
  ].join("\n\n");
}

interface RowGroup {
  readonly fields: string[];
  readonly treatment: string;
  readonly note: string;
}

/** Puts fields with the same treatment and the same note into one row, at the place of the first of them. */
function groupRows(descriptions: readonly FieldDescription[]): RowGroup[] {
  const groups = new Map<string, RowGroup>();
  for (const { field, treatment, note } of descriptions) {
    const key = JSON.stringify([treatment, note]);
    const group = groups.get(key) ?? {
      fields: [],
      treatment: escapeText(treatment),
      note: escapeText(note),
    };
    group.fields.push(field === "any other field" ? field : inlineCode(field));
    groups.set(key, group);
  }
  return [...groups.values()];
}
