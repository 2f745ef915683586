/** The tree: folders, named by their path. */
import { z } from "zod";
import { asIs, by, itemOf, listOf, must, resource } from "../../../../world/index.ts";
import { line } from "../shared.ts";
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
import { folderParam, ownFiles, plainName } from "./views.ts";

const folder = folderParam("the folder");

const folderRows = resource({
  table: folders,
  noun: "folder",
  item: itemOf(folders, {
    path: [z.string(), ({ id }, { db }) => folderPath(db, id)],
    id: z.int(),
    files: [z.int(), ({ id }, { db }) => filesIn(db, id).length],
    size: [z.int(), ({ id }, { db }) => filesIn(db, id).reduce((sum, f) => sum + f.text.length, 0)],
  }),
  keys: { folder },
  find: (args, { db }) => realFolder(db, args.folder, "folder"),
  example: (db) => ({ folder: aFolder(db) }),
});

export const folderApis = {
  folders: folderRows.list(
    "List folders by path, with the number and size of the files right in them.",
    {
      params: { within: folderParam("only folders below this one").optional() },
      rows: ({ within = "/" }, { db }) => {
        const top = folderBy(db, within, "within");
        const inside = [...below(db, top)].filter((id) => id !== top && id !== null);
        return inside.map((id) => db.get(folders, id!)!);
      },
      order: by(({ id }, { db }) => folderPath(db, id)),
      example: (db) => ({ within: aFolder(db), size: 10 }),
    },
  ),
  tree: listOf(
    asIs({ path: z.string(), file: z.int().nullable() }),
    "List the paths of all folders and files below a folder, in alphabetical order.",
    {
      params: { folder: folder.default("/") },
      rows: ({ folder }, { db }) => {
        const top = folderBy(db, folder, "folder");
        const inside = below(db, top);
        const deeper = [...inside].filter((id) => id !== top);
        return [
          ...deeper.map((id) => ({ path: `${folderPath(db, id)}/`, file: null })),
          ...ownFiles(db)
            .filter((row) => inside.has(row.folder))
            .map((row) => ({ path: filePath(db, row), file: row.id })),
        ];
      },
      order: by(({ path }) => path),
      example: { folder: "/", size: 20 },
    },
  ),
  addFolder: folderRows.add("Make an empty folder; the folder above it must exist.", {
    params: { path: line('path of the new folder, such as "/trips/Oslo"') },
    row: ({ path }, { db }) => {
      const { folder, name } = splitPath(path, "path");
      const parent = folderBy(db, folder, "path");
      freeIn(db, parent, name, "path");
      return { name, parent };
    },
    example: (db) => ({ path: joined(aFolder(db), "drafts of mine") }),
  }),
  renameFolder: folderRows.change("Change a folder's name.", {
    params: { name: line("the new name") },
    set: (row, args, { db }) => {
      const name = plainName(args.name, "name");
      if (name.toLowerCase() !== row.name.toLowerCase()) freeIn(db, row.parent, name, "name");
      return { name };
    },
    example: { name: "renamed" },
  }),
  moveFolder: folderRows.change("Move a folder with all that is in it into another folder.", {
    params: { to: folderParam("the new folder above it") },
    set: (row, { folder, to }, { db }) => {
      const parent = folderBy(db, to, "to");
      const outside = !below(db, row.id).has(parent);
      must(outside, 422, `to: expected a folder outside "${folder}", got "${to}"`);
      must(parent !== row.parent, 409, `to: "${folder}" is already in "${to}"`);
      freeIn(db, parent, row.name, "to");
      return { parent };
    },
    example: (db) => ({ folder: aFolder(db, true), to: "/" }),
  }),
  removeFolder: folderRows.remove(
    "Remove a folder that has no folders and no files, also none in the trash.",
    {
      unless: ({ id }, { folder }, { db }) => {
        const inside = db.where(files, { folder: id }).length;
        const children = db.where(folders, { parent: id }).length;
        must(
          inside + children === 0,
          409,
          `folder: expected an empty folder, "${folder}" has ${children} folders and ${inside} files (with those in the trash)`,
        );
      },
      example: (db) => ({ folder: anEmptyFolder(db) }),
    },
  ),
};
