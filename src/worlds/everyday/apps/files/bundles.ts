/** Bundles (`.zip`): several files kept together as they are now. Their own text lists names and sizes. */
import { z } from "zod";
import { defineApi, itemOf, listOf, must, type Reader } from "../../../../world/index.ts";
import { idOf, same } from "../shared.ts";
import { claim, fileBy, kindOf, usedBy } from "./access.ts";
import { aFile, aFolder } from "./examples.ts";
import { folderBy, freeIn, joined, splitPath } from "./paths.ts";
import { bundled, type StoredFile } from "./tables.ts";
import { anyFile, fileItem, folderParam, ownFiles, pathParam } from "./views.ts";
import { addFile } from "./writing.ts";

const id = idOf("bundle");

function inBundle(db: Reader, id: number) {
  const { name } = fileBy(db, id);
  must(kindOf(name) === "bundle", 422, `id: expected a bundle (.zip), got "${name}"`);
  return db.where(bundled, { bundle: id });
}

const aBundle = (db: Reader) => ownFiles(db).find(({ name }) => kindOf(name) === "bundle")?.id ?? 1;

export const bundleApis = {
  bundle: anyFile.add("Put copies of files together into a new bundle.", {
    params: {
      path: pathParam.describe('folder and name of the bundle, such as "/trips/all.zip"'),
      ids: z.array(z.int().min(1)).min(1).max(20).describe("ids of the files"),
    },
    row: ({ path, ids }, { db, now }) => {
      const { folder, name } = splitPath(path, "path");
      const isBundle = kindOf(name) === "bundle";
      must(isBundle, 422, `path: expected a name that ends in ".zip", got "${name}"`);
      const inside = folderBy(db, folder, "path");
      freeIn(db, inside, name, "path");
      const rows = ids.map((id) => fileBy(db, id));
      const isTwice = (row: StoredFile, i: number) =>
        rows.findIndex((other) => same(other.name, row.name)) < i;
      const twice = rows.find(isTwice);
      must(!twice, 409, `ids: two files are called "${twice?.name}"`);
      const text = rows.map((row) => `${row.name} ${row.text.length}`).join("\n");
      claim(db, text.length);
      const made = addFile(db, { name, folder: inside, text, at: now });
      for (const { name, text } of rows) db.insert(bundled, { bundle: made.id, name, text });
      return made;
    },
    example: (db) => ({ path: "/some files.zip", ids: [aFile(db)] }),
  }),
  contents: listOf(
    itemOf(bundled, { name: z.string(), size: [z.int(), ({ text }) => text.length] }),
    "List what is in a bundle.",
    {
      params: { id },
      rows: ({ id }, { db }) => inBundle(db, id),
      example: (db) => ({ id: aBundle(db) }),
    },
  ),
  unpack: defineApi({
    summary: "Write all files of a bundle into a folder; none of their names may be taken there.",
    params: z.strictObject({ id, folder: folderParam("where to") }),
    returns: z.strictObject({ items: z.array(fileItem.schema) }),
    example: (db) => ({ id: aBundle(db), folder: joined(aFolder(db), "") }),
    handler: (context, args) => {
      const { db, now } = context;
      const rows = inBundle(db, args.id);
      const folder = folderBy(db, args.folder, "folder");
      for (const { name } of rows) freeIn(db, folder, name, "folder");
      claim(db, usedBy(rows));
      const made = rows.map(({ name, text }) => addFile(db, { name, folder, text, at: now }));
      return { items: made.map((row) => fileItem.view(row, context)) };
    },
  }),
};
