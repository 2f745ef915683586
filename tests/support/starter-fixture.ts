/** Apps over real tables, without sandbox or worker, for tests of apps and goals; here those of the starter world. */
import { Dispatcher } from "../../src/world/api/index.ts";
import type { Profile, Reader, Table, TableRow, Writer } from "../../src/world/index.ts";
import { Base, State } from "../../src/world/state/index.ts";
import { apps } from "../../src/worlds/everyday/apps/index.ts";

const NOW = "2026-03-12T09:00:00Z";
const OWNER = { name: "Robin Vale", email: "robin.vale@example.com", phone: "555-0100" };

const dispatcher = new Dispatcher(apps, NOW);

export type Item = Readonly<Record<string, unknown>>;

export interface Fixture {
  readonly db: Writer;
  /** The value of a successful call; throws the message of a failed one. */
  call(path: string, args?: object): unknown;
  /** The same for an API that returns an object. */
  item(path: string, args?: object): Item;
  /** All pages of a list, one after the other. */
  all(path: string, args?: object): Item[];
  /** The status and message of a call that fails; throws when it succeeds. */
  refusal(path: string, args?: object): { readonly status: number; readonly message: string };
}

/** The starter's seven apps, filled as told. */
export function starterFixture(fill: (db: Writer) => unknown): Fixture {
  const state = new State(Base.empty(dispatcher.catalog.tables));
  fill(state);
  return fixtureOver(dispatcher, OWNER, state);
}

/** Calls go to `dispatcher` in one session over `state`. */
export function fixtureOver(dispatcher: Dispatcher, owner: Profile, state: State): Fixture {
  const session = { state, calls: 0 };
  const send = (path: string, args: object) => {
    const [app = "", api = ""] = path.split(".");
    return dispatcher.call(session, owner, app, api, args);
  };
  const call = (path: string, args: object = {}) => {
    const result = send(path, args);
    if ("value" in result) return result.value;
    throw new Error(`${path}: ${result.status} ${result.message}`);
  };
  return {
    db: state,
    call,
    item: (path, args) => call(path, args) as Item,
    all: (path, args) => {
      const items: Item[] = [];
      for (let page = 1, more = true; more; page++) {
        const answer = call(path, { ...args, page }) as { items: Item[]; more: boolean };
        items.push(...answer.items);
        more = answer.more;
      }
      return items;
    },
    refusal: (path, args = {}) => {
      const result = send(path, args);
      if ("message" in result) return result;
      throw new Error(`${path} was expected to fail, but returned ${JSON.stringify(result.value)}`);
    },
  };
}

/** All rows of all tables, to see that nothing changed. */
export function snapshot(db: Reader): Record<string, readonly TableRow[]> {
  const tables = apps.flatMap((app) => app.tables) as readonly Table[];
  return Object.fromEntries(tables.map((table) => [table.name, db.all(table)]));
}
