/**
 * Apps over real tables, called without a sandbox or a worker: for tests of a world's APIs, and of the parts of its goals.
 *
 *   const shop = appsUnderTest([catalogue, orders], { now, owner });
 *   const rows = shop.fill((db) => db.insert(products, { name: "lamp", cents: 1999 }));
 *   expect(shop.open(rows).call("catalogue.list")).toMatchObject({ items: [{ name: "lamp" }] });
 */
import { Dispatcher } from "../api/index.ts";
import type { App, Profile, Scratch, Writer } from "../index.ts";
import { Base, State, scratchOf } from "../state/index.ts";

/** Filled tables that nothing changes any more. */
export type FilledTables = Base;

/** Apps that tests call over tables of their own. */
export interface AppsUnderTest {
  /** Tables with the rows that `add` inserts; any number of sessions share them. */
  fill(add: (db: Writer) => unknown): FilledTables;
  /** A session of its own over `tables`, or over empty ones. */
  open(tables?: FilledTables): AppSession;
  /** A copy of `tables` to draw a goal in, as `newAttempt` and `composeScenario` ask for. */
  scratch(tables: FilledTables): Scratch;
}

/** What an API returned, field by field. */
export type Item = Readonly<Record<string, unknown>>;

/** Calls go to `app.api`, such as `orders.list`, and change only this session's tables. */
export interface AppSession {
  readonly db: Writer;
  /** The value of a successful call; throws the message of a failed one. */
  call(path: string, args?: object): unknown;
  /** The same for an API that returns an object. */
  item(path: string, args?: object): Item;
  /** All pages of a list, one after the other. */
  all(path: string, args?: object): Item[];
  /** The status and message of a call that fails; throws when the call succeeds. */
  refusal(path: string, args?: object): { readonly status: number; readonly message: string };
}

/** The apps as they are given: an app with `login: true` refuses calls until its login API was called. */
export function appsUnderTest(
  apps: readonly App[],
  { now, owner }: { readonly now: string; readonly owner: Profile },
): AppsUnderTest {
  const dispatcher = new Dispatcher(apps, now);
  const empty = Base.empty(dispatcher.catalog.tables);
  return {
    fill(add) {
      const state = new State(empty);
      add(state);
      return state.freeze();
    },
    open: (tables = empty) => openSession(dispatcher, owner, new State(tables)),
    scratch: (tables) => scratchOf(new State(tables)),
  };
}

function openSession(dispatcher: Dispatcher, owner: Profile, state: State): AppSession {
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
