/**
 * What the owner may not see comes out of no API: not in values and not in messages, whatever is called.
 *
 * A secret word is written into rows of others. Where the owner is let in, calls do find it, so the test can fail; once
 * the access is gone, the same calls never do.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { WorldInstance } from "../../src/world/episode/index.ts";
import type { Writer } from "../../src/world/index.ts";
import { otherCalendars, otherEvents } from "../../worlds/everyday/apps/calendar/tables.ts";
import { files, versions } from "../../worlds/everyday/apps/files/tables.ts";
import { albumPhotos, photoRows } from "../../worlds/everyday/apps/photos/tables.ts";
import everyday from "../../worlds/everyday/everyday.ts";
import {
  type ApiArguments,
  ArgumentGenerator,
  CallMemory,
} from "../support/arbitrary-arguments.ts";

const SEED = 20260312;
const RUNS = 1000;
const SECRET = "zqsecret";

const world = new WorldInstance(everyday, 1, { logins: false });
const columns = new ArgumentGenerator(everyday.apps, world.copyPopulation());

/** Of one app: where the secret stands, and how the owner's access ends. */
interface Veil {
  readonly app: string;
  readonly write: (db: Writer) => void;
  readonly hide: (db: Writer) => void;
}

const calendar: Veil = {
  app: "calendar",
  write: (db) => {
    for (const { id } of db.all(otherEvents)) db.update(otherEvents, id, { title: SECRET });
  },
  hide: (db) => {
    for (const { id } of db.all(otherCalendars)) db.remove(otherCalendars, id);
  },
};

const othersFiles = (db: Writer) => db.all(files).filter(({ owner }) => owner !== null);
const shared: Veil = {
  app: "files",
  write: (db) => {
    for (const { id } of othersFiles(db)) {
      db.update(files, id, { text: SECRET, state: "live" });
      for (const version of db.where(versions, { file: id })) {
        db.update(versions, version.id, { text: SECRET });
      }
    }
  },
  hide: (db) => {
    for (const { id } of othersFiles(db)) db.update(files, id, { state: "left" });
  },
};

const othersPhotos = (db: Writer) => db.all(photoRows).filter(({ person }) => person !== null);
const photos: Veil = {
  app: "photos",
  write: (db) => {
    for (const { id } of othersPhotos(db)) db.update(photoRows, id, { caption: SECRET });
  },
  hide: (db) => {
    for (const { id } of othersPhotos(db)) {
      for (const place of db.where(albumPhotos, { photo: id })) {
        db.update(albumPhotos, place.id, { removed: true });
      }
    }
  },
};

function callsOf(app: string): fc.Arbitrary<{ readonly api: string; readonly args: ApiArguments }> {
  const { apis } = everyday.apps.find(({ name }) => name === app)!;
  const one = Object.entries(apis).map(([api, definition]) =>
    columns.argumentsOf(app, definition).map((args) => ({ api, args })),
  );
  return fc.oneof(...one);
}

/** Calls, one after the other, whose answer shows the secret. */
function leaks({ app, write, hide }: Veil, hidden: boolean): string[] {
  const start = world.copyPopulation();
  start.transaction((db) => {
    write(db);
    if (hidden) hide(db);
  });
  const found: string[] = [];
  const sequences = fc.sample(fc.array(callsOf(app), { minLength: 4, maxLength: 8 }), {
    seed: SEED,
    numRuns: RUNS,
  });
  for (const sequence of sequences) {
    const session = { state: start.clone(), calls: 0 };
    const memory = new CallMemory();
    for (const drawn of sequence) {
      const args = memory.replaceRecentValues(drawn.args);
      const result = world.dispatcher.call(session, world.owner, app, drawn.api, args);
      if (JSON.stringify(result).includes(SECRET)) {
        found.push(`apis.${app}.${drawn.api}(${JSON.stringify(args)})`);
      }
      memory.remember(args);
      if ("value" in result) memory.remember(result.value);
    }
  }
  return found;
}

test.each([calendar, shared, photos])("$app shows nothing of others without access", (veil) => {
  expect(leaks(veil, false).length).toBeGreaterThan(10);
  expect(leaks(veil, true)).toEqual([]);
});
