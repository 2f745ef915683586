/**
 * Defines the APIs of sharing: own files shared with contacts by role, and files of others that are shared with the
 * owner.
 */

import {
  defineItem,
  refuseUnless,
  resource,
  textOfReferencedRow,
  upsertRow,
  withoutUndefined,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  exampleHandleWhere,
  handleField,
  handleOf,
  handleParam,
  personColumnFilter,
  requirePerson,
  requireReceiver,
} from "../shared.ts";
import { requireFile, requireOwnFile, requireStorage } from "./access-and-texts.ts";
import { exampleFileId, exampleShare, exampleSharedFileId } from "./examples.ts";
import { fileItem, folderParam, id, kindFilter, role, sharedItem } from "./file-items.ts";
import { requireFolderId, requireFreePath } from "./paths.ts";
import {
  type EditRequest,
  editRequests,
  type FileShare,
  fileShares,
  files,
  ROLES,
} from "./tables.ts";
import { NEW_FILE } from "./writing.ts";

const whom = handleParam("with whom");

/** Returns the share of the file with this person, whether it is active or has ended. */
const findShare = (db: Reader, file: number, person: number): FileShare | undefined =>
  db.where(fileShares, { file, person })[0];

const shares = resource({
  noun: "share",
  item: defineItem(fileShares, {
    name: textOfReferencedRow(files, "file", "name", "removed"),
    id: [z.int(), ({ file }) => file],
    person: handleField,
    role: z.enum(ROLES),
  }),
  keys: { id, person: whom },
  find: ({ id, person: handle }, { db }) => {
    const file = requireOwnFile(db, id);
    const row = findShare(db, file.id, requirePerson(db, handle, "person").id);
    const hint = "files.shares lists them";
    const isActive = row?.status === "active";
    refuseUnless(isActive, 404, `person: "${file.name}" is not shared with "${handle}"; ${hint}`);
    return row;
  },
  example: exampleShare,
});

const sharedFiles = resource({
  noun: "file",
  item: sharedItem,
  find: ({ id }, { db }) => {
    const row = requireFile(db, id);
    const expected = "expected a file that another shares with you";
    refuseUnless(row.owner !== null, 422, `id: ${expected}, "${row.name}" is yours`);
    return row;
  },
  example: (db) => ({ id: exampleSharedFileId(db, "viewer") }),
});

const askedFile = (db: Reader, { file }: EditRequest) => db.get(files, file)!;

const questionResource = resource({
  noun: "question",
  item: defineItem(editRequests, {
    name: [z.string(), (row, { db }) => askedFile(db, row).name],
    id: [z.int(), ({ file }) => file],
    from: [z.string(), (row, { db }) => handleOf(db, askedFile(db, row).owner ?? 0)],
    status: z.enum(["pending", "withdrawn"]),
  }),
  keys: { id },
  find: ({ id }, context) => {
    const [row] = context.db.where(editRequests, {
      file: sharedFiles.find({ id }, context).id,
      status: "pending",
    });
    refuseUnless(row, 409, `id: expected a file that you have asked to edit, got ${id}`);
    return row;
  },
  example: (db) => ({ id: db.where(editRequests, { status: "pending" })[0]?.file ?? 1 }),
});

export const sharingApis = {
  share: shares.add("Share an own file with a contact.", {
    params: { id, person: whom, role: role.default("viewer") },
    row: ({ id, role, ...args }, { db }) => {
      const { id: file, name } = requireOwnFile(db, id);
      const { id: person, handle } = requireReceiver(db, args.person, "person");
      const old = findShare(db, file, person);
      const known = `"${name}" is already shared with "${handle}" as ${old?.role}`;
      refuseUnless(old?.status !== "active", 409, `person: ${known}; files.setRole changes that`);
      return upsertRow(db, fileShares, { file, person }, { role, status: "active" });
    },
    example: (db) => ({ id: exampleFileId(db), person: exampleHandleWhere(db), role: "editor" }),
  }),
  setRole: shares.change("Change what a contact may do with a shared own file.", {
    params: { role },
    set: (row, { role, ...args }) => {
      refuseUnless(row.role !== role, 409, `role: "${args.person}" is ${role} already`);
      return { role };
    },
    example: (db) => {
      const share = exampleShare(db);
      const row = db.where(fileShares, { file: share.id, status: "active" })[0];
      return { ...share, role: row?.role === "viewer" ? "editor" : "viewer" };
    },
  }),
  unshare: shares.set("Stop sharing an own file with a contact.", { status: "ended" }),
  shares: shares.list(
    "List with whom own files are shared, in the order of sharing; shares that ended are left out.",
    {
      params: { id: id.optional().describe("only of this file") },
      filters: { person: personColumnFilter("with whom", "person"), role },
      rows: ({ id }, { db }) => {
        if (id !== undefined) requireOwnFile(db, id);
        return withoutUndefined({ file: id, status: "active" as const });
      },
      example: (db) => ({ id: exampleShare(db).id }),
    },
  ),
  sharedWithMe: sharedFiles.list(
    "List files that others share with you, oldest first; those that you left are left out.",
    {
      filters: {
        from: personColumnFilter("only of this person", "from", "owner"),
        role: role.describe("only those where you are this"),
        kind: kindFilter("only of this kind"),
      },
      rows: (_, { db }) => db.where(files, { state: "live" }).filter(({ owner }) => owner !== null),
      example: { role: "editor" },
    },
  ),
  askToEdit: questionResource.add(
    "Ask the owner of a file, which you may only view, to let you edit it.",
    {
      params: { id },
      row: ({ id }, context) => {
        const { db } = context;
        const { role, name } = sharedFiles.find({ id }, context);
        refuseUnless(role !== "editor", 409, `id: you may edit "${name}" already`);
        const [old] = db.where(editRequests, { file: id });
        refuseUnless(old?.status !== "pending", 409, `id: you have asked for file ${id} already`);
        return upsertRow(db, editRequests, { file: id }, { status: "pending" });
      },
      example: (db) => {
        const isNew = ({ id }: { id: number }) => db.where(editRequests, { file: id }).length === 0;
        return { id: db.where(files, { state: "live", role: "viewer" }).find(isNew)?.id ?? 1 };
      },
    },
  ),
  asks: questionResource.list("List the open questions to edit files of others, oldest first.", {
    rows: { status: "pending" },
  }),
  leave: sharedFiles.set("Leave a file that another shares with you; you see it no longer.", {
    state: "left",
  }),
  keep: sharedFiles.act("Keep a file of another: copy it under its name into a folder of yours.", {
    params: { folder: folderParam("the folder for the copy") },
    item: fileItem,
    run: ({ name, text }, args, { db, now }) => {
      const folder = requireFolderId(db, args.folder, "folder");
      requireFreePath(db, folder, name, "folder");
      requireStorage(db, text.length);
      return db.insert(files, { ...NEW_FILE, name, folder, text, at: now });
    },
    example: { folder: "/" },
  }),
};
