/**
 * Inspects one app as agents see it, and one table as only the world itself sees it.
 *
 * The `docs` app describes the app, so a person sees the same as an agent under the world's dials.
 */
import { BowlineError, didYouMean } from "../../core/index.ts";
import type { EpisodeSession } from "../api/index.ts";
import type { Cell, TableRow } from "../define.ts";
import type { WorldInstance } from "../episode/index.ts";
import type { TableState } from "../state/index.ts";

/** An app with the documentation of its APIs. */
export interface AppDetails {
  readonly name: string;
  readonly summary: string;
  readonly apis: readonly {
    readonly name: string;
    readonly summary: string;
    readonly parameters: readonly {
      readonly name: string;
      readonly type: string;
      readonly required: boolean;
      readonly description: string;
    }[];
    /** The text that `print(apis.docs.showApi(...))` prints. */
    readonly text: string;
  }[];
}

/**
 * Selects rows that contain `find` in some cell (case is ignored) or, for `#12`, the row with this id. `limit` and
 * `offset` select a page.
 */
export interface TablePageRequest {
  readonly offset: number;
  readonly limit: number;
  readonly find: string;
}

/** One page of a table's rows, with the table's columns. */
export interface TableRows {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly role: "id" | "content" | "bookkeeping" | "ignored";
    /** The name of the table to which the column refers. */
    readonly refers?: string;
  }[];
  /** The number of matching rows on all pages. */
  readonly total: number;
  readonly rows: readonly TableRow[];
}

type DocsEntry = { readonly name: string; readonly summary: string };
type ApiDocument = {
  readonly summary: string;
  readonly params: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly description?: string;
  }[];
};

/**
 * Returns functions that call `docs` outside of any episode. These calls change nothing, and no outage affects them.
 */
function makeDocsClient(world: WorldInstance) {
  const session: EpisodeSession = { state: world.copyPopulation(), calls: 0 };
  const askDocs = (api: string, args: object): unknown => {
    const result = world.dispatcher.call(session, world.owner, "docs", api, args);
    if ("value" in result) return result.value;
    throw new BowlineError("world", `docs.${api}: ${result.message}`);
  };
  const listAll = (api: string, args: object): DocsEntry[] => {
    const items: DocsEntry[] = [];
    for (let page = 1, more = true; more; page++) {
      const answer = askDocs(api, { ...args, page }) as { items: DocsEntry[]; more: boolean };
      items.push(...answer.items);
      more = answer.more;
    }
    return items;
  };
  return { ask: askDocs, list: listAll };
}

/** Lists the apps as agents find them, including `docs` and `me`. */
export function listApps(world: WorldInstance): readonly DocsEntry[] {
  return makeDocsClient(world).list("listApps", {});
}

/** Returns an app's documentation. Throws a `world` error when there is no such app. */
export function describeApp(world: WorldInstance, name: string): AppDetails {
  const { ask, list } = makeDocsClient(world);
  const apps = list("listApps", {});
  const app = apps.find((entry) => entry.name === name);
  if (!app) throw unknownNameError("app", name, apps);
  const apis = list("listApis", { app: name }).map((entry) => {
    const doc = ask("showApi", { app: name, api: entry.name }) as ApiDocument;
    const parameters = doc.params.map(({ description = "", name, type, required }) => ({
      name,
      type,
      required,
      description,
    }));
    return { ...entry, parameters, text: JSON.stringify(doc) };
  });
  return { ...app, apis };
}

/** Returns a page of a table's rows in a state. Throws a `world` error when there is no such table. */
export function readTablePage(
  world: WorldInstance,
  state: TableState,
  name: string,
  { offset, limit, find }: TablePageRequest,
): TableRows {
  const { catalog } = world.dispatcher;
  const table = catalog.tables.find((candidate) => candidate.name === name);
  if (!table) throw unknownNameError("table", name, catalog.tables);
  const rows = state.all(table);
  const meant = find === "" ? rows : rows.filter(makeRowFilter(find));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((column): TableRows["columns"][number] => {
    const refers = table.references[column];
    const role = column === "id" ? "id" : ROLES[catalog.columnClass(name, column)];
    return { name: column, role, ...(refers && { refers }) };
  });
  return { name, columns, total: meant.length, rows: meant.slice(offset, offset + limit) };
}

function makeRowFilter(find: string): (row: TableRow) => boolean {
  const id = /^#(\d+)$/.exec(find)?.[1];
  if (id !== undefined) return (row) => row.id === Number(id);
  const wanted = find.toLowerCase();
  const cellMatches = (cell: Cell) => String(cell).toLowerCase().includes(wanted);
  return (row) => Object.values(row).some(cellMatches);
}

const ROLES = {
  content: "content",
  bookkeeping: "bookkeeping",
  derived: "ignored",
  session: "ignored",
} as const;

function unknownNameError(what: string, name: string, known: readonly { readonly name: string }[]) {
  const names = known.map((entry) => entry.name);
  return new BowlineError(
    "world",
    `there is no ${what} ${JSON.stringify(name)}${didYouMean(name, names)}; there are ${names.join(", ")}`,
  );
}
