/** Defines the APIs of the tree of folders. A call refers to a folder by its path. */

import {
  defineItem,
  defineObjectItem,
  listApi,
  orderBy,
  refuseUnless,
  resource,
  shortTextParam,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { totalCharacters } from "./access-and-texts.ts";
import { exampleEmptyFolderPath, exampleFolderPath } from "./examples.ts";
import { folderParam, liveFiles, requireNameWithoutSlash } from "./file-items.ts";
import {
  filePath,
  filesInFolder,
  folderIdsBelow,
  folderPath,
  joinPath,
  requireFolderBelowTop,
  requireFolderId,
  requireFreePath,
  splitPath,
} from "./paths.ts";
import { files, folders } from "./tables.ts";

const folder = folderParam("the folder");

const folderResource = resource({
  noun: "folder",
  item: defineItem(folders, {
    path: [z.string(), ({ id }, { db }) => folderPath(db, id)],
    id: z.int(),
    files: [z.int(), ({ id }, { db }) => filesInFolder(db, id).length],
    size: [z.int(), ({ id }, { db }) => totalCharacters(filesInFolder(db, id))],
  }),
  keys: { folder },
  find: ({ folder }, { db }) => requireFolderBelowTop(db, folder, "folder"),
  example: (db) => ({ folder: exampleFolderPath(db) }),
});

/** Returns the paths of all folders and files below a folder. `file` is the id of a file and null for a folder. */
function listPathsBelow(db: Reader, top: number | null): { path: string; file: number | null }[] {
  const inside = folderIdsBelow(db, top);
  const paths = [...inside].filter((id) => id !== top).map((id) => `${folderPath(db, id)}/`);
  const rows = liveFiles(db).filter((row) => inside.has(row.folder));
  return [
    ...paths.map((path) => ({ path, file: null })),
    ...rows.map((row) => ({ path: filePath(db, row), file: row.id })),
  ];
}

export const folderApis = {
  folders: folderResource.list(
    "List folders by path, with the number and size of the files right in them.",
    {
      params: { within: folderParam("only folders below this one").optional() },
      rows: ({ within = "/" }, { db }) => {
        const top = requireFolderId(db, within, "within");
        return [...folderIdsBelow(db, top)].flatMap((id) =>
          id === top || id === null ? [] : db.get(folders, id)!,
        );
      },
      order: orderBy(({ id }, { db }) => folderPath(db, id)),
      example: (db) => ({ within: exampleFolderPath(db), size: 10 }),
    },
  ),
  tree: listApi(
    "List the paths of all folders and files below a folder, in alphabetical order; the trash is left out.",
    {
      item: defineObjectItem({ path: z.string(), file: z.int().nullable() }),
      params: { folder: folder.default("/") },
      rows: ({ folder }, { db }) => listPathsBelow(db, requireFolderId(db, folder, "folder")),
      order: orderBy(({ path }) => path),
      example: { folder: "/", size: 20 },
    },
  ),
  addFolder: folderResource.add("Make an empty folder; the folder above it must exist.", {
    params: { path: shortTextParam('path of the new folder, such as "/trips/Oslo"') },
    row: ({ path }, { db }) => {
      const { folder, name } = splitPath(path, "path");
      const parent = requireFolderId(db, folder, "path");
      requireFreePath(db, parent, name, "path");
      return { name, parent };
    },
    example: (db) => ({ path: joinPath(exampleFolderPath(db), "drafts of mine") }),
  }),
  renameFolder: folderResource.change("Change a folder's name.", {
    params: { name: shortTextParam("the new name") },
    set: (row, args, { db }) => {
      const name = requireNameWithoutSlash(args.name, "name");
      if (name.toLowerCase() !== row.name.toLowerCase())
        requireFreePath(db, row.parent, name, "name");
      return { name };
    },
    example: { name: "renamed" },
  }),
  moveFolder: folderResource.change("Move a folder with all that is in it into another folder.", {
    params: { to: folderParam("the new folder above it") },
    set: (row, { folder, to }, { db }) => {
      const parent = requireFolderId(db, to, "to");
      const isOutside = !folderIdsBelow(db, row.id).has(parent);
      refuseUnless(isOutside, 422, `to: expected a folder outside "${folder}", got "${to}"`);
      refuseUnless(parent !== row.parent, 409, `to: "${folder}" is already in "${to}"`);
      requireFreePath(db, parent, row.name, "to");
      return { parent };
    },
    example: (db) => ({ folder: exampleFolderPath(db, true), to: "/" }),
  }),
  removeFolder: folderResource.remove(
    "Remove a folder that has no folders and no files, also none in the trash.",
    {
      checkRow: ({ id }, { folder }, { db }) => {
        const inside = db.where(files, { folder: id }).length;
        const children = db.where(folders, { parent: id }).length;
        const has = `${children} folders and ${inside} files (with those in the trash)`;
        const isEmpty = inside + children === 0;
        refuseUnless(isEmpty, 409, `folder: expected an empty folder, "${folder}" has ${has}`);
      },
      example: (db) => ({ folder: exampleEmptyFolderPath(db) }),
    },
  ),
};
