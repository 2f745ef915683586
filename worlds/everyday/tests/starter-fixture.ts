/** Opens the starter's seven apps over real tables, without a sandbox or a worker. */
import { type AppSession, appsUnderTest } from "bowline/testing";
import type { Reader, Table, TableRow, Writer } from "bowline/world";
import { apps } from "../apps/index.ts";

const NOW = "2026-03-12T09:00:00Z";
const OWNER = { name: "Robin Vale", email: "robin.vale@example.com", phone: "555-0100" };

const starter = appsUnderTest(apps, { now: NOW, owner: OWNER });

/** Opens the starter's seven apps with the rows that `fill` inserts. */
export function starterFixture(fill: (db: Writer) => unknown): AppSession {
  return starter.open(starter.fill(fill));
}

/** Returns all rows of all tables, so that a test can check that nothing changed. */
export function snapshot(db: Reader): Record<string, readonly TableRow[]> {
  const tables = apps.flatMap((app) => app.tables) as readonly Table[];
  return Object.fromEntries(tables.map((table) => [table.name, db.all(table)]));
}
