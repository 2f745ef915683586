/** The tree: folders, named by their path. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { line, paged, pageOf, paging } from "../shared.ts";
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
import { type Folder, files, folders } from "./tables.ts";
import { byPath, folderParam, ownFiles, plainName } from "./views.ts";

const folderItem = z.strictObject({
  path: z.string(),
  id: z.int(),
  files: z.int(),
  size: z.int(),
});

const folderView = (db: Reader) => (row: Folder) => {
  const inside = filesIn(db, row.id);
  const size = inside.reduce((sum, { text }) => sum + text.length, 0);
  return { path: folderPath(db, row.id), id: row.id, files: inside.length, size };
};

const folder = folderParam("the folder");

const list = defineApi({
  summary: "List folders by path, with the number and size of the files right in them.",
  params: z.strictObject({
    within: folderParam("only folders below this one").optional(),
    ...paging,
  }),
  returns: pageOf(folderItem),
  example: (db) => ({ within: aFolder(db), size: 10 }),
  handler: ({ db }, { within = "/", ...page }) => {
    const top = folderBy(db, within, "within");
    const inside = [...below(db, top)].flatMap((id) =>
      id === top || id === null ? [] : [db.get(folders, id)!],
    );
    const views = inside.map(folderView(db));
    return paged(
      views.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      page,
      (view) => view,
    );
  },
});

const tree = defineApi({
  summary: "List the paths of all folders and files below a folder, in alphabetical order.",
  params: z.strictObject({ folder: folder.default("/"), ...paging }),
  returns: pageOf(z.strictObject({ path: z.string(), file: z.int().nullable() })),
  example: () => ({ folder: "/", size: 20 }),
  handler: ({ db }, { folder, ...page }) => {
    const top = folderBy(db, folder, "folder");
    const inside = below(db, top);
    const entries = [
      ...[...inside].flatMap((id) =>
        id === top ? [] : [{ path: `${folderPath(db, id)}/`, file: null }],
      ),
      ...byPath(db, ownFiles(db))
        .filter((row) => inside.has(row.folder))
        .map((row) => ({ path: filePath(db, row), file: row.id })),
    ];
    return paged(
      entries.sort((a, b) => (a.path < b.path ? -1 : 1)),
      page,
      (entry) => entry,
    );
  },
});

const add = defineApi({
  summary: "Make an empty folder; the folder above it must exist.",
  params: z.strictObject({ path: line('path of the new folder, such as "/trips/Oslo"') }),
  returns: folderItem,
  example: (db) => ({ path: joined(aFolder(db), "drafts of mine") }),
  handler: ({ db }, { path }) => {
    const { folder, name } = splitPath(path, "path");
    const parent = folderBy(db, folder, "path");
    freeIn(db, parent, name, "path");
    return folderView(db)(db.insert(folders, { name, parent }));
  },
});

const rename = defineApi({
  summary: "Change a folder's name.",
  params: z.strictObject({ folder, name: line("the new name") }),
  returns: folderItem,
  example: (db) => ({ folder: aFolder(db), name: "renamed" }),
  handler: ({ db }, args) => {
    const row = realFolder(db, args.folder, "folder");
    const name = plainName(args.name, "name");
    if (name.toLowerCase() !== row.name.toLowerCase()) freeIn(db, row.parent, name, "name");
    return folderView(db)(db.update(folders, row.id, { name }));
  },
});

const move = defineApi({
  summary: "Move a folder with all that is in it into another folder.",
  params: z.strictObject({ folder, to: folderParam("the new folder above it") }),
  returns: folderItem,
  example: (db) => ({ folder: aFolder(db, true), to: "/" }),
  handler: ({ db }, args) => {
    const row = realFolder(db, args.folder, "folder");
    const parent = folderBy(db, args.to, "to");
    if (below(db, row.id).has(parent)) {
      throw new ApiError(422, `to: expected a folder outside "${args.folder}", got "${args.to}"`);
    }
    if (parent === row.parent) {
      throw new ApiError(409, `to: "${args.folder}" is already in "${args.to}"`);
    }
    freeIn(db, parent, row.name, "to");
    return folderView(db)(db.update(folders, row.id, { parent }));
  },
});

const remove = defineApi({
  summary: "Remove a folder that has no folders and no files, also none in the trash.",
  params: z.strictObject({ folder }),
  returns: folderItem,
  example: (db) => ({ folder: anEmptyFolder(db) }),
  handler: ({ db }, args) => {
    const row = realFolder(db, args.folder, "folder");
    const inside = db.where(files, { folder: row.id }).length;
    const children = db.where(folders, { parent: row.id }).length;
    if (inside + children > 0) {
      throw new ApiError(
        409,
        `folder: expected an empty folder, "${args.folder}" has ${children} folders and ${inside} files (with those in the trash)`,
      );
    }
    const removed = folderView(db)(row);
    db.remove(folders, row.id);
    return removed;
  },
});

export const folderApis = {
  folders: list,
  tree,
  addFolder: add,
  renameFolder: rename,
  moveFolder: move,
  removeFolder: remove,
};
