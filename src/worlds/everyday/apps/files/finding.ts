/** Finding own files: by folder, kind, tag, path, name or words in the text; and how much room they take. */
import { z } from "zod";
import { hash32 } from "../../../../core/index.ts";
import { ApiError, defineApi } from "../../../../world/index.ts";
import {
  contains,
  day,
  dayOf,
  handleOf,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  query,
  same,
} from "../shared.ts";
import { fileBy, kindOf, LIMIT, linesOf, usedBy } from "./access.ts";
import { aFile, aFolder, fileRow } from "./examples.ts";
import { below, filePath, filesIn, folderBy, splitPath } from "./paths.ts";
import { fileShares, files, ROLES, type StoredFile, versions } from "./tables.ts";
import { byPath, fileItem, fileView, folderParam, id, kindParam, ownFiles } from "./views.ts";

const SORTS = {
  path: () => 0,
  name: (a: StoredFile, b: StoredFile) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  newest: (a: StoredFile, b: StoredFile) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0),
  largest: (a: StoredFile, b: StoredFile) => b.text.length - a.text.length,
};

const list = defineApi({
  summary: "List own files, by path unless sorted otherwise.",
  params: z.strictObject({
    folder: folderParam("only in this folder").optional(),
    deep: z.boolean().default(true).describe("with the folders below that folder"),
    kind: kindParam.optional().describe("only of this kind"),
    tag: line("only with this tag").optional(),
    favourite: z.boolean().optional().describe("only favourites, or only others"),
    locked: z.boolean().optional().describe("only locked ones, or only others"),
    since: day("only changed on this day or later").optional(),
    before: day("only changed before this day").optional(),
    sort: z.enum(["path", "name", "newest", "largest"]).default("path").describe("order"),
    ...paging,
  }),
  returns: pageOf(fileItem),
  example: (db) => ({ folder: aFolder(db), kind: "table" as const, size: 20 }),
  handler: ({ db }, args) => {
    const { folder, deep, kind, tag, favourite, locked, since, before, sort, ...page } = args;
    const top = folder === undefined ? undefined : folderBy(db, folder, "folder");
    const inside = top === undefined ? undefined : deep ? below(db, top) : new Set([top]);
    const rows = ownFiles(db).filter(
      (row) =>
        (inside?.has(row.folder) ?? true) &&
        (kind === undefined || kindOf(row.name) === kind) &&
        (tag === undefined || row.tags.some((own) => same(own, tag))) &&
        (favourite === undefined || row.favourite === favourite) &&
        (locked === undefined || row.locked === locked) &&
        (since === undefined || dayOf(row.at) >= since) &&
        (before === undefined || dayOf(row.at) < before),
    );
    return paged(byPath(db, rows).sort(SORTS[sort]), page, fileView(db));
  },
});

const find = defineApi({
  summary: "Find an own file by its path.",
  params: z.strictObject({ path: line('the whole path, such as "/trips/plan.md"') }),
  returns: fileItem,
  example: (db) => {
    const row = fileRow(db, () => true);
    return { path: row ? filePath(db, row) : "/plan.md" };
  },
  handler: ({ db }, { path }) => {
    const { folder, name } = splitPath(path, "path");
    const inside = filesIn(db, folderBy(db, folder, "path"));
    const found = inside.find((row) => same(row.name, name));
    if (found) return fileView(db)(found);
    const names = inside.map((row) => `"${row.name}"`).slice(0, 5);
    const words = names.length > 0 ? `it has ${names.join(", ")}` : "it has none";
    throw new ApiError(404, `path: there is no file "${name}" in "${folder}"; ${words}`);
  },
});

const search = defineApi({
  summary: "Search the names of own files, by path.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(fileItem),
  example: () => ({ query: "costs" }),
  handler: ({ db }, { query, ...page }) => {
    const rows = ownFiles(db).filter(({ name }) => contains(name, query));
    return paged(byPath(db, rows), page, fileView(db));
  },
});

const searchText = defineApi({
  summary: "Search the texts of own files: every line that has the words, by path and line.",
  params: z.strictObject({
    query,
    folder: folderParam("only in this folder and below it").default("/"),
    kind: kindParam.optional().describe("only in files of this kind"),
    ...paging,
  }),
  returns: pageOf(
    z.strictObject({ name: z.string(), id: z.int(), line: z.int(), text: z.string() }),
  ),
  example: () => ({ query: "total", kind: "text" as const }),
  handler: ({ db }, { query, folder, kind, ...page }) => {
    const inside = below(db, folderBy(db, folder, "folder"));
    const rows = byPath(db, ownFiles(db)).filter(
      (row) => inside.has(row.folder) && (kind === undefined || kindOf(row.name) === kind),
    );
    const hits = rows.flatMap(({ name, id, text }) =>
      linesOf(text).flatMap((text, i) =>
        contains(text, query) ? [{ name, id, line: i + 1, text }] : [],
      ),
    );
    return paged(hits, page, (hit) => hit);
  },
});

const stat = defineApi({
  summary: "Show all about a file but its text.",
  params: z.strictObject({ id }),
  returns: z.strictObject({
    ...fileItem.shape,
    words: z.int(),
    owner: z.string().nullable(),
    role: z.enum(["owner", ...ROLES]),
    locked: z.boolean(),
    tags: z.array(z.string()),
    versions: z.int(),
    shares: z.int(),
  }),
  example: (db) => ({ id: aFile(db) }),
  handler: ({ db }, { id }) => {
    const row = fileBy(db, id);
    const { role, locked, tags } = row;
    return {
      ...fileView(db)(row),
      words: row.text.split(/\s+/).filter(Boolean).length,
      owner: row.owner === null ? null : handleOf(db, row.owner),
      role,
      locked,
      tags: [...tags],
      versions: db.where(versions, { file: row.id }).length,
      shares: db.where(fileShares, { file: row.id, status: "active" }).length,
    };
  },
});

const checksum = defineApi({
  summary: "Give the checksum of a file's text: equal texts have equal checksums.",
  params: z.strictObject({ id }),
  returns: z.strictObject({ name: z.string(), id: z.int(), checksum: z.string() }),
  example: (db) => ({ id: aFile(db) }),
  handler: ({ db }, { id }) => {
    const { name, text } = fileBy(db, id);
    return { name, id, checksum: hash32(text).toString(16).padStart(8, "0") };
  },
});

const duplicates = defineApi({
  summary: "List own files whose text another own file has too, by path.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(fileItem),
  example: () => ({}),
  handler: ({ db }, page) => {
    const counts = new Map<string, number>();
    for (const { text } of ownFiles(db)) counts.set(text, (counts.get(text) ?? 0) + 1);
    const rows = ownFiles(db).filter(({ text }) => counts.get(text)! > 1);
    return paged(byPath(db, rows), page, fileView(db));
  },
});

const compare = defineApi({
  summary: "Compare two files line by line: the lines that only one of them has.",
  params: z.strictObject({ id, with: idOf("other file") }),
  returns: z.strictObject({
    same: z.boolean(),
    onlyFirst: z.array(z.string()),
    onlySecond: z.array(z.string()),
  }),
  example: (db) => ({ id: aFile(db), with: aFile(db, ({ name }) => name.endsWith(".csv")) }),
  handler: ({ db }, args) => {
    const [first, second] = [fileBy(db, args.id), fileBy(db, args.with)];
    const [a, b] = [new Set(linesOf(first.text)), new Set(linesOf(second.text))];
    return {
      same: first.text === second.text,
      onlyFirst: [...a].filter((line) => !b.has(line)),
      onlySecond: [...b].filter((line) => !a.has(line)),
    };
  },
});

const quota = defineApi({
  summary:
    "Show how many characters own files take, those in the trash included, and how many fit.",
  params: z.strictObject({}),
  returns: z.strictObject({
    used: z.int(),
    free: z.int(),
    limit: z.int(),
    files: z.int(),
    trashed: z.int(),
  }),
  example: () => ({}),
  handler: ({ db }) => {
    const used = usedBy(db.where(files, { owner: null }));
    const trashed = db.where(files, { owner: null, state: "trashed" }).length;
    return { used, free: LIMIT - used, limit: LIMIT, files: ownFiles(db).length, trashed };
  },
});

export const findingApis = {
  list,
  find,
  search,
  searchText,
  stat,
  checksum,
  duplicates,
  compare,
  quota,
};
