/** The tree: folders, named by their path. */

import { asIs, by, itemOf, line, listing, must, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { usedBy } from "./access.ts";
import { aFolder, anEmptyFolder } from "./examples.ts";
import {
  below,
  filePath,
  filesIn,
  folderBy,
  folderPath,
  freeIn,
  joined,
  realFolder,
  splitPath,
} from "./paths.ts";
import { files, folders } from "./tables.ts";
import { folderParam, liveFiles, plainName } from "./views.ts";

const folder = folderParam("the folder");

const tree = resource({
  noun: "folder",
  item: itemOf(folders, {
    path: [z.string(), ({ id }, { db }) => folderPath(db, id)],
    id: z.int(),
    files: [z.int(), ({ id }, { db }) => filesIn(db, id).length],
    size: [z.int(), ({ id }, { db }) => usedBy(filesIn(db, id))],
  }),
  keys: { folder },
  find: ({ folder }, { db }) => realFolder(db, folder, "folder"),
  example: (db) => ({ folder: aFolder(db) }),
});

/** The paths of all folders and files below a folder. */
function pathsIn(db: Reader, top: number | null): { path: string; file: number | null }[] {
  const inside = below(db, top);
  const paths = [...inside].filter((id) => id !== top).map((id) => `${folderPath(db, id)}/`);
  const rows = liveFiles(db).filter((row) => inside.has(row.folder));
  return [
    ...paths.map((path) => ({ path, file: null })),
    ...rows.map((row) => ({ path: filePath(db, row), file: row.id })),
  ];
}

export const folderApis = {
  folders: tree.list("List folders by path, with the number and size of the files right in them.", {
    params: { within: folderParam("only folders below this one").optional() },
    rows: ({ within = "/" }, { db }) => {
      const top = folderBy(db, within, "within");
      return [...below(db, top)].flatMap((id) =>
        id === top || id === null ? [] : db.get(folders, id)!,
      );
    },
    order: by(({ id }, { db }) => folderPath(db, id)),
    example: (db) => ({ within: aFolder(db), size: 10 }),
  }),
  tree: listing("List the paths of all folders and files below a folder, in alphabetical order.", {
    item: asIs({ path: z.string(), file: z.int().nullable() }),
    params: { folder: folder.default("/") },
    rows: ({ folder }, { db }) => pathsIn(db, folderBy(db, folder, "folder")),
    order: by(({ path }) => path),
    example: { folder: "/", size: 20 },
  }),
  addFolder: tree.add("Make an empty folder; the folder above it must exist.", {
    params: { path: line('path of the new folder, such as "/trips/Oslo"') },
    row: ({ path }, { db }) => {
      const { folder, name } = splitPath(path, "path");
      const parent = folderBy(db, folder, "path");
      freeIn(db, parent, name, "path");
      return { name, parent };
    },
    example: (db) => ({ path: joined(aFolder(db), "drafts of mine") }),
  }),
  renameFolder: tree.change("Change a folder's name.", {
    params: { name: line("the new name") },
    set: (row, args, { db }) => {
      const name = plainName(args.name, "name");
      if (name.toLowerCase() !== row.name.toLowerCase()) freeIn(db, row.parent, name, "name");
      return { name };
    },
    example: { name: "renamed" },
  }),
  moveFolder: tree.change("Move a folder with all that is in it into another folder.", {
    params: { to: folderParam("the new folder above it") },
    set: (row, { folder, to }, { db }) => {
      const parent = folderBy(db, to, "to");
      const isOutside = !below(db, row.id).has(parent);
      must(isOutside, 422, `to: expected a folder outside "${folder}", got "${to}"`);
      must(parent !== row.parent, 409, `to: "${folder}" is already in "${to}"`);
      freeIn(db, parent, row.name, "to");
      return { parent };
    },
    example: (db) => ({ folder: aFolder(db, true), to: "/" }),
  }),
  removeFolder: tree.remove(
    "Remove a folder that has no folders and no files, also none in the trash.",
    {
      unless: ({ id }, { folder }, { db }) => {
        const inside = db.where(files, { folder: id }).length;
        const children = db.where(folders, { parent: id }).length;
        const has = `${children} folders and ${inside} files (with those in the trash)`;
        const isEmpty = inside + children === 0;
        must(isEmpty, 409, `folder: expected an empty folder, "${folder}" has ${has}`);
      },
      example: (db) => ({ folder: anEmptyFolder(db) }),
    },
  ),
};
