/** Files of others that are shared with the owner, and the trash, as sets. */
import { type Collection, collection, type Forms } from "../../../../goals/index.ts";
import { files, type StoredFile } from "../../apps/files/tables.ts";
import { handleOf } from "../../apps/shared.ts";
import { having, js } from "../old-papers.ts";
import {
  before,
  day,
  type FileClause,
  kind,
  large,
  lineCount,
  name,
  says,
  since,
  size,
} from "./clauses.ts";
import { costs, guestLists, ownFiles, receipts } from "./collections.ts";

const from: FileClause = {
  name: "from",
  draw: (draw, rows) => {
    const person = draw.person(rows.flatMap(({ owner }) => owner ?? []));
    if (!person) return undefined;
    const who = person.value;
    return {
      words: [
        `from ${who.name}`,
        `of ${who.name}`,
        `that belong to ${who.name}`,
        `whose owner is ${who.name}`,
        `which ${who.name} owns`,
      ],
      holds: (row) => row.owner === who.id,
      code: { args: `from:${person.code}` },
      uses: [person],
    };
  },
};

const role: FileClause = having({
  name: "role",
  of: ({ role }) => (role === "owner" ? [] : [role]),
  words: (role): Forms => [
    `where I am ${role === "editor" ? "an editor" : "a viewer"}`,
    `for which my role is "${role}"`,
    `that I ${role === "editor" ? "may edit" : "may only view"}`,
    `with the role "${role}" for me`,
    `in which I have the role "${role}"`,
  ],
  code: (role) => ({ args: `role:${js(role)}` }),
});

export const others = {
  app: "files",
  table: files,
  key: "id",
  whole: true,
  fields: [
    name,
    size,
    lineCount,
    {
      name: "owner",
      unit: "text",
      noun: "owner's handle",
      value: ({ owner }, db) => handleOf(db, owner ?? 0),
      code: "x.from",
    },
  ],
} as const satisfies Partial<Collection<StoredFile>>;

const borrowed = collection<StoredFile>({
  ...others,
  name: "borrowed-files",
  kind: "borrowed-files",
  base: ({ owner, state }) => owner !== null && state === "live",
  nouns: [
    { one: "file shared with me", many: "files shared with me" },
    { one: "file that others share with me", many: "files that others share with me" },
    {
      one: "file of others that is shared with me",
      many: "files of others that are shared with me",
    },
    { one: "file that somebody shares with me", many: "files that somebody shares with me" },
    {
      one: "file which others have shared with me",
      many: "files which others have shared with me",
    },
  ],
  list: { api: "files.sharedWithMe" },
  clauses: [from, role, kind, large, says],
});

const viewed = collection<StoredFile>({
  ...others,
  name: "viewed-files",
  kind: "viewed-files",
  base: ({ owner, state, role }) => owner !== null && state === "live" && role === "viewer",
  nouns: [
    { one: "file of others that I may only view", many: "files of others that I may only view" },
    { one: "file shared with me for viewing only", many: "files shared with me for viewing only" },
    {
      one: "file that others share with me as viewer",
      many: "files that others share with me as viewer",
    },
    {
      one: "file of others where I am just a viewer",
      many: "files of others where I am just a viewer",
    },
    {
      one: "file that is shared with me as a viewer",
      many: "files that are shared with me as a viewer",
    },
  ],
  list: { api: "files.sharedWithMe", args: 'role:"viewer"' },
  clauses: [from, kind, large, says],
});

export const edited = collection<StoredFile>({
  ...others,
  name: "editable-files",
  kind: "editable-files",
  base: ({ owner, state, role }) => owner !== null && state === "live" && role === "editor",
  nouns: [
    { one: "file of others that I may edit", many: "files of others that I may edit" },
    { one: "file shared with me for editing", many: "files shared with me for editing" },
    {
      one: "file that others share with me as editor",
      many: "files that others share with me as editor",
    },
    { one: "file of others where I am an editor", many: "files of others where I am an editor" },
    {
      one: "file that is shared with me as an editor",
      many: "files that are shared with me as an editor",
    },
  ],
  list: { api: "files.sharedWithMe", args: 'role:"editor"' },
  clauses: [from, kind, large, says],
});

const trashed = collection<StoredFile>({
  name: "trashed-files",
  kind: "trashed-files",
  app: "files",
  table: files,
  base: ({ state }) => state === "trashed",
  nouns: [
    { one: "file in the trash", many: "files in the trash" },
    { one: "file in my trash", many: "files in my trash" },
    { one: "trashed file", many: "trashed files" },
    { one: "file that lies in the trash", many: "files that lie in the trash" },
    { one: "file which I moved to the trash", many: "files which I moved to the trash" },
  ],
  list: { api: "files.trashed" },
  key: "id",
  whole: true,
  clauses: [large, before, { ...since, ...tested(since, (day) => `x.changed>=${day}`) }],
  fields: [name, size, day],
});

/** The same clause for a list that has no such argument: the value of `args` is tested on the item. */
function tested(clause: FileClause, test: (value: string) => string): Pick<FileClause, "draw"> {
  return {
    draw: (draw, rows) => {
      const filter = clause.draw(draw, rows);
      const value = filter?.code.args?.split(":").slice(1).join(":");
      return filter && value ? { ...filter, code: { test: test(value) } } : undefined;
    },
  };
}

export const fileCollections: readonly Collection[] = [
  ownFiles,
  costs,
  receipts,
  guestLists,
  borrowed,
  viewed,
  edited,
  trashed,
];
