/** Any apps of the Everyday world over real tables, logged in everywhere, filled by any population. */
import { Rng } from "../../src/core/index.ts";
import { Dispatcher } from "../../src/world/api/index.ts";
import type { App, Writer } from "../../src/world/index.ts";
import { Base, State } from "../../src/world/state/index.ts";
import { contacts } from "../../src/worlds/everyday/apps/contacts/index.ts";
import { type Life, makeLife, OWNER } from "../../src/worlds/everyday/life/life.ts";
import { NOW } from "../../src/worlds/everyday/population/time.ts";
import { type Fixture, fixtureOver } from "./starter-fixture.ts";

/** The owner's life with the traces of some apps, as rows that any number of fixtures share. */
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

export function appFixture(apps: readonly App[], base: Base): Fixture {
  return fixtureOver(dispatcherOf(apps), OWNER, new State(base));
}

/** Calls every API of an app with its own example, each in a fresh fixture; what failed, and what has no example. */
export function failingExamples(app: App, apps: readonly App[], base: Base): string[] {
  return Object.entries(app.apis).flatMap(([name, api]) => {
    if (!api.example) return [`${name}: no example`];
    const fixture = appFixture(apps, base);
    try {
      fixture.call(`${app.name}.${name}`, api.example(fixture.db));
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
}
