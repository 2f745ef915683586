/** The rows of one table in the start state. Columns show whether checks count them; references are links to rows. */
import type { TableView } from "../../../src/spec/studio/index.ts";
import { replaceQuery, type ViewProps } from "../lib/address.ts";
import { pluralize } from "../lib/format.ts";
import { useApi } from "../lib/use-api.ts";
import {
  parseWorldPlace,
  type WorldPlace,
  worldAddress,
  worldApiPath,
  worldApiQuery,
} from "../lib/world-address.ts";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { Pager, parseOffset } from "../parts/pager.tsx";
import { RecordedValue } from "../parts/recorded-value.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { WorldCrumbs } from "../parts/world-crumbs.tsx";
import "../style/worlds.css";

const PAGE_SIZE = 100;
type Column = TableView["columns"][number];

export function WorldTablePage({ address, names }: ViewProps) {
  const place = parseWorldPlace(names["world"]!, address);
  const name = names["table"]!;
  const { find = "" } = address.query;
  const offset = parseOffset(address.query["offset"], 0);
  const table = useApi<TableView>(worldApiPath(place, ["tables", name]), {
    ...worldApiQuery(place),
    offset,
    limit: PAGE_SIZE,
    ...(find && { find }),
  });
  return (
    <>
      <WorldCrumbs place={place} />
      <h1>{name}</h1>
      <p class="note">
        The checks of a task compare columns marked <b>content</b>; they ignore columns marked{" "}
        <b>bookkeeping</b>. To find a row by its id, search for # and the number.
      </p>
      <SearchBox
        label="Find rows"
        value={find}
        onChange={(find) => replaceQuery({ find, offset: undefined })}
        found={table.value ? pluralize(table.value.total, "row") : ""}
      />
      <LoadedContent loaded={table}>
        {(view) => (
          <>
            <TableRows view={view} place={place} name={name} />
            <Pager
              offset={offset}
              shown={view.rows.length}
              total={view.total}
              limit={PAGE_SIZE}
              noun="rows"
            />
          </>
        )}
      </LoadedContent>
    </>
  );
}

function TableRows(props: {
  readonly view: TableView;
  readonly place: WorldPlace;
  readonly name: string;
}) {
  const { view, place, name } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <section class="scroll card" aria-label={`Rows of ${name}`} tabIndex={0}>
      <table class="rows">
        <thead>
          <tr>
            {view.columns.map(({ name, role, refers }) => (
              <th key={name} scope="col">
                {name}
                <small>
                  {role === "id" ? "" : role}
                  {refers !== undefined && ` → ${refers}`}
                </small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.rows.map((row) => (
            <tr key={String(row["id"])}>
              {view.columns.map((column) => (
                <td key={column.name} class={`role-${column.role}`}>
                  <TableCell value={row[column.name]} column={column} place={place} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function TableCell(props: {
  readonly value: unknown;
  readonly column: Column;
  readonly place: WorldPlace;
}) {
  const { value, column, place } = props;
  const { refers } = column;
  if (refers === undefined) return <RecordedValue value={value} />;
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
  return (
    <>
      {ids.map((id, i) =>
        typeof id === "number" ? (
          <a key={id} href={worldAddress(place, ["tables", refers], { find: `#${id}` })}>
            {i > 0 && " "}
            {id}
          </a>
        ) : (
          <RecordedValue key={String(id)} value={id} />
        ),
      )}
    </>
  );
}
