/** Order: where own files lie, what they are called, tags, favourites, locks and the trash. */

import { firstId, line, listing, must, resource, same, sizeItem, sizesOf } from "bowline/resources";
import { defineApi, z } from "bowline/world";
import { claim, usedBy } from "./access.ts";
import { aFile, aFolder } from "./examples.ts";
import { folderBy, freeIn, joined, splitPath } from "./paths.ts";
import { fileShares, files, type StoredFile } from "./tables.ts";
import {
  anyFile,
  fileItem,
  fileName,
  folderParam,
  freeFiles,
  liveFiles,
  ownFiles,
  pathParam,
  plainName,
  trashItem,
} from "./views.ts";
import { FRESH } from "./writing.ts";

const isOwn = ({ owner, state }: StoredFile) => owner === null && state === "live";

const marked = (what: "favourite" | "locked", value: boolean, summary: string) =>
  ownFiles.change(summary, {
    set: { [what]: value },
    already: `is already ${value ? "" : "not "}${what}`,
    example: (db) => ({ id: firstId(db, files, (row) => isOwn(row) && row[what] !== value) }),
  });

const trashedFiles = resource({
  noun: "file",
  item: trashItem,
  guard: ({ name, state }) =>
    must(state === "trashed", 409, `id: expected a file in the trash, "${name}" is not`),
  example: (db) => ({ id: db.where(files, { state: "trashed" })[0]?.id ?? 1 }),
});

export const organisingApis = {
  move: freeFiles.change("Move an own file into another folder.", {
    params: { folder: folderParam("the new folder") },
    set: (row, args, { db }) => {
      const folder = folderBy(db, args.folder, "folder");
      const isNew = folder !== row.folder;
      must(isNew, 409, `folder: "${row.name}" is already in "${args.folder}"`);
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
      return db.insert(files, { ...FRESH, name, folder: inside, text, at: now });
    },
    example: (db) => ({ id: aFile(db), path: joined(aFolder(db), "a copy.txt") }),
  }),
  rename: freeFiles.change("Change the name of an own file.", {
    params: { name: fileName },
    set: ({ id, folder }, args, { db }) => {
      const name = plainName(args.name, "name");
      freeIn(db, folder, name, "name", id);
      return { name };
    },
    example: { name: "renamed.txt" },
  }),
  tag: ownFiles.change("Give an own file a tag beside those that it has.", {
    params: { tag: line("the tag, old or new") },
    set: ({ name, tags }, { tag }) => {
      const isNew = !tags.some((own) => same(own, tag));
      must(isNew, 409, `tag: "${name}" has the tag "${tag}" already`);
      return { tags: [...tags, tag].sort() };
    },
    fits: ({ tags }) => tags.length === 0,
    example: { tag: "to check" },
  }),
  untag: ownFiles.change("Take a tag off an own file.", {
    params: { tag: line("one of its tags") },
    set: (row, { tag }) => {
      const tags = row.tags.filter((own) => !same(own, tag));
      const has = row.tags.join(", ") || "none";
      const isThere = tags.length < row.tags.length;
      must(isThere, 404, `tag: expected a tag of "${row.name}" (${has}), got "${tag}"`);
      return { tags };
    },
    example: (db) => {
      const row = liveFiles(db).find(({ tags }) => tags.length > 0);
      return { id: row?.id ?? 1, tag: row?.tags[0] ?? "none" };
    },
  }),
  tags: listing("List tags in alphabetical order with their number of own files.", {
    item: sizeItem,
    rows: (_, { db }) => sizesOf(liveFiles(db).flatMap(({ tags }) => [...tags])),
  }),
  favourite: marked("favourite", true, "Make an own file a favourite."),
  unfavourite: marked("favourite", false, "Take an own file off the favourites."),
  lock: marked("locked", true, "Lock an own file: it cannot be changed, moved or trashed."),
  unlock: marked("locked", false, "Unlock an own file."),
  trash: freeFiles.change("Move an own file to the trash; a shared one must be unshared first.", {
    item: trashItem,
    set: ({ id }, _, { db }) => {
      const shared = db.where(fileShares, { file: id, status: "active" }).length;
      const wanted = "expected one that is not (files.unshare)";
      must(shared === 0, 409, `id: file ${id} is shared with ${shared}; ${wanted}`);
      return { state: "trashed" };
    },
  }),
  trashed: trashedFiles.list("List files in the trash, in the order in which they were made.", {
    rows: { state: "trashed" },
  }),
  restore: trashedFiles.change("Put a file from the trash back where it was.", {
    params: { name: fileName.optional().describe("where its name is taken") },
    item: fileItem,
    set: (row, args, { db }) => {
      const name = args.name === undefined ? row.name : plainName(args.name, "name");
      freeIn(db, row.folder, name, "name");
      return { state: "live", name };
    },
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
      return { deleted: rows.length, size: usedBy(rows) };
    },
  }),
};
