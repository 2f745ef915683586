/** Bundles (`.zip`): several files kept together as they are now. Their own text lists names and sizes. */

import { itemOf, listing, must, resource, same } from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import { claim, fileBy, kindOf, usedBy } from "./access.ts";
import { aFile, aFolder } from "./examples.ts";
import { folderBy, freeIn, joined, splitPath } from "./paths.ts";
import { bundled, files } from "./tables.ts";
import { anyFile, fileItem, folderParam, liveFiles, pathParam } from "./views.ts";
import { FRESH } from "./writing.ts";

const bundles = resource({
  noun: "bundle",
  item: fileItem,
  find: ({ id }, { db }) => {
    const row = fileBy(db, id);
    must(kindOf(row.name) === "bundle", 422, `id: expected a bundle (.zip), got "${row.name}"`);
    return row;
  },
  example: (db) => ({ id: aBundle(db) }),
});

const aBundle = (db: Reader) =>
  liveFiles(db).find(({ name }) => kindOf(name) === "bundle")?.id ?? 1;

const bundle = anyFile.add("Put copies of files together into a new bundle.", {
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
    const twice = rows.find((row, i) => rows.findIndex((other) => same(other.name, row.name)) < i);
    must(!twice, 409, `ids: two files are called "${twice?.name}"`);
    const text = rows.map((row) => `${row.name} ${row.text.length}`).join("\n");
    claim(db, text.length);
    const made = db.insert(files, { ...FRESH, name, folder: inside, text, at: now });
    for (const { name, text } of rows) db.insert(bundled, { bundle: made.id, name, text });
    return made;
  },
  example: (db) => ({ path: "/some files.zip", ids: [aFile(db)] }),
});

const contents = listing("List what is in a bundle.", {
  item: itemOf(bundled, { name: z.string(), size: [z.int(), ({ text }) => text.length] }),
  of: [bundles, "bundle"],
  example: bundles.example,
});

const unpack = defineApi({
  summary: "Write all files of a bundle into a folder; none of their names may be taken there.",
  params: z.strictObject({ ...bundles.keys, folder: folderParam("where to") }),
  returns: z.strictObject({ items: z.array(fileItem.schema) }),
  example: (db) => ({ id: aBundle(db), folder: joined(aFolder(db), "") }),
  handler: (context, args) => {
    const { db, now } = context;
    const rows = db.where(bundled, { bundle: bundles.find(args, context).id });
    const folder = folderBy(db, args.folder, "folder");
    for (const { name } of rows) freeIn(db, folder, name, "folder");
    claim(db, usedBy(rows));
    const made = rows.map(({ name, text }) =>
      db.insert(files, { ...FRESH, name, folder, text, at: now }),
    );
    return { items: made.map((row) => fileItem.view(row, context)) };
  },
});

export const bundleApis = { bundle, contents, unpack };
