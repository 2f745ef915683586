/** The texts that a file had before. Going back to one is a change like any other, so it can be gone back on. */

import { itemOf, must, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { dayOf } from "../shared.ts";
import { fileBy, rewrite } from "./access.ts";
import { aVersion } from "./examples.ts";
import { type Version, versions } from "./tables.ts";
import { anyFile, id, texts } from "./views.ts";

const number = z.int().min(1).describe("number of the version; 1 is the first");
const written = [z.string(), ({ at }: Version) => dayOf(at)] as const;

function versionBy(db: Reader, file: number, number: number): Version {
  const rows = db.where(versions, { file });
  const found = rows.find((row) => row.number === number);
  const known = rows.length > 0 ? `1 to ${rows.length}` : "a file that was changed before";
  must(found, 404, `number: expected ${known}, got ${number}`);
  return found;
}

const earlier = resource({
  noun: "version",
  item: itemOf(versions, {
    number: z.int(),
    written,
    size: [z.int(), ({ text }) => text.length],
    start: [z.string(), ({ text }) => text.slice(0, 30)],
  }),
  keys: { id, number },
  find: ({ id, number }, { db }) => versionBy(db, fileBy(db, id).id, number),
  example: aVersion,
});

export const versionApis = {
  versions: earlier.list("List the earlier texts of a file, newest first.", {
    of: [anyFile, "file"],
    order: (rows) => rows.toReversed(),
    example: (db) => ({ id: aVersion(db).id }),
  }),
  readVersion: earlier.show("Read an earlier text of a file.", {
    item: itemOf(versions, { number: z.int(), written, text: z.string() }),
  }),
  revert: texts.act("Give a file an earlier text again; the present one becomes a version.", {
    params: { number },
    run: (row, { number }, { db, now }) =>
      rewrite(db, row, versionBy(db, row.id, number).text, now),
    example: aVersion,
  }),
};
