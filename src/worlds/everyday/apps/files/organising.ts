/** Order: where own files lie, what they are called, tags, favourites, locks and the trash. */
import { z } from "zod";
import { asIs, by, defineApi, listOf, must, type Reader } from "../../../../world/index.ts";
import { line, rowBy, same } from "../shared.ts";
import { claim, ownFile } from "./access.ts";
import { aFile, aFolder } from "./examples.ts";
import { folderBy, freeIn, joined, splitPath } from "./paths.ts";
import { fileShares, files, type StoredFile } from "./tables.ts";
import {
  anyFile,
  fileItem,
  fileName,
  filesBy,
  folderParam,
  freeFiles,
  ownFiles,
  pathParam,
  plainName,
  trashItem,
} from "./views.ts";
import { addFile } from "./writing.ts";

const ownRows = filesBy(ownFile, fileItem, (db, fits) => ownFiles(db).find(fits)?.id ?? 1);

function trashedBy(db: Reader, id: number): StoredFile {
  const row = rowBy(db, files, id, "file");
  must(row.state === "trashed", 409, `id: expected a file in the trash, "${row.name}" is not`);
  return row;
}

const trashedFiles = filesBy(
  trashedBy,
  trashItem,
  (db) => db.where(files, { state: "trashed" })[0]?.id ?? 1,
);

const already = (what: string) => `is already ${what}`;

export const organisingApis = {
  move: freeFiles.change("Move an own file into another folder.", {
    params: { folder: folderParam("the new folder") },
    set: (row, args, { db }) => {
      const folder = folderBy(db, args.folder, "folder");
      must(folder !== row.folder, 409, `folder: "${row.name}" is already in "${args.folder}"`);
      freeIn(db, folder, row.name, "folder");
      return { folder };
    },
    fits: ({ folder }) => folder !== null,
    example: { folder: "/" },
  }),
  copy: anyFile.act("Copy a file, own or shared, to a new path.", {
    params: { path: pathParam },
    run: ({ text }, { path }, { db, now }) => {
      const { folder, name } = splitPath(path, "path");
      const inside = folderBy(db, folder, "path");
      freeIn(db, inside, name, "path");
      claim(db, text.length);
      return addFile(db, { name, folder: inside, text, at: now });
    },
    example: (db) => ({ id: aFile(db), path: joined(aFolder(db), "a copy.txt") }),
  }),
  rename: freeFiles.change("Change the name of an own file.", {
    params: { name: fileName },
    set: (row, args, { db }) => {
      const name = plainName(args.name, "name");
      freeIn(db, row.folder, name, "name", row.id);
      return { name };
    },
    example: (db) => ({ id: aFile(db), name: "renamed.txt" }),
  }),

  tag: ownRows.change("Give an own file a tag beside those that it has.", {
    params: { tag: line("the tag, old or new") },
    set: ({ name, tags }, { tag }) => {
      const has = tags.some((own) => same(own, tag));
      must(!has, 409, `tag: "${name}" has the tag "${tag}" already`);
      return { tags: [...tags, tag].sort() };
    },
    example: (db) => ({ id: aFile(db, ({ tags }) => tags.length === 0), tag: "to check" }),
  }),
  untag: ownRows.change("Take a tag off an own file.", {
    params: { tag: line("one of its tags") },
    set: (row, { tag }) => {
      const tags = row.tags.filter((own) => !same(own, tag));
      const has = row.tags.length > 0 ? row.tags.join(", ") : "none";
      const found = tags.length < row.tags.length;
      must(found, 404, `tag: expected a tag of "${row.name}" (${has}), got "${tag}"`);
      return { tags };
    },
    example: (db) => {
      const row = ownFiles(db).find(({ tags }) => tags.length > 0);
      return { id: row?.id ?? 1, tag: row?.tags[0] ?? "none" };
    },
  }),
  tags: listOf(
    asIs({ name: z.string(), size: z.int() }),
    "List tags in alphabetical order with their number of own files.",
    {
      rows: (_, { db }) => {
        const counts = new Map<string, number>();
        for (const name of ownFiles(db).flatMap(({ tags }) => tags)) {
          counts.set(name, (counts.get(name) ?? 0) + 1);
        }
        return [...counts].map(([name, size]) => ({ name, size }));
      },
      order: by(({ name }) => name),
    },
  ),
  favourite: ownRows.change("Make an own file a favourite.", {
    set: { favourite: true },
    already: already("favourite"),
  }),
  unfavourite: ownRows.change("Take an own file off the favourites.", {
    set: { favourite: false },
    already: already("not favourite"),
  }),
  lock: ownRows.change("Lock an own file: it cannot be changed, moved or trashed.", {
    set: { locked: true },
    already: already("locked"),
  }),
  unlock: ownRows.change("Unlock an own file.", {
    set: { locked: false },
    already: already("not locked"),
  }),

  trash: freeFiles.change("Move an own file to the trash; a shared one must be unshared first.", {
    unless: ({ id }, _, { db }) => {
      const shared = db.where(fileShares, { file: id, status: "active" }).length;
      must(
        shared === 0,
        409,
        `id: file ${id} is shared with ${shared}; expected one that is not (files.unshare)`,
      );
    },
    set: { state: "trashed" },
    item: trashItem,
  }),
  trashed: trashedFiles.list("List files in the trash, in the order in which they were made.", {
    rows: { state: "trashed" },
  }),
  restore: trashedFiles.change("Put a file from the trash back where it was.", {
    params: { name: fileName.optional().describe("where its name is taken") },
    set: (row, args, { db }) => {
      const name = args.name === undefined ? row.name : plainName(args.name, "name");
      freeIn(db, row.folder, name, "name");
      return { state: "live", name };
    },
    item: fileItem,
    example: { name: "back.txt" },
  }),
  purge: trashedFiles.remove("Delete a file in the trash for good."),
  emptyTrash: defineApi({
    summary: "Delete all files in the trash for good.",
    params: z.strictObject({}),
    returns: z.strictObject({ deleted: z.int(), size: z.int() }),
    example: () => ({}),
    handler: ({ db }) => {
      const rows = db.where(files, { state: "trashed" });
      for (const { id } of rows) db.remove(files, id);
      return { deleted: rows.length, size: rows.reduce((sum, { text }) => sum + text.length, 0) };
    },
  }),
};
