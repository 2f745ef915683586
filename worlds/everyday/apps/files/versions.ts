/**
 * Defines the APIs of earlier texts of a file. Going back to an earlier text is a change like any other, so it can be
 * undone in the same way.
 */

import { defineItem, refuseUnless, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { dayOf } from "../shared.ts";
import { replaceText, requireFile } from "./access-and-texts.ts";
import { exampleVersion } from "./examples.ts";
import { anyFile, editableFiles, id } from "./file-items.ts";
import { type Version, versions } from "./tables.ts";

const number = z.int().min(1).describe("number of the version; 1 is the first");
const writtenField = [z.string(), ({ at }: Version) => dayOf(at)] as const;

function requireVersion(db: Reader, file: number, number: number): Version {
  const rows = db.where(versions, { file });
  const found = rows.find((row) => row.number === number);
  const known = rows.length > 0 ? `1 to ${rows.length}` : "a file that was changed before";
  refuseUnless(found, 404, `number: expected ${known}, got ${number}`);
  return found;
}

const versionResource = resource({
  noun: "version",
  item: defineItem(versions, {
    number: z.int(),
    written: writtenField,
    size: [z.int(), ({ text }) => text.length],
    start: [z.string(), ({ text }) => text.slice(0, 30)],
  }),
  keys: { id, number },
  find: ({ id, number }, { db }) => requireVersion(db, requireFile(db, id).id, number),
  example: exampleVersion,
});

export const versionApis = {
  versions: versionResource.list("List the earlier texts of a file, newest first.", {
    parent: [anyFile, "file"],
    order: (rows) => rows.toReversed(),
    example: (db) => ({ id: exampleVersion(db).id }),
  }),
  readVersion: versionResource.show("Read an earlier text of a file.", {
    item: defineItem(versions, { number: z.int(), written: writtenField, text: z.string() }),
  }),
  revert: editableFiles.act(
    "Give a file an earlier text again; the present one becomes a version.",
    {
      params: { number },
      run: (row, { number }, { db, now }) =>
        replaceText(db, row, requireVersion(db, row.id, number).text, now),
      example: exampleVersion,
    },
  ),
};
