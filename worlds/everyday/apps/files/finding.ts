/** Finding own files: by folder, kind, tag, path, name or words in the text; and how much room they take. */

import {
  asIs,
  by,
  contains,
  countOf,
  countsApi,
  day,
  either,
  falling,
  idOf,
  itemOf,
  line,
  listing,
  must,
  query,
  same,
  where,
} from "bowline/resources";
import { defineApi, hash32, type Reader, z } from "bowline/world";
import { dayOf, handleOrNull } from "../shared.ts";
import { fileBy, KINDS, kindOf, LIMIT, linesOf, usedBy } from "./access.ts";
import { aFile, aFolder, fileRow } from "./examples.ts";
import { below, filePath, filesIn, folderBy, splitPath } from "./paths.ts";
import { fileShares, files, ROLES, type StoredFile, versions } from "./tables.ts";
import {
  anyFile,
  byPath,
  fileItem,
  folderParam,
  id,
  LIVE,
  liveFiles,
  ofKind,
  pathKey,
} from "./views.ts";

const wholeItem = fileItem.with({
  words: [z.int(), ({ text }) => text.split(/\s+/).filter(Boolean).length],
  owner: [z.string().nullable(), ({ owner }, { db }) => handleOrNull(db, owner)],
  role: z.enum(["owner", ...ROLES]),
  locked: z.boolean(),
  tags: [z.array(z.string()), ({ tags }) => [...tags]],
  versions: countOf(versions, "file"),
  shares: countOf(fileShares, "file", { status: "active" }),
});

/** Texts that more than one of the owner's files has. */
function repeated(db: Reader): (row: StoredFile) => boolean {
  const counts = new Map<string, number>();
  for (const { text } of liveFiles(db)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return ({ text }) => counts.get(text)! > 1;
}

const find = defineApi({
  summary: "Find an own file by its path.",
  params: z.strictObject({ path: line('the whole path, such as "/trips/plan.md"') }),
  returns: fileItem.schema,
  example: (db) => {
    const row = fileRow(db, () => true);
    return { path: row ? filePath(db, row) : "/plan.md" };
  },
  handler: (context, { path }) => {
    const { db } = context;
    const { folder, name } = splitPath(path, "path");
    const inside = filesIn(db, folderBy(db, folder, "path"));
    const found = inside.find((row) => same(row.name, name));
    must(found, 404, () => {
      const names = inside.map((row) => `"${row.name}"`).slice(0, 5);
      const words = names.length > 0 ? `it has ${names.join(", ")}` : "it has none";
      return `path: there is no file "${name}" in "${folder}"; ${words}`;
    });
    return fileItem.view(found, context);
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

const used = (db: Reader) => usedBy(db.where(files, { owner: null }));

const quota = countsApi(
  "Show how many characters own files take, those in the trash included, and how many fit.",
  {
    used,
    free: (db) => LIMIT - used(db),
    limit: () => LIMIT,
    files: liveFiles,
    trashed: (db) => db.where(files, { owner: null, state: "trashed" }),
  },
);

export const findingApis = {
  list: anyFile.list("List own files, by path unless sorted otherwise.", {
    params: {
      folder: folderParam("only in this folder").optional(),
      deep: z.boolean().default(true).describe("with the folders below that folder"),
    },
    filters: {
      kind: ofKind("only of this kind"),
      tag: [
        line("only with this tag"),
        where(({ tags }, tag) => tags.some((own) => same(own, tag))),
      ],
      favourite: either("only favourites, or only others"),
      locked: either("only locked ones, or only others"),
      since: [day("only changed on this day or later"), where(({ at }, day) => dayOf(at) >= day)],
      before: [day("only changed before this day"), where(({ at }, day) => dayOf(at) < day)],
    },
    rows: ({ folder, deep }, { db }) => {
      if (folder === undefined) return liveFiles(db);
      const top = folderBy(db, folder, "folder");
      const inside = deep ? below(db, top) : new Set([top]);
      return liveFiles(db).filter((row) => inside.has(row.folder));
    },
    sorts: {
      path: byPath,
      name: by(({ name }) => name, pathKey),
      newest: by(
        falling(({ at }) => at),
        pathKey,
      ),
      largest: by(
        falling(({ text }) => text.length),
        pathKey,
      ),
    },
    example: (db) => ({ folder: aFolder(db), kind: "table", size: 20 }),
  }),
  find,
  search: anyFile.list("Search the names of own files, by path.", {
    words: ["name"],
    rows: LIVE,
    order: byPath,
    example: { query: "costs" },
  }),
  searchText: listing(
    "Search the texts of own files: every line that has the words, by path and line.",
    {
      item: asIs({ name: z.string(), id: z.int(), line: z.int(), text: z.string() }),
      params: {
        query,
        folder: folderParam("only in this folder and below it").default("/"),
        kind: z.enum(KINDS).optional().describe("only in files of this kind"),
      },
      rows: ({ query, folder, kind }, context) => {
        const { db } = context;
        const inside = below(db, folderBy(db, folder, "folder"));
        const rows = liveFiles(db).filter(
          (row) => inside.has(row.folder) && (kind === undefined || kindOf(row.name) === kind),
        );
        return byPath(rows, context).flatMap(({ name, id, text }) =>
          linesOf(text).flatMap((text, i) =>
            contains(text, query) ? [{ name, id, line: i + 1, text }] : [],
          ),
        );
      },
      example: { query: "total", kind: "text" },
    },
  ),
  stat: anyFile.show("Show all about a file but its text.", { item: wholeItem }),
  checksum: anyFile.show("Give the checksum of a file's text: equal texts have equal checksums.", {
    item: itemOf(files, {
      ...files.fields("name", "id"),
      checksum: [z.string(), ({ text }) => hash32(text).toString(16).padStart(8, "0")],
    }),
  }),
  duplicates: anyFile.list("List own files whose text another own file has too, by path.", {
    rows: (_, { db }) => liveFiles(db).filter(repeated(db)),
    order: byPath,
  }),
  compare,
  quota,
};
