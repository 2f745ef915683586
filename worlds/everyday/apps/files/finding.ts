/**
 * Defines the APIs that find the owner's files by folder, kind, tag, path, name or words in the text, and an API that
 * tells how much storage is used.
 */

import {
  booleanParam,
  containsIgnoringCase,
  countReferencingRows,
  countsApi,
  dayParam,
  defineObjectItem,
  descending,
  equalIgnoringCase,
  filterWhere,
  idParam,
  listApi,
  orderBy,
  queryParam,
  refuseUnless,
  shortTextParam,
} from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import { dayOf, handleOrNull } from "../shared.ts";
import {
  fileKind,
  KINDS,
  requireFile,
  STORAGE_LIMIT,
  splitLines,
  totalCharacters,
} from "./access-and-texts.ts";
import { exampleFile, exampleFileId, exampleFolderPath } from "./examples.ts";
import {
  anyFile,
  fileItem,
  folderParam,
  id,
  kindFilter,
  LIVE,
  liveFiles,
  pathSortKey,
  sortByPath,
} from "./file-items.ts";
import { filePath, filesInFolder, folderIdsBelow, requireFolderId, splitPath } from "./paths.ts";
import { fileShares, files, ROLES, type StoredFile, versions } from "./tables.ts";

const detailedItem = fileItem.with({
  words: [z.int(), ({ text }) => text.split(/\s+/).filter(Boolean).length],
  owner: [z.string().nullable(), ({ owner }, { db }) => handleOrNull(db, owner)],
  role: z.enum(["owner", ...ROLES]),
  locked: z.boolean(),
  tags: [z.array(z.string()), ({ tags }) => [...tags]],
  versions: countReferencingRows(versions, "file"),
  shares: countReferencingRows(fileShares, "file", { status: "active" }),
});

/** Makes a test of a file: true when another file of the owner has the same text. */
function hasRepeatedText(db: Reader): (row: StoredFile) => boolean {
  const counts = new Map<string, number>();
  for (const { text } of liveFiles(db)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return ({ text }) => counts.get(text)! > 1;
}

const find = defineApi({
  summary: "Find an own file by its path.",
  params: z.strictObject({ path: shortTextParam('the whole path, such as "/trips/plan.md"') }),
  returns: fileItem.schema,
  example: (db) => {
    const row = exampleFile(db, () => true);
    return { path: row ? filePath(db, row) : "/plan.md" };
  },
  handler: (context, { path }) => {
    const { db } = context;
    const { folder, name } = splitPath(path, "path");
    const folderFiles = filesInFolder(db, requireFolderId(db, folder, "path"));
    const found = folderFiles.find((row) => equalIgnoringCase(row.name, name));
    refuseUnless(found, 404, () => {
      const names = folderFiles.map((row) => `"${row.name}"`).slice(0, 5);
      const words = names.length > 0 ? `it has ${names.join(", ")}` : "it has none";
      return `path: there is no file "${name}" in "${folder}"; ${words}`;
    });
    return fileItem.view(found, context);
  },
});

const compare = defineApi({
  summary: "Compare two files line by line: the lines that only one of them has.",
  params: z.strictObject({ id, with: idParam("other file") }),
  returns: z.strictObject({
    same: z.boolean(),
    onlyFirst: z.array(z.string()),
    onlySecond: z.array(z.string()),
  }),
  example: (db) => ({
    id: exampleFileId(db),
    with: exampleFileId(db, ({ name }) => name.endsWith(".csv")),
  }),
  handler: ({ db }, args) => {
    const [first, second] = [requireFile(db, args.id), requireFile(db, args.with)];
    const [a, b] = [new Set(splitLines(first.text)), new Set(splitLines(second.text))];
    return {
      same: first.text === second.text,
      onlyFirst: [...a].filter((line) => !b.has(line)),
      onlySecond: [...b].filter((line) => !a.has(line)),
    };
  },
});

const usedCharacters = (db: Reader) => totalCharacters(db.where(files, { owner: null }));

const quota = countsApi(
  "Show how many characters own files take, those in the trash included, and how many fit.",
  {
    used: usedCharacters,
    free: (db) => STORAGE_LIMIT - usedCharacters(db),
    limit: () => STORAGE_LIMIT,
    files: liveFiles,
    trashed: (db) => db.where(files, { owner: null, state: "trashed" }),
  },
);

export const findingApis = {
  list: anyFile.list(
    "List own files, by path unless sorted otherwise; the trash and files of others are left out.",
    {
      params: {
        folder: folderParam("only in this folder").optional(),
        deep: z.boolean().default(true).describe("with the folders below that folder"),
      },
      filters: {
        kind: kindFilter("only of this kind"),
        tag: [
          shortTextParam("only with this tag"),
          filterWhere(({ tags }, tag) => tags.some((own) => equalIgnoringCase(own, tag))),
        ],
        favourite: booleanParam("only favourites, or only others"),
        locked: booleanParam("only locked ones, or only others"),
        since: [
          dayParam("only changed on this day or later"),
          filterWhere(({ at }, day) => dayOf(at) >= day),
        ],
        before: [
          dayParam("only changed before this day"),
          filterWhere(({ at }, day) => dayOf(at) < day),
        ],
      },
      rows: ({ folder, deep }, { db }) => {
        if (folder === undefined) return liveFiles(db);
        const top = requireFolderId(db, folder, "folder");
        const inside = deep ? folderIdsBelow(db, top) : new Set([top]);
        return liveFiles(db).filter((row) => inside.has(row.folder));
      },
      sorts: {
        path: sortByPath,
        name: orderBy(({ name }) => name, pathSortKey),
        newest: orderBy(
          descending(({ at }) => at),
          pathSortKey,
        ),
        largest: orderBy(
          descending(({ text }) => text.length),
          pathSortKey,
        ),
      },
      example: (db) => ({ folder: exampleFolderPath(db), kind: "table", size: 20 }),
    },
  ),
  find,
  search: anyFile.list(
    "Search the names of own files, by path; the trash and files of others are left out.",
    {
      searchIn: ["name"],
      rows: LIVE,
      order: sortByPath,
      example: { query: "costs" },
    },
  ),
  searchText: listApi(
    "Search the texts of own files: every line that has the words, by path and line; the trash is left out.",
    {
      item: defineObjectItem({ name: z.string(), id: z.int(), line: z.int(), text: z.string() }),
      params: {
        query: queryParam,
        folder: folderParam("only in this folder and below it").default("/"),
        kind: z.enum(KINDS).optional().describe("only in files of this kind"),
      },
      rows: ({ query, folder, kind }, context) => {
        const { db } = context;
        const folderIds = folderIdsBelow(db, requireFolderId(db, folder, "folder"));
        const rows = liveFiles(db).filter(
          (row) => folderIds.has(row.folder) && (kind === undefined || fileKind(row.name) === kind),
        );
        return sortByPath(rows, context).flatMap(({ name, id, text }) =>
          splitLines(text).flatMap((text, i) =>
            containsIgnoringCase(text, query) ? [{ name, id, line: i + 1, text }] : [],
          ),
        );
      },
      example: { query: "total", kind: "text" },
    },
  ),
  stat: anyFile.show("Show all about a file but its text.", { item: detailedItem }),
  duplicates: anyFile.list(
    "List own files whose text another own file has too, by path; the trash is left out.",
    {
      rows: (_, { db }) => liveFiles(db).filter(hasRepeatedText(db)),
      order: sortByPath,
    },
  ),
  compare,
  quota,
};
