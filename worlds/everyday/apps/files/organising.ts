/** Defines the APIs that organise own files: folders, names, tags, favourites, locks and the trash. */

import {
  countNames,
  equalIgnoringCase,
  firstRowId,
  listApi,
  nameCountItem,
  refuseUnless,
  resource,
  shortTextParam,
} from "bowline/resources";
import { defineApi, z } from "bowline/world";
import { requireStorage, totalCharacters } from "./access-and-texts.ts";
import { exampleFileId, exampleFolderPath } from "./examples.ts";
import {
  anyFile,
  fileItem,
  fileName,
  folderParam,
  liveFiles,
  ownFiles,
  pathParam,
  requireNameWithoutSlash,
  trashItem,
  unlockedFiles,
} from "./file-items.ts";
import { joinPath, requireFolderId, requireFreePath, splitPath } from "./paths.ts";
import { fileShares, files, type StoredFile } from "./tables.ts";
import { NEW_FILE } from "./writing.ts";

const isOwnLiveFile = ({ owner, state }: StoredFile) => owner === null && state === "live";

const fileFlagApi = (flag: "favourite" | "locked", value: boolean, summary: string) =>
  ownFiles.change(summary, {
    set: { [flag]: value },
    already: `is already ${value ? "" : "not "}${flag}`,
    example: (db) => ({
      id: firstRowId(db, files, (row) => isOwnLiveFile(row) && row[flag] !== value),
    }),
  });

const trashedFiles = resource({
  noun: "file",
  item: trashItem,
  guard: ({ name, state }) =>
    refuseUnless(state === "trashed", 409, `id: expected a file in the trash, "${name}" is not`),
  example: (db) => ({ id: db.where(files, { state: "trashed" })[0]?.id ?? 1 }),
});

export const organisingApis = {
  move: unlockedFiles.change("Move an own file into another folder.", {
    params: { folder: folderParam("the new folder") },
    set: (row, args, { db }) => {
      const folder = requireFolderId(db, args.folder, "folder");
      const isNew = folder !== row.folder;
      refuseUnless(isNew, 409, `folder: "${row.name}" is already in "${args.folder}"`);
      requireFreePath(db, folder, row.name, "folder");
      return { folder };
    },
    isExample: ({ folder }) => folder !== null,
    example: { folder: "/" },
  }),
  copy: anyFile.act("Copy a file, own or shared, to a new path.", {
    params: { path: pathParam },
    run: ({ text }, { path }, { db, now }) => {
      const { folder, name } = splitPath(path, "path");
      const inside = requireFolderId(db, folder, "path");
      requireFreePath(db, inside, name, "path");
      requireStorage(db, text.length);
      return db.insert(files, { ...NEW_FILE, name, folder: inside, text, at: now });
    },
    example: (db) => ({
      id: exampleFileId(db),
      path: joinPath(exampleFolderPath(db), "a copy.txt"),
    }),
  }),
  rename: unlockedFiles.change("Change the name of an own file.", {
    params: { name: fileName },
    set: ({ id, folder }, args, { db }) => {
      const name = requireNameWithoutSlash(args.name, "name");
      requireFreePath(db, folder, name, "name", id);
      return { name };
    },
    example: { name: "renamed.txt" },
  }),
  tag: ownFiles.change("Give an own file a tag beside those that it has.", {
    params: { tag: shortTextParam("the tag, old or new") },
    set: ({ name, tags }, { tag }) => {
      const isNew = !tags.some((own) => equalIgnoringCase(own, tag));
      refuseUnless(isNew, 409, `tag: "${name}" has the tag "${tag}" already`);
      return { tags: [...tags, tag].sort() };
    },
    isExample: ({ tags }) => tags.length === 0,
    example: { tag: "to check" },
  }),
  untag: ownFiles.change("Take a tag off an own file.", {
    params: { tag: shortTextParam("one of its tags") },
    set: (row, { tag }) => {
      const tags = row.tags.filter((own) => !equalIgnoringCase(own, tag));
      const has = row.tags.join(", ") || "none";
      const isThere = tags.length < row.tags.length;
      refuseUnless(isThere, 404, `tag: expected a tag of "${row.name}" (${has}), got "${tag}"`);
      return { tags };
    },
    example: (db) => {
      const row = liveFiles(db).find(({ tags }) => tags.length > 0);
      return { id: row?.id ?? 1, tag: row?.tags[0] ?? "none" };
    },
  }),
  tags: listApi(
    "List tags in alphabetical order with their number of own files; the trash is left out.",
    {
      item: nameCountItem,
      rows: (_, { db }) => countNames(liveFiles(db).flatMap(({ tags }) => [...tags])),
    },
  ),
  favourite: fileFlagApi("favourite", true, "Make an own file a favourite."),
  unfavourite: fileFlagApi("favourite", false, "Take an own file off the favourites."),
  lock: fileFlagApi("locked", true, "Lock an own file: it cannot be changed, moved or trashed."),
  unlock: fileFlagApi("locked", false, "Unlock an own file."),
  trash: unlockedFiles.change(
    "Move an own file to the trash; a shared one must be unshared first.",
    {
      item: trashItem,
      set: ({ id }, _, { db }) => {
        const shared = db.where(fileShares, { file: id, status: "active" }).length;
        const wanted = "expected one that is not (files.unshare)";
        refuseUnless(shared === 0, 409, `id: file ${id} is shared with ${shared}; ${wanted}`);
        return { state: "trashed" };
      },
    },
  ),
  trashed: trashedFiles.list("List files in the trash, in the order in which they were made.", {
    rows: { state: "trashed" },
  }),
  restore: trashedFiles.change("Put a file from the trash back where it was.", {
    params: { name: fileName.optional().describe("where its name is taken") },
    item: fileItem,
    set: (row, args, { db }) => {
      const name = args.name === undefined ? row.name : requireNameWithoutSlash(args.name, "name");
      requireFreePath(db, row.folder, name, "name");
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
      return { deleted: rows.length, size: totalCharacters(rows) };
    },
  }),
};
