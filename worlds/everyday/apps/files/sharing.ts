/** Who else may see or edit: own files shared with contacts by role, and files of others that are shared with the owner. */

import { given, itemOf, must, put, resource, through } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  handle,
  handleOf,
  ofPerson,
  personBy,
  receiver,
  someHandle,
  theirHandle,
} from "../shared.ts";
import { claim, fileBy, ownFile } from "./access.ts";
import { aFile, aShare, aSharedFile } from "./examples.ts";
import { folderBy, freeIn } from "./paths.ts";
import { type Ask, asks, type FileShare, fileShares, files, ROLES } from "./tables.ts";
import { fileItem, folderParam, id, ofKind, role, sharedItem } from "./views.ts";
import { FRESH } from "./writing.ts";

const to = handle("with whom");

/** What was shared with this person, now or once. */
const shareOf = (db: Reader, file: number, person: number): FileShare | undefined =>
  db.where(fileShares, { file, person })[0];

const shares = resource({
  noun: "share",
  item: itemOf(fileShares, {
    name: through(files, "file", "name", "removed"),
    id: [z.int(), ({ file }) => file],
    with: theirHandle,
    role: z.enum(ROLES),
  }),
  keys: { id, with: to },
  find: ({ id, with: came }, { db }) => {
    const file = ownFile(db, id);
    const row = shareOf(db, file.id, personBy(db, came, "with").id);
    const hint = "files.shares lists them";
    const isActive = row?.status === "active";
    must(isActive, 404, `with: "${file.name}" is not shared with "${came}"; ${hint}`);
    return row;
  },
  example: aShare,
});

const others = resource({
  noun: "file",
  item: sharedItem,
  find: ({ id }, { db }) => {
    const row = fileBy(db, id);
    const wanted = "expected a file that another shares with you";
    must(row.owner !== null, 422, `id: ${wanted}, "${row.name}" is yours`);
    return row;
  },
  example: (db) => ({ id: aSharedFile(db, "viewer") }),
});

const fileOf = (db: Reader, { file }: Ask) => db.get(files, file)!;

const questions = resource({
  noun: "question",
  item: itemOf(asks, {
    name: [z.string(), (row, { db }) => fileOf(db, row).name],
    id: [z.int(), ({ file }) => file],
    from: [z.string(), (row, { db }) => handleOf(db, fileOf(db, row).owner ?? 0)],
    status: z.enum(["pending", "withdrawn"]),
  }),
  keys: { id },
  find: ({ id }, look) => {
    const [row] = look.db.where(asks, { file: others.find({ id }, look).id, status: "pending" });
    must(row, 409, `id: expected a file that you have asked to edit, got ${id}`);
    return row;
  },
  example: (db) => ({ id: db.where(asks, { status: "pending" })[0]?.file ?? 1 }),
});

export const sharingApis = {
  share: shares.add("Share an own file with a contact.", {
    params: { id, with: to, role: role.default("viewer") },
    row: ({ id, role, ...args }, { db }) => {
      const { id: file, name } = ownFile(db, id);
      const { id: person, handle } = receiver(db, args.with, "with");
      const old = shareOf(db, file, person);
      const known = `"${name}" is already shared with "${handle}" as ${old?.role}`;
      must(old?.status !== "active", 409, `with: ${known}; files.setRole changes that`);
      return put(db, fileShares, { file, person }, { role, status: "active" });
    },
    example: (db) => ({ id: aFile(db), with: someHandle(db), role: "editor" }),
  }),
  setRole: shares.change("Change what a contact may do with a shared own file.", {
    params: { role },
    set: (row, { role, ...args }) => {
      must(row.role !== role, 409, `role: "${args.with}" is ${role} already`);
      return { role };
    },
    example: (db) => {
      const share = aShare(db);
      const row = db.where(fileShares, { file: share.id, status: "active" })[0];
      return { ...share, role: row?.role === "viewer" ? "editor" : "viewer" };
    },
  }),
  unshare: shares.set("Stop sharing an own file with a contact.", { status: "ended" }),
  shares: shares.list("List with whom own files are shared, in the order of sharing.", {
    params: { id: id.optional().describe("only of this file") },
    filters: { with: ofPerson("with whom", "with"), role },
    rows: ({ id }, { db }) => {
      if (id !== undefined) ownFile(db, id);
      return given({ file: id, status: "active" as const });
    },
    example: (db) => ({ id: aShare(db).id }),
  }),
  sharedWithMe: others.list("List files that others share with you, oldest first.", {
    filters: {
      from: ofPerson("only of this person", "from", "owner"),
      role: role.describe("only those where you are this"),
      kind: ofKind("only of this kind"),
    },
    rows: (_, { db }) => db.where(files, { state: "live" }).filter(({ owner }) => owner !== null),
    example: { role: "editor" },
  }),
  askToEdit: questions.add(
    "Ask the owner of a file, which you may only view, to let you edit it.",
    {
      params: { id },
      row: ({ id }, context) => {
        const { db } = context;
        const { role, name } = others.find({ id }, context);
        must(role !== "editor", 409, `id: you may edit "${name}" already`);
        const [old] = db.where(asks, { file: id });
        must(old?.status !== "pending", 409, `id: you have asked for file ${id} already`);
        return put(db, asks, { file: id }, { status: "pending" });
      },
      example: (db) => {
        const isNew = ({ id }: { id: number }) => db.where(asks, { file: id }).length === 0;
        return { id: db.where(files, { state: "live", role: "viewer" }).find(isNew)?.id ?? 1 };
      },
    },
  ),
  withdrawAsk: questions.set("Take back a question to edit another's file.", {
    status: "withdrawn",
  }),
  asks: questions.list("List the open questions to edit files of others, oldest first.", {
    rows: { status: "pending" },
  }),
  leave: others.set("Leave a file that another shares with you; you see it no longer.", {
    state: "left",
  }),
  keep: others.act("Keep a file of another: copy it under its name into a folder of yours.", {
    params: { folder: folderParam("the folder for the copy") },
    item: fileItem,
    run: ({ name, text }, args, { db, now }) => {
      const folder = folderBy(db, args.folder, "folder");
      freeIn(db, folder, name, "folder");
      claim(db, text.length);
      return db.insert(files, { ...FRESH, name, folder, text, at: now });
    },
    example: { folder: "/" },
  }),
};
