/** Results that `eval --json`, `compare` and `doctor --json` wrote under the studio's folder. */
import type { DocumentList, StudioDocument } from "../../../src/spec/studio/index.ts";
import { buildAddress, type ViewProps } from "../lib/address.ts";
import { escapeInvisible } from "../lib/invisible-characters.ts";
import { useApi } from "../lib/use-api.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { LoadedContent } from "../parts/loaded-content.tsx";
import "../style/documents.css";

const KINDS = { eval: "Evaluation", compare: "Comparison", doctor: "Diagnosis" } as const;

export function DocumentsPage() {
  const loaded = useApi<DocumentList>(["documents"]);
  return (
    <div class="documents">
      <h1>Results</h1>
      <LoadedContent loaded={loaded}>
        {({ documents }) =>
          documents.length === 0 ? <NoResults /> : <ResultList documents={documents} />
        }
      </LoadedContent>
    </div>
  );
}

function NoResults() {
  return (
    <div class="note">
      <p>
        There are no results in the studio's folder. The results of these commands appear here if
        they are written into it:
      </p>
      <pre>
        {[
          "npx bowline eval RUN --json > runs/eval.json",
          "npx bowline compare --methods loop,rloo --out runs/compare",
          "npx bowline doctor --json > runs/doctor.json",
        ].join("\n")}
      </pre>
    </div>
  );
}

function ResultList({ documents }: DocumentList) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Result</th>
            <th scope="col">Kind</th>
            <th scope="col">File</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {documents.map(({ id, title, kind, changedMs }) => (
            <tr key={id}>
              <th scope="row">
                <a href={buildAddress(["documents", id])}>{escapeInvisible(title)}</a>
              </th>
              <td>{KINDS[kind]}</td>
              <td>
                <code>{escapeInvisible(id)}</code>
              </td>
              <td>{new Date(changedMs).toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function DocumentPage({ names }: ViewProps) {
  const loaded = useApi<StudioDocument>(["documents", names["document"]!]);
  return (
    <div class="documents">
      <Crumbs crumbs={[{ name: "Results", href: buildAddress(["documents"]) }]} />
      <LoadedContent loaded={loaded} heading="Result">
        {({ title, kind, id, changedMs, sections }) => (
          <>
            <h1>{escapeInvisible(title)}</h1>
            <p class="note">
              {KINDS[kind]} in <code>{escapeInvisible(id)}</code>, changed{" "}
              {new Date(changedMs).toLocaleString()}.
            </p>
            {sections.map((section) => (
              <ResultSection key={section.title} section={section} />
            ))}
          </>
        )}
      </LoadedContent>
    </div>
  );
}

export function ResultSection({
  section,
}: {
  readonly section: StudioDocument["sections"][number];
}) {
  const { title, notes, columns, rows } = section;
  return (
    <section>
      <h2>{escapeInvisible(title)}</h2>
      {notes.map((note) => (
        <p key={note} class="note">
          {escapeInvisible(note)}
        </p>
      ))}
      {rows.length > 0 && <SectionTable title={title} columns={columns} rows={rows} />}
    </section>
  );
}

interface RowsProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function SectionTable({ title, columns, rows }: RowsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label={escapeInvisible(title)}>
      <table>
        {columns.some((column) => column !== "") && (
          <thead>
            <tr>
              {columns.map((column, i) => (
                <Cell key={i} scope="col" text={column} isNumber={isNumeric(rows, i)} />
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, r) => (
            <tr key={r}>
              {row.map((cell, i) => (
                <Cell
                  key={i}
                  scope={i === 0 ? "row" : undefined}
                  text={cell}
                  isNumber={i > 0 && isNumeric(rows, i)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/**
 * Returns true if a column is aligned to the right: every cell begins with a digit or a sign, or is empty or a dash.
 */
function isNumeric(rows: RowsProps["rows"], column: number): boolean {
  return column > 0 && rows.every((row) => /^([-+−±]?\d|–?$)/.test(row[column] ?? ""));
}

/** A cell of a table. An empty cell describes no row or column, so it is not a header, even if its neighbours are. */
function Cell({
  scope,
  text,
  isNumber,
}: {
  readonly scope: "row" | "col" | undefined;
  readonly text: string;
  readonly isNumber: boolean;
}) {
  const name = isNumber ? "number" : undefined;
  if (scope === undefined || text === "") return <td class={name}>{escapeInvisible(text)}</td>;
  return (
    <th scope={scope} class={name}>
      {escapeInvisible(text)}
    </th>
  );
}
