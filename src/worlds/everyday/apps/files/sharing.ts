/** Who else may see or edit: own files shared with contacts by role, and files of others that are shared with the owner. */
import { z } from "zod";
import { itemOf, must, type Reader, resource, where } from "../../../../world/index.ts";
import {
  given,
  handle,
  handleOf,
  ofPerson,
  personBy,
  personId,
  receiver,
  rowBy,
} from "../shared.ts";
import { claim, fileBy, kindOf, ownFile } from "./access.ts";
import { aFile, aShare, aSharedFile, someone } from "./examples.ts";
import { folderBy, freeIn } from "./paths.ts";
import { type Ask, asks, fileShares, files, ROLES, type StoredFile } from "./tables.ts";
import { fileItem, filesBy, folderParam, id, kindParam, role, sharedItem } from "./views.ts";
import { addFile } from "./writing.ts";

const to = handle("with whom");

/** With whom an own file is shared now. */
const share = resource({
  table: fileShares,
  noun: "share",
  item: itemOf(fileShares, {
    name: [z.string(), ({ file }, { db }) => db.get(files, file)?.name ?? "removed"],
    id: [z.int(), ({ file }) => file],
    with: [z.string(), ({ person }, { db }) => handleOf(db, person)],
    role: z.enum(ROLES),
  }),
  keys: { id, with: to },
  find: ({ id, with: came }, { db }) => {
    const { name } = ownFile(db, id);
    const person = personBy(db, came, "with").id;
    const [row] = db.where(fileShares, { file: id, person, status: "active" });
    must(row, 404, `with: "${name}" is not shared with "${came}"; files.shares lists them`);
    return row;
  },
  example: aShare,
});

/** Another's file that the owner still sees. */
function otherFile(db: Reader, id: number): StoredFile {
  const row = fileBy(db, id);
  must(
    row.owner !== null,
    422,
    `id: expected a file that another shares with you, "${row.name}" is yours`,
  );
  return row;
}

const others = filesBy(otherFile, sharedItem, (db) => aSharedFile(db, "viewer"));

const fileOf = ({ file }: Ask, db: Reader) => rowBy(db, files, file, "file");

const ask = resource({
  table: asks,
  noun: "question",
  item: itemOf(asks, {
    name: [z.string(), (row, { db }) => fileOf(row, db).name],
    id: [z.int(), ({ file }) => file],
    from: [z.string(), (row, { db }) => handleOf(db, fileOf(row, db).owner ?? 0)],
    status: z.enum(["pending", "withdrawn"]),
  }),
  keys: { id },
  find: ({ id }, { db }) => {
    const [row] = db.where(asks, { file: otherFile(db, id).id, status: "pending" });
    must(row, 409, `id: expected a file that you have asked to edit, got ${id}`);
    return row;
  },
  example: (db) => ({ id: db.all(asks).find(({ status }) => status === "pending")?.file ?? 1 }),
});

export const sharingApis = {
  share: share.add("Share an own file with a contact.", {
    params: { id, with: to, role: role.default("viewer") },
    row: ({ id: file, role, ...args }, { db }) => {
      const { name } = ownFile(db, file);
      const { id: person, handle } = receiver(db, args.with, "with");
      const [old] = db.where(fileShares, { file, person });
      must(
        old?.status !== "active",
        409,
        `with: "${name}" is already shared with "${handle}" as ${old?.role}; files.setRole changes that`,
      );
      const what = { role, status: "active" } as const;
      return old ? db.update(fileShares, old.id, what) : { file, person, ...what };
    },
    example: (db) => ({ id: aFile(db), with: someone(db), role: "editor" }),
  }),
  setRole: share.change("Change what a contact may do with a shared own file.", {
    params: { role },
    unless: (row, { role, ...args }) =>
      must(row.role !== role, 409, `role: "${args.with}" is ${role} already`),
    set: (_, { role }) => ({ role }),
    example: (db) => {
      const share = aShare(db);
      const row = db.where(fileShares, { file: share.id, status: "active" })[0];
      return { ...share, role: row?.role === "viewer" ? "editor" : "viewer" };
    },
  }),
  unshare: share.change("Stop sharing an own file with a contact.", { set: { status: "ended" } }),
  shares: share.list("List with whom own files are shared, in the order of sharing.", {
    params: {
      id: id.optional().describe("only of this file"),
      with: to.optional(),
      role: role.optional(),
    },
    rows: ({ id, role, with: to }, { db }) => {
      const person = personId(db, to, "with");
      if (id !== undefined) ownFile(db, id);
      return db.where(fileShares, given({ file: id, person, role, status: "active" }));
    },
    example: (db) => ({ id: aShare(db).id }),
  }),

  sharedWithMe: others.list("List files that others share with you, oldest first.", {
    rows: (_, { db }) => db.where(files, { state: "live" }).filter(({ owner }) => owner !== null),
    filters: {
      from: ofPerson("only of this person", "from", "owner"),
      role: role.describe("only those where you are this"),
      kind: [
        kindParam.describe("only of this kind"),
        where(({ name }, kind) => kindOf(name) === kind),
      ],
    },
    example: { role: "editor" },
  }),
  askToEdit: ask.add("Ask the owner of a file, which you may only view, to let you edit it.", {
    params: { id },
    row: ({ id: file }, { db }) => {
      const { name, role } = otherFile(db, file);
      must(role !== "editor", 409, `id: you may edit "${name}" already`);
      const [old] = db.where(asks, { file });
      must(old?.status !== "pending", 409, `id: you have asked for file ${file} already`);
      const status = "pending" as const;
      return old ? db.update(asks, old.id, { status }) : { file, status };
    },
    example: (db) => {
      const seen = db.where(files, { state: "live", role: "viewer" });
      return { id: seen.find(({ id }) => db.where(asks, { file: id }).length === 0)?.id ?? 1 };
    },
  }),
  withdrawAsk: ask.change("Take back a question to edit another's file.", {
    set: { status: "withdrawn" },
  }),
  asks: ask.list("List the open questions to edit files of others, oldest first.", {
    rows: { status: "pending" },
  }),
  leave: others.change("Leave a file that another shares with you; you see it no longer.", {
    set: { state: "left" },
  }),
  keep: others.act("Keep a file of another: copy it under its name into a folder of yours.", {
    params: { folder: folderParam("the folder for the copy") },
    run: ({ name, text }, args, { db, now }) => {
      const folder = folderBy(db, args.folder, "folder");
      freeIn(db, folder, name, "folder");
      claim(db, text.length);
      return addFile(db, { name, folder, text, at: now });
    },
    item: fileItem,
    example: { folder: "/" },
  }),
};
