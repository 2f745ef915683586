/** A desk over any apps of the Everyday world, logged in everywhere, filled by any population. */
import { Rng } from "../../src/core/index.ts";
import { Dispatcher } from "../../src/world/api/index.ts";
import type { App, Writer } from "../../src/world/index.ts";
import { Base, State } from "../../src/world/state/index.ts";
import { contacts } from "../../src/worlds/everyday/apps/contacts/index.ts";
import { type Life, makeLife, OWNER } from "../../src/worlds/everyday/life/life.ts";
import { NOW } from "../../src/worlds/everyday/population/time.ts";
import type { Desk, Item } from "./everyday-desk.ts";

/** The owner's life with the traces of some apps, as rows that any number of desks share. */
export function livedBase(
  apps: readonly App[],
  ...traces: readonly ((db: Writer, rng: Rng, life: Life) => void)[]
): { readonly base: Base; readonly life: Life } {
  const state = new State(Base.empty(dispatcherOf(apps).catalog.tables));
  const rng = new Rng(1);
  const life = makeLife(state, rng.child("life"));
  for (const [i, add] of traces.entries()) add(state, rng.child(i), life);
  return { base: state.freeze(), life };
}

const dispatchers = new WeakMap<readonly App[], Dispatcher>();

function dispatcherOf(apps: readonly App[]): Dispatcher {
  const known = dispatchers.get(apps);
  if (known) return known;
  const open = [contacts, ...apps].map((app) => ({ ...app, login: false }));
  const dispatcher = new Dispatcher(open, NOW);
  dispatchers.set(apps, dispatcher);
  return dispatcher;
}

export function deskOf(apps: readonly App[], base: Base): Desk {
  const dispatcher = dispatcherOf(apps);
  const state = new State(base);
  const session = { state, calls: 0 };
  const send = (path: string, args: object) => {
    const [app = "", api = ""] = path.split(".");
    return dispatcher.call(session, OWNER, app, api, args);
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

/** Calls every API of an app with its own example, each in a fresh desk; what failed, and what has no example. */
export function failingExamples(app: App, apps: readonly App[], base: Base): string[] {
  return Object.entries(app.apis).flatMap(([name, api]) => {
    if (!api.example) return [`${name}: no example`];
    const desk = deskOf(apps, base);
    try {
      desk.call(`${app.name}.${name}`, api.example(desk.db));
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
}
