/** Tests the relations of all apps: their code finds through APIs the same things that they mean on tables. */
import type { TableRow } from "bowline/world";
import { Rng } from "bowline/world";
import { expect, test } from "vitest";
import { fileShares } from "../apps/files/tables.ts";
import { people } from "../apps/tables.ts";
import { openEveryday } from "../tests/full-fixture.ts";
import { runCells, sortKeys } from "../tests/run-cells.ts";
import { allParts } from "./index.ts";

const session = openEveryday();
const { db } = session;
const collections = allParts.flatMap((parts) => parts.collections ?? []);
const relations = allParts.flatMap((parts) => parts.relations ?? []);

/** Returns what the code of goals calls a thing: the handle of a person, and a name or an id of everything else. */
function keyOf(kind: string, id: number): unknown {
  if (kind === "people") return db.get(people, id)!.handle;
  const collection = collections.find((one) => one.kind === kind);
  if (!collection) return id;
  const row: TableRow & { readonly [column: string]: unknown } = db.get(collection.table, id)!;
  return row[collection.key] ?? id;
}

function idsOfKind(kind: string): readonly number[] {
  if (kind === "people") return db.all(people).map(({ id }) => id);
  const { table, includes } = collections.find((one) => one.kind === kind)!;
  return db.all(table).flatMap((row) => (includes(row, db) ? [row.id] : []));
}

// No receipt of this life is shared, and without a share its relation would find nothing.
const [receipt] = idsOfKind("receipts");
db.insert(fileShares, { file: receipt!, person: 1, role: "viewer", status: "active" });

test.each(relations.map((one) => [`${one.app}.${one.name}`, one] as const))(
  "the relation %s leads in code to the same things as on tables",
  (name, { from, to, map, cells }) => {
    // A goal never asks for the senders of mails that companies or strangers wrote.
    const isAsked = (id: number) => !name.includes("senders-of-") || map(db, [id]).length > 0;
    const ids = idsOfKind(from).filter(isAsked);
    let found = 0;
    for (const [seed, size] of [3, 5, 400].entries()) {
      const some = new Rng(seed).sample(ids, Math.min(size, ids.length));
      const meant = map(db, some).map((id) => keyOf(to, id));
      const given = some.map((id) => keyOf(from, id));
      expect(sortKeys(runCells(session, cells("given", "out"), "out", { given }))).toEqual(
        sortKeys(meant),
      );
      found += meant.length;
    }
    expect(found).toBeGreaterThan(0);
  },
);
