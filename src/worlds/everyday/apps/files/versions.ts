/** The texts that a file had before. Going back to one is a change like any other, so it can be gone back on. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { dayOf, paged, pageOf, paging } from "../shared.ts";
import { editable, fileBy, rewrite } from "./access.ts";
import { aVersion } from "./examples.ts";
import { type Version, versions } from "./tables.ts";
import { fileItem, fileView, id } from "./views.ts";

const number = z.int().min(1).describe("number of the version; 1 is the first");

function versionBy(db: Reader, file: number, number: number): Version {
  const rows = db.where(versions, { file });
  const found = rows.find((row) => row.number === number);
  if (found) return found;
  const known = rows.length > 0 ? `1 to ${rows.length}` : "a file that was changed before";
  throw new ApiError(404, `number: expected ${known}, got ${number}`);
}

const list = defineApi({
  summary: "List the earlier texts of a file, newest first.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(
    z.strictObject({ number: z.int(), written: z.string(), size: z.int(), start: z.string() }),
  ),
  example: (db) => ({ id: aVersion(db).id }),
  handler: ({ db }, { id, ...page }) => {
    const rows = db.where(versions, { file: fileBy(db, id).id });
    return paged(rows.toReversed(), page, ({ number, at, text }) => ({
      number,
      written: dayOf(at),
      size: text.length,
      start: text.slice(0, 30),
    }));
  },
});

const readVersion = defineApi({
  summary: "Read an earlier text of a file.",
  params: z.strictObject({ id, number }),
  returns: z.strictObject({ number: z.int(), written: z.string(), text: z.string() }),
  example: (db) => aVersion(db),
  handler: ({ db }, args) => {
    const { number, at, text } = versionBy(db, fileBy(db, args.id).id, args.number);
    return { number, written: dayOf(at), text };
  },
});

const revert = defineApi({
  summary: "Give a file an earlier text again; the present one becomes a version.",
  params: z.strictObject({ id, number }),
  returns: fileItem,
  example: (db) => aVersion(db),
  handler: ({ db, now }, { id, number }) => {
    const row = editable(db, id);
    return fileView(db)(rewrite(db, row, versionBy(db, id, number).text, now));
  },
});

export const versionApis = { versions: list, readVersion, revert };
