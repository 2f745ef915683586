/** Bundles (`.zip`): several files kept together as they are now. Their own text lists names and sizes. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { idOf, paged, pageOf, paging, same } from "../shared.ts";
import { claim, fileBy, kindOf } from "./access.ts";
import { aFile, aFolder } from "./examples.ts";
import { folderBy, freeIn, joined, splitPath } from "./paths.ts";
import { bundled, files, type StoredFile } from "./tables.ts";
import { fileItem, fileView, folderParam, pathParam } from "./views.ts";
import { FRESH } from "./writing.ts";

const id = idOf("bundle");

function bundleBy(db: Reader, id: number): StoredFile {
  const row = fileBy(db, id);
  if (kindOf(row.name) === "bundle") return row;
  throw new ApiError(422, `id: expected a bundle (.zip), got "${row.name}"`);
}

const bundle = defineApi({
  summary: "Put copies of files together into a new bundle.",
  params: z.strictObject({
    path: pathParam.describe('folder and name of the bundle, such as "/trips/all.zip"'),
    ids: z.array(z.int().min(1)).min(1).max(20).describe("ids of the files"),
  }),
  returns: fileItem,
  example: (db) => ({ path: "/some files.zip", ids: [aFile(db)] }),
  handler: ({ db, now }, { path, ids }) => {
    const { folder, name } = splitPath(path, "path");
    if (kindOf(name) !== "bundle") {
      throw new ApiError(422, `path: expected a name that ends in ".zip", got "${name}"`);
    }
    const inside = folderBy(db, folder, "path");
    freeIn(db, inside, name, "path");
    const rows = ids.map((id) => fileBy(db, id));
    const twice = rows.find((row, i) => rows.findIndex((other) => same(other.name, row.name)) < i);
    if (twice) throw new ApiError(409, `ids: two files are called "${twice.name}"`);
    const text = rows.map((row) => `${row.name} ${row.text.length}`).join("\n");
    claim(db, text.length);
    const made = db.insert(files, { ...FRESH, name, folder: inside, text, at: now });
    for (const { name, text } of rows) db.insert(bundled, { bundle: made.id, name, text });
    return fileView(db)(made);
  },
});

const contents = defineApi({
  summary: "List what is in a bundle.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), size: z.int() })),
  example: (db) => ({ id: aBundle(db) }),
  handler: ({ db }, { id, ...page }) =>
    paged(db.where(bundled, { bundle: bundleBy(db, id).id }), page, ({ name, text }) => ({
      name,
      size: text.length,
    })),
});

const unpack = defineApi({
  summary: "Write all files of a bundle into a folder; none of their names may be taken there.",
  params: z.strictObject({ id, folder: folderParam("where to") }),
  returns: z.strictObject({ items: z.array(fileItem) }),
  example: (db) => ({ id: aBundle(db), folder: joined(aFolder(db), "") }),
  handler: ({ db, now }, args) => {
    const rows = db.where(bundled, { bundle: bundleBy(db, args.id).id });
    const folder = folderBy(db, args.folder, "folder");
    for (const { name } of rows) freeIn(db, folder, name, "folder");
    claim(
      db,
      rows.reduce((sum, { text }) => sum + text.length, 0),
    );
    const made = rows.map(({ name, text }) =>
      db.insert(files, { ...FRESH, name, folder, text, at: now }),
    );
    return { items: made.map(fileView(db)) };
  },
});

function aBundle(db: Reader): number {
  const rows = db.where(files, { owner: null, state: "live" });
  return rows.find(({ name }) => kindOf(name) === "bundle")?.id ?? 1;
}

export const bundleApis = { bundle, contents, unpack };
