/** Opens apps of the Everyday world, without logins, over tables that are filled with the owner's life. */
import {
  type AppSession,
  type AppsUnderTest,
  appsUnderTest,
  type FilledTables,
} from "bowline/testing";
import { type App, Rng, type Writer } from "bowline/world";
import { fullContacts } from "../apps/contacts/full.ts";
import { type Life, makeLife } from "../life/life.ts";
import { NOW } from "../population/time.ts";
import { OWNER } from "./owner.ts";

export type TraceWriters = readonly ((db: Writer, rng: Rng, life: Life) => void)[];

/** Makes the rows of the owner's life, with its traces in some apps. Several fixtures can use the same rows. */
export function makeLifeBase(
  apps: readonly App[],
  ...traces: TraceWriters
): { readonly base: FilledTables; readonly life: Life } {
  let life: Life | undefined;
  const base = openApps(apps).fill((db) => {
    const rng = new Rng(1);
    life = makeLife(db, rng.child("life"));
    for (const [i, add] of traces.entries()) add(db, rng.child(i), life);
  });
  return { base, life: life! };
}

const openedApps = new WeakMap<readonly App[], AppsUnderTest>();

/** Returns these apps and the full contacts app, without logins. Makes them only once. */
export function openApps(apps: readonly App[]): AppsUnderTest {
  const known = openedApps.get(apps);
  if (known) return known;
  const open = [fullContacts, ...apps].map((app) => ({ ...app, login: false }));
  const made = appsUnderTest(open, { now: NOW, owner: OWNER });
  openedApps.set(apps, made);
  return made;
}

export function appFixture(apps: readonly App[], base: FilledTables): AppSession {
  return openApps(apps).open(base);
}

/**
 * Calls every API of an app with its own example, each in a fresh fixture. Returns the errors, and which APIs have no
 * example.
 */
export function findFailingExamples(app: App, apps: readonly App[], base: FilledTables): string[] {
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
