/**
 * Checks that no API shows what the owner may not see, neither in its results nor in error messages.
 *
 * A secret word is written into rows of other people. Random calls find it while the owner has access to the rows, and
 * the same calls never find it without access.
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
const generator = new ArgumentGenerator(everyday.apps, world.copyPopulation());

/** Says how a secret is written into an app's rows of other people, and how the owner loses access to these rows. */
interface SharedRows {
  readonly app: string;
  readonly writeSecret: (db: Writer) => void;
  readonly removeAccess: (db: Writer) => void;
}

const calendar: SharedRows = {
  app: "calendar",
  writeSecret: (db) => {
    for (const { id } of db.all(otherEvents)) db.update(otherEvents, id, { title: SECRET });
  },
  removeAccess: (db) => {
    for (const { id } of db.all(otherCalendars)) db.remove(otherCalendars, id);
  },
};

const othersFiles = (db: Writer) => db.all(files).filter(({ owner }) => owner !== null);
const sharedFiles: SharedRows = {
  app: "files",
  writeSecret: (db) => {
    for (const { id } of othersFiles(db)) {
      db.update(files, id, { text: SECRET, state: "live" });
      for (const version of db.where(versions, { file: id })) {
        db.update(versions, version.id, { text: SECRET });
      }
    }
  },
  removeAccess: (db) => {
    for (const { id } of othersFiles(db)) db.update(files, id, { state: "left" });
  },
};

const othersPhotos = (db: Writer) => db.all(photoRows).filter(({ person }) => person !== null);
const photos: SharedRows = {
  app: "photos",
  writeSecret: (db) => {
    for (const { id } of othersPhotos(db)) db.update(photoRows, id, { caption: SECRET });
  },
  removeAccess: (db) => {
    for (const { id } of othersPhotos(db)) {
      for (const place of db.where(albumPhotos, { photo: id })) {
        db.update(albumPhotos, place.id, { removed: true });
      }
    }
  },
};

function callsOfApp(
  app: string,
): fc.Arbitrary<{ readonly api: string; readonly args: ApiArguments }> {
  const { apis } = everyday.apps.find(({ name }) => name === app)!;
  const callsByApi = Object.entries(apis).map(([api, definition]) =>
    generator.argumentsOf(app, definition).map((args) => ({ api, args })),
  );
  return fc.oneof(...callsByApi);
}

/** Makes random calls and lists those whose answer has the secret. */
function findLeaks(
  { app, writeSecret, removeAccess }: SharedRows,
  { hasAccess }: { readonly hasAccess: boolean },
): string[] {
  const start = world.copyPopulation();
  start.transaction((db) => {
    writeSecret(db);
    if (!hasAccess) removeAccess(db);
  });
  const found: string[] = [];
  const sequences = fc.sample(fc.array(callsOfApp(app), { minLength: 4, maxLength: 8 }), {
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

test.each([calendar, sharedFiles, photos])(
  "the app $app shows the owner nothing of other people's rows without access to them",
  (rows) => {
    expect(findLeaks(rows, { hasAccess: true }).length).toBeGreaterThan(10);
    expect(findLeaks(rows, { hasAccess: false })).toEqual([]);
  },
);
