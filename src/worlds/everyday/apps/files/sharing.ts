/** Who else may see or edit: own files shared with contacts by role, and files of others that are shared with the owner. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  given,
  handle,
  handleOf,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
  receiver,
  rowBy,
} from "../shared.ts";
import { claim, fileBy, kindOf, ownFile } from "./access.ts";
import { aFile, aShare, aSharedFile, someone } from "./examples.ts";
import { folderBy, freeIn } from "./paths.ts";
import {
  type Ask,
  asks,
  type FileShare,
  fileShares,
  files,
  ROLES,
  type StoredFile,
} from "./tables.ts";
import {
  fileItem,
  fileView,
  folderParam,
  id,
  kindParam,
  role,
  sharedItem,
  sharedView,
} from "./views.ts";
import { FRESH } from "./writing.ts";

const to = handle("with whom");

const shareItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  with: z.string(),
  role: z.enum(ROLES),
});

const shareView = (db: Reader) => (row: FileShare) => ({
  name: db.get(files, row.file)?.name ?? "removed",
  id: row.file,
  with: handleOf(db, row.person),
  role: row.role,
});

function shareOf(db: Reader, file: StoredFile, person: number): FileShare | undefined {
  return db.where(fileShares, { file: file.id, person })[0];
}

/** The running share of an own file with this person. */
function activeShare(db: Reader, id: number, came: string): FileShare {
  const file = ownFile(db, id);
  const row = shareOf(db, file, personBy(db, came, "with").id);
  if (row?.status === "active") return row;
  throw new ApiError(
    404,
    `with: "${file.name}" is not shared with "${came}"; files.shares lists them`,
  );
}

const share = defineApi({
  summary: "Share an own file with a contact.",
  params: z.strictObject({ id, with: to, role: role.default("viewer") }),
  returns: shareItem,
  example: (db) => ({ id: aFile(db), with: someone(db), role: "editor" as const }),
  handler: ({ db }, { id, role, ...args }) => {
    const file = ownFile(db, id);
    const person = receiver(db, args.with, "with");
    const old = shareOf(db, file, person.id);
    if (old?.status === "active") {
      throw new ApiError(
        409,
        `with: "${file.name}" is already shared with "${person.handle}" as ${old.role}; files.setRole changes that`,
      );
    }
    const what = { role, status: "active" } as const;
    const row = old
      ? db.update(fileShares, old.id, what)
      : db.insert(fileShares, { file: file.id, person: person.id, ...what });
    return shareView(db)(row);
  },
});

const setRole = defineApi({
  summary: "Change what a contact may do with a shared own file.",
  params: z.strictObject({ id, with: to, role }),
  returns: shareItem,
  example: (db) => {
    const share = aShare(db);
    const row = db.where(fileShares, { file: share.id, status: "active" })[0];
    return { ...share, role: row?.role === "viewer" ? ("editor" as const) : ("viewer" as const) };
  },
  handler: ({ db }, { id, role, ...args }) => {
    const row = activeShare(db, id, args.with);
    if (row.role === role) throw new ApiError(409, `role: "${args.with}" is ${role} already`);
    return shareView(db)(db.update(fileShares, row.id, { role }));
  },
});

const unshare = defineApi({
  summary: "Stop sharing an own file with a contact.",
  params: z.strictObject({ id, with: to }),
  returns: shareItem,
  example: (db) => aShare(db),
  handler: ({ db }, { id, ...args }) =>
    shareView(db)(db.update(fileShares, activeShare(db, id, args.with).id, { status: "ended" })),
});

const shares = defineApi({
  summary: "List with whom own files are shared, in the order of sharing.",
  params: z.strictObject({
    id: id.optional().describe("only of this file"),
    with: to.optional(),
    role: role.optional(),
    ...paging,
  }),
  returns: pageOf(shareItem),
  example: (db) => ({ id: aShare(db).id }),
  handler: ({ db }, { id, role, with: to, ...page }) => {
    const match = { file: id, person: personId(db, to, "with"), role, status: "active" as const };
    if (id !== undefined) ownFile(db, id);
    return paged(db.where(fileShares, given(match)), page, shareView(db));
  },
});

// --- files of others ---

const sharedWithMe = defineApi({
  summary: "List files that others share with you, oldest first.",
  params: z.strictObject({
    from: handle("only of this person").optional(),
    role: role.optional().describe("only those where you are this"),
    kind: kindParam.optional().describe("only of this kind"),
    ...paging,
  }),
  returns: pageOf(sharedItem),
  example: () => ({ role: "editor" as const }),
  handler: ({ db }, { from, role, kind, ...page }) => {
    const match = { state: "live" as const, owner: personId(db, from, "from"), role };
    const rows = db
      .where(files, given(match))
      .filter((row) => row.owner !== null && (kind === undefined || kindOf(row.name) === kind));
    return paged(rows, page, sharedView(db));
  },
});

/** Another's file that the owner still sees. */
function otherFile(db: Reader, id: number): StoredFile {
  const row = fileBy(db, id);
  if (row.owner !== null) return row;
  throw new ApiError(
    422,
    `id: expected a file that another shares with you, "${row.name}" is yours`,
  );
}

const askItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  from: z.string(),
  status: z.enum(["pending", "withdrawn"]),
});

const askView = (db: Reader) => (row: Ask) => {
  const file = rowBy(db, files, row.file, "file");
  return {
    name: file.name,
    id: file.id,
    from: handleOf(db, file.owner ?? 0),
    status: row.status,
  };
};

const askToEdit = defineApi({
  summary: "Ask the owner of a file, which you may only view, to let you edit it.",
  params: z.strictObject({ id }),
  returns: askItem,
  example: (db) => ({
    id:
      db
        .where(files, { state: "live", role: "viewer" })
        .find(({ id }) => db.where(asks, { file: id }).length === 0)?.id ?? 1,
  }),
  handler: ({ db }, { id }) => {
    const file = otherFile(db, id);
    if (file.role === "editor") throw new ApiError(409, `id: you may edit "${file.name}" already`);
    const [old] = db.where(asks, { file: id });
    if (old?.status === "pending")
      throw new ApiError(409, `id: you have asked for file ${id} already`);
    const status = "pending" as const;
    return askView(db)(
      old ? db.update(asks, old.id, { status }) : db.insert(asks, { file: id, status }),
    );
  },
});

const withdrawAsk = defineApi({
  summary: "Take back a question to edit another's file.",
  params: z.strictObject({ id }),
  returns: askItem,
  example: (db) => ({ id: db.all(asks).find(({ status }) => status === "pending")?.file ?? 1 }),
  handler: ({ db }, { id }) => {
    const [row] = db.where(asks, { file: otherFile(db, id).id, status: "pending" });
    if (!row) throw new ApiError(409, `id: expected a file that you have asked to edit, got ${id}`);
    return askView(db)(db.update(asks, row.id, { status: "withdrawn" }));
  },
});

const listAsks = defineApi({
  summary: "List the open questions to edit files of others, oldest first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(askItem),
  example: () => ({}),
  handler: ({ db }, page) =>
    paged(
      db.all(asks).filter(({ status }) => status === "pending"),
      page,
      askView(db),
    ),
});

const leave = defineApi({
  summary: "Leave a file that another shares with you; you see it no longer.",
  params: z.strictObject({ id }),
  returns: sharedItem,
  example: (db) => ({ id: aSharedFile(db, "viewer") }),
  handler: ({ db }, { id }) =>
    sharedView(db)(db.update(files, otherFile(db, id).id, { state: "left" })),
});

const keep = defineApi({
  summary: "Keep a file of another: copy it under its name into a folder of yours.",
  params: z.strictObject({ id, folder: folderParam("the folder for the copy") }),
  returns: fileItem,
  example: (db) => ({ id: aSharedFile(db, "viewer"), folder: "/" }),
  handler: ({ db, now }, args) => {
    const { name, text } = otherFile(db, args.id);
    const folder = folderBy(db, args.folder, "folder");
    freeIn(db, folder, name, "folder");
    claim(db, text.length);
    return fileView(db)(db.insert(files, { ...FRESH, name, folder, text, at: now }));
  },
});

export const sharingApis = {
  share,
  setRole,
  unshare,
  shares,
  sharedWithMe,
  askToEdit,
  withdrawAsk,
  asks: listAsks,
  leave,
  keep,
};
