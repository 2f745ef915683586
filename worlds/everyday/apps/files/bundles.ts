/**
 * Defines the APIs of bundles (`.zip`): a bundle holds copies of several files, as they were when it was made. The text
 * of a bundle lists the names and sizes of its files.
 */

import { defineItem, equalIgnoringCase, listApi, refuseUnless, resource } from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import { fileKind, requireFile, requireStorage, totalCharacters } from "./access-and-texts.ts";
import { exampleFileId, exampleFolderPath } from "./examples.ts";
import { anyFile, fileItem, folderParam, liveFiles, pathParam } from "./file-items.ts";
import { joinPath, requireFolderId, requireFreePath, splitPath } from "./paths.ts";
import { bundledFiles, files } from "./tables.ts";
import { NEW_FILE } from "./writing.ts";

const bundles = resource({
  noun: "bundle",
  item: fileItem,
  find: ({ id }, { db }) => {
    const row = requireFile(db, id);
    refuseUnless(
      fileKind(row.name) === "bundle",
      422,
      `id: expected a bundle (.zip), got "${row.name}"`,
    );
    return row;
  },
  example: (db) => ({ id: exampleBundleId(db) }),
});

const exampleBundleId = (db: Reader) =>
  liveFiles(db).find(({ name }) => fileKind(name) === "bundle")?.id ?? 1;

const bundle = anyFile.add("Put copies of files together into a new bundle.", {
  params: {
    path: pathParam.describe('folder and name of the bundle, such as "/trips/all.zip"'),
    ids: z.array(z.int().min(1)).min(1).max(20).describe("ids of the files"),
  },
  row: ({ path, ids }, { db, now }) => {
    const { folder, name } = splitPath(path, "path");
    const isBundle = fileKind(name) === "bundle";
    refuseUnless(isBundle, 422, `path: expected a name that ends in ".zip", got "${name}"`);
    const folderId = requireFolderId(db, folder, "path");
    requireFreePath(db, folderId, name, "path");
    const rows = ids.map((id) => requireFile(db, id));
    const repeatedName = rows.find(
      (row, i) => rows.findIndex((other) => equalIgnoringCase(other.name, row.name)) < i,
    );
    refuseUnless(!repeatedName, 409, `ids: two files are called "${repeatedName?.name}"`);
    const text = rows.map((row) => `${row.name} ${row.text.length}`).join("\n");
    requireStorage(db, text.length);
    const created = db.insert(files, { ...NEW_FILE, name, folder: folderId, text, at: now });
    for (const { name, text } of rows) db.insert(bundledFiles, { bundle: created.id, name, text });
    return created;
  },
  example: (db) => ({ path: "/some files.zip", ids: [exampleFileId(db)] }),
});

const contents = listApi("List what is in a bundle.", {
  item: defineItem(bundledFiles, { name: z.string(), size: [z.int(), ({ text }) => text.length] }),
  parent: [bundles, "bundle"],
  example: bundles.example,
});

const unpack = defineApi({
  summary: "Write all files of a bundle into a folder; none of their names may be taken there.",
  params: z.strictObject({ ...bundles.keys, folder: folderParam("where to") }),
  returns: z.strictObject({ items: z.array(fileItem.schema) }),
  example: (db) => ({ id: exampleBundleId(db), folder: joinPath(exampleFolderPath(db), "") }),
  handler: (context, args) => {
    const { db, now } = context;
    const rows = db.where(bundledFiles, { bundle: bundles.find(args, context).id });
    const folder = requireFolderId(db, args.folder, "folder");
    for (const { name } of rows) requireFreePath(db, folder, name, "folder");
    requireStorage(db, totalCharacters(rows));
    const created = rows.map(({ name, text }) =>
      db.insert(files, { ...NEW_FILE, name, folder, text, at: now }),
    );
    return { items: created.map((row) => fileItem.view(row, context)) };
  },
});

export const bundleApis = { bundle, contents, unpack };
