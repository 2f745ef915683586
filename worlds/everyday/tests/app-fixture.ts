/** Any apps of the Everyday world over real tables, logged in everywhere, filled by any population. */
import {
  type AppSession,
  type AppsUnderTest,
  appsUnderTest,
  type FilledTables,
} from "bowline/testing";
import { type App, Rng, type Writer } from "bowline/world";
import { contacts } from "../apps/contacts/index.ts";
import { type Life, makeLife, OWNER } from "../life/life.ts";
import { NOW } from "../population/time.ts";

export type Traces = readonly ((db: Writer, rng: Rng, life: Life) => void)[];

/** The owner's life with the traces of some apps, as rows that any number of fixtures share. */
export function livedBase(
  apps: readonly App[],
  ...traces: Traces
): { readonly base: FilledTables; readonly life: Life } {
  let life: Life | undefined;
  const base = openApps(apps).fill((db) => {
    const rng = new Rng(1);
    life = makeLife(db, rng.child("life"));
    for (const [i, add] of traces.entries()) add(db, rng.child(i), life);
  });
  return { base, life: life! };
}

const opened = new WeakMap<readonly App[], AppsUnderTest>();

/** These apps and the contacts, without logins. */
export function openApps(apps: readonly App[]): AppsUnderTest {
  const known = opened.get(apps);
  if (known) return known;
  const open = [contacts, ...apps].map((app) => ({ ...app, login: false }));
  const made = appsUnderTest(open, { now: NOW, owner: OWNER });
  opened.set(apps, made);
  return made;
}

export function appFixture(apps: readonly App[], base: FilledTables): AppSession {
  return openApps(apps).open(base);
}

/** Calls every API of an app with its own example, each in a fresh fixture; what failed, and what has no example. */
export function failingExamples(app: App, apps: readonly App[], base: FilledTables): string[] {
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
