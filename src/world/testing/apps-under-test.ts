/**
 * Runs apps over real tables without a sandbox or a worker, for tests of a world's APIs and of the parts of its goals.
 *
 *   const shop = appsUnderTest([catalogue, orders], { now, owner });
 *   const rows = shop.fill((db) => db.insert(products, { name: "lamp", cents: 1999 }));
 *   expect(shop.open(rows).call("catalogue.list")).toMatchObject({ items: [{ name: "lamp" }] });
 */
import { ApiDispatcher } from "../api/index.ts";
import type { App, Profile, Scratch, Writer } from "../index.ts";
import { FrozenTables, makeScratch, TableState } from "../state/index.ts";

/** Tables with rows that can no longer change. */
export type FilledTables = FrozenTables;

/** Apps that a test calls on its own tables. */
export interface AppsUnderTest {
  /** Returns tables with the rows that `add` inserts. Any number of sessions may share these tables. */
  fill(add: (db: Writer) => unknown): FilledTables;
  /** Opens a session on its own copy of `tables`, or on empty tables. */
  open(tables?: FilledTables): AppSession;
  /** Returns a copy of `tables` in which a goal can be drawn, for `startAttempt` and `composeScenario`. */
  scratch(tables: FilledTables): Scratch;
}

/** The fields of what an API returned. */
export type Item = Readonly<Record<string, unknown>>;

/** A session that calls APIs by `app.api`, such as `orders.list`, and changes only its own tables. */
export interface AppSession {
  readonly db: Writer;
  /** Returns the value of a successful call. Throws the message of a failed call. */
  call(path: string, args?: object): unknown;
  /** Calls an API that returns an object, and returns its fields. */
  item(path: string, args?: object): Item;
  /** Returns the items of all pages of a list, in order. */
  all(path: string, args?: object): Item[];
  /** Returns the status and message of a call that fails. Throws when the call succeeds. */
  refusal(path: string, args?: object): { readonly status: number; readonly message: string };
}

/** Opens apps for a test. An app with `login: true` refuses calls until its login API is called. */
export function appsUnderTest(
  apps: readonly App[],
  { now, owner }: { readonly now: string; readonly owner: Profile },
): AppsUnderTest {
  const dispatcher = new ApiDispatcher(apps, now);
  const empty = FrozenTables.empty(dispatcher.catalog.tables);
  return {
    fill(add) {
      const state = new TableState(empty);
      add(state);
      return state.toFrozenTables();
    },
    open: (tables = empty) => openSession(dispatcher, owner, new TableState(tables)),
    scratch: (tables) => makeScratch(new TableState(tables)),
  };
}

function openSession(dispatcher: ApiDispatcher, owner: Profile, state: TableState): AppSession {
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
