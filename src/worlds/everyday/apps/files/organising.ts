/** Order: where own files lie, what they are called, tags, favourites, locks and the trash. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import { dayOf, line, paged, pageOf, paging, rowBy, same } from "../shared.ts";
import { claim, fileBy, ownFile, unlocked } from "./access.ts";
import { aFile, aFolder, firstId } from "./examples.ts";
import { folderBy, folderPath, freeIn, joined, splitPath } from "./paths.ts";
import { fileShares, files, type StoredFile } from "./tables.ts";
import {
  fileItem,
  fileName,
  fileView,
  folderParam,
  id,
  ownFiles,
  pathParam,
  plainName,
} from "./views.ts";
import { FRESH } from "./writing.ts";

function change({ db }: CallContext, row: StoredFile, patch: Partial<StoredFile>) {
  return fileView(db)(db.update(files, row.id, patch));
}

const free = (db: Reader, id: number) => unlocked(ownFile(db, id));

const move = defineApi({
  summary: "Move an own file into another folder.",
  params: z.strictObject({ id, folder: folderParam("the new folder") }),
  returns: fileItem,
  example: (db) => ({ id: aFile(db, ({ folder }) => folder !== null), folder: "/" }),
  handler: (context, args) => {
    const row = free(context.db, args.id);
    const folder = folderBy(context.db, args.folder, "folder");
    if (folder === row.folder) {
      throw new ApiError(409, `folder: "${row.name}" is already in "${args.folder}"`);
    }
    freeIn(context.db, folder, row.name, "folder");
    return change(context, row, { folder });
  },
});

const copy = defineApi({
  summary: "Copy a file, own or shared, to a new path.",
  params: z.strictObject({ id, path: pathParam }),
  returns: fileItem,
  example: (db) => ({ id: aFile(db), path: joined(aFolder(db), "a copy.txt") }),
  handler: ({ db, now }, args) => {
    const { text } = fileBy(db, args.id);
    const { folder, name } = splitPath(args.path, "path");
    const inside = folderBy(db, folder, "path");
    freeIn(db, inside, name, "path");
    claim(db, text.length);
    return fileView(db)(db.insert(files, { ...FRESH, name, folder: inside, text, at: now }));
  },
});

const rename = defineApi({
  summary: "Change the name of an own file.",
  params: z.strictObject({ id, name: fileName }),
  returns: fileItem,
  example: (db) => ({ id: aFile(db), name: "renamed.txt" }),
  handler: (context, args) => {
    const row = free(context.db, args.id);
    const name = plainName(args.name, "name");
    freeIn(context.db, row.folder, name, "name", row.id);
    return change(context, row, { name });
  },
});

// --- marks ---

const tagParam = line("the tag, old or new");

const tag = defineApi({
  summary: "Give an own file a tag beside those that it has.",
  params: z.strictObject({ id, tag: tagParam }),
  returns: fileItem,
  example: (db) => ({ id: aFile(db, ({ tags }) => tags.length === 0), tag: "to check" }),
  handler: (context, { id, tag }) => {
    const row = ownFile(context.db, id);
    if (row.tags.some((own) => same(own, tag))) {
      throw new ApiError(409, `tag: "${row.name}" has the tag "${tag}" already`);
    }
    return change(context, row, { tags: [...row.tags, tag].sort() });
  },
});

const untag = defineApi({
  summary: "Take a tag off an own file.",
  params: z.strictObject({ id, tag: line("one of its tags") }),
  returns: fileItem,
  example: (db) => {
    const row = ownFiles(db).find(({ tags }) => tags.length > 0);
    return { id: row?.id ?? 1, tag: row?.tags[0] ?? "none" };
  },
  handler: (context, { id, tag }) => {
    const row = ownFile(context.db, id);
    const tags = row.tags.filter((own) => !same(own, tag));
    if (tags.length < row.tags.length) return change(context, row, { tags });
    const has = row.tags.length > 0 ? row.tags.join(", ") : "none";
    throw new ApiError(404, `tag: expected a tag of "${row.name}" (${has}), got "${tag}"`);
  },
});

const tags = defineApi({
  summary: "List tags in alphabetical order with their number of own files.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), size: z.int() })),
  example: () => ({}),
  handler: ({ db }, page) => {
    const counts = new Map<string, number>();
    for (const { tags } of ownFiles(db)) {
      for (const name of tags) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return paged(sorted, page, ([name, size]) => ({ name, size }));
  },
});

function marked(what: "favourite" | "locked", value: boolean, summary: string) {
  return defineApi({
    summary,
    params: z.strictObject({ id }),
    returns: fileItem,
    example: (db) => ({ id: firstId(db, files, (row) => isOwn(row) && row[what] !== value) }),
    handler: (context, { id }) => {
      const row = ownFile(context.db, id);
      if (row[what] !== value) return change(context, row, { [what]: value });
      throw new ApiError(409, `id: file ${id} is already ${value ? "" : "not "}${what}`);
    },
  });
}

const isOwn = ({ owner, state }: StoredFile) => owner === null && state === "live";

// --- trash ---

const trashItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  folder: z.string(),
  size: z.int(),
  changed: z.string(),
});

const trashView = (db: Reader) => (row: StoredFile) => ({
  name: row.name,
  id: row.id,
  folder: folderPath(db, row.folder),
  size: row.text.length,
  changed: dayOf(row.at),
});

function trashedBy(db: Reader, id: number): StoredFile {
  const row = rowBy(db, files, id, "file");
  if (row.state === "trashed") return row;
  throw new ApiError(409, `id: expected a file in the trash, "${row.name}" is not`);
}

const trash = defineApi({
  summary: "Move an own file to the trash; a shared one must be unshared first.",
  params: z.strictObject({ id }),
  returns: trashItem,
  example: (db) => ({ id: aFile(db) }),
  handler: ({ db }, { id }) => {
    const row = free(db, id);
    const shared = db.where(fileShares, { file: row.id, status: "active" }).length;
    if (shared > 0) {
      throw new ApiError(
        409,
        `id: file ${id} is shared with ${shared}; expected one that is not (files.unshare)`,
      );
    }
    return trashView(db)(db.update(files, id, { state: "trashed" }));
  },
});

const trashed = defineApi({
  summary: "List files in the trash, in the order in which they were made.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(trashItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.where(files, { state: "trashed" }), page, trashView(db)),
});

const restore = defineApi({
  summary: "Put a file from the trash back where it was.",
  params: z.strictObject({ id, name: fileName.optional().describe("where its name is taken") }),
  returns: fileItem,
  example: (db) => ({ id: db.where(files, { state: "trashed" })[0]?.id ?? 1, name: "back.txt" }),
  handler: (context, args) => {
    const row = trashedBy(context.db, args.id);
    const name = args.name === undefined ? row.name : plainName(args.name, "name");
    freeIn(context.db, row.folder, name, "name");
    return change(context, row, { state: "live", name });
  },
});

const purge = defineApi({
  summary: "Delete a file in the trash for good.",
  params: z.strictObject({ id }),
  returns: trashItem,
  example: (db) => ({ id: db.where(files, { state: "trashed" })[0]?.id ?? 1 }),
  handler: ({ db }, { id }) => {
    const row = trashedBy(db, id);
    db.remove(files, id);
    return trashView(db)(row);
  },
});

const emptyTrash = defineApi({
  summary: "Delete all files in the trash for good.",
  params: z.strictObject({}),
  returns: z.strictObject({ deleted: z.int(), size: z.int() }),
  example: () => ({}),
  handler: ({ db }) => {
    const rows = db.where(files, { state: "trashed" });
    for (const { id } of rows) db.remove(files, id);
    return { deleted: rows.length, size: rows.reduce((sum, { text }) => sum + text.length, 0) };
  },
});

export const organisingApis = {
  move,
  copy,
  rename,
  tag,
  untag,
  tags,
  favourite: marked("favourite", true, "Make an own file a favourite."),
  unfavourite: marked("favourite", false, "Take an own file off the favourites."),
  lock: marked("locked", true, "Lock an own file: it cannot be changed, moved or trashed."),
  unlock: marked("locked", false, "Unlock an own file."),
  trash,
  trashed,
  restore,
  purge,
  emptyTrash,
};
