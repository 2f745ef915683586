/** Keeping order: the trash, copies of the same picture, and edits that can be reverted. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import { idOf, paged, pageOf, paging } from "../shared.ts";
import { idIn, somePhoto } from "./examples.ts";
import { EDITS, type Edit, type EditKind, edits, type Photo, photoRows } from "./tables.ts";
import { latestFirst, ownPhoto, ownPhotos, photoItem, photoView, rowIn } from "./views.ts";

const id = idOf("own photo");

const trash = defineApi({
  summary: "List the photos in the trash, newest first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(photoItem),
  example: () => ({}),
  handler: ({ db }, page) =>
    paged(latestFirst(db.where(photoRows, { person: null, trashed: true })), page, photoView),
});

const remove = defineApi({
  summary: "Move an own photo to the trash; albums no longer show it.",
  params: z.strictObject({ id }),
  returns: photoItem,
  example: (db) => ({ id: somePhoto(db) }),
  handler: ({ db }, { id }) =>
    photoView(db.update(photoRows, ownPhoto(db, id).id, { trashed: true })),
});

const restore = defineApi({
  summary: "Take a photo out of the trash, back into its albums.",
  params: z.strictObject({ id }),
  returns: photoItem,
  example: (db) => ({ id: idIn(db, photoRows, ({ trashed }) => trashed) }),
  handler: ({ db }, { id }) => {
    const row = rowIn(db, photoRows, id, "id", "photo");
    if (!row.trashed) throw new ApiError(409, `id: photo ${id} is not in the trash`);
    return photoView(db.update(photoRows, id, { trashed: false }));
  },
});

// --- copies ---

function copiesOf(db: Reader, { digest }: Photo): Photo[] {
  return db
    .where(photoRows, { digest, person: null, trashed: false })
    .toSorted((a, b) => b.kilobytes - a.kilobytes || a.id - b.id);
}

/** The largest of each picture that is there more than once, by id. */
function originals(db: Reader): Photo[] {
  return ownPhotos(db).filter((row) => {
    const copies = copiesOf(db, row);
    return copies.length > 1 && copies[0]!.id === row.id;
  });
}

const copyItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  kilobytes: z.int(),
  copies: z.array(z.int()).describe("ids of the smaller ones"),
});

const copyView = (db: Reader) => (row: Photo) => ({
  name: row.name,
  id: row.id,
  kilobytes: row.kilobytes,
  copies: copiesOf(db, row)
    .slice(1)
    .map(({ id }) => id),
});

const duplicates = defineApi({
  summary: "List own photos of which there are copies: the largest of each, by id.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(copyItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(originals(db), page, copyView(db)),
});

const removeCopies = defineApi({
  summary: "Move all other copies of an own photo to the trash.",
  params: z.strictObject({ id: idOf("own photo that stays") }),
  returns: z.strictObject({ ...photoItem.shape, removed: z.int() }),
  example: (db) => ({ id: originals(db)[0]?.id ?? 1 }),
  handler: ({ db }, { id }) => {
    const row = ownPhoto(db, id);
    const others = copiesOf(db, row).filter((copy) => copy.id !== id);
    if (others.length === 0) throw new ApiError(409, `id: photo ${id} has no copies`);
    for (const copy of others) db.update(photoRows, copy.id, { trashed: true });
    return { ...photoView(row), removed: others.length };
  },
});

// --- edits ---

const editItem = z.strictObject({
  kind: z.enum(EDITS),
  id: z.int(),
  photo: z.int(),
  amount: z.int().nullable().describe("degrees or percent"),
  reverted: z.boolean(),
});

const editView = ({ kind, id, photo, amount, reverted }: Edit) => ({
  kind,
  id,
  photo,
  amount,
  reverted,
});

const listEdits = defineApi({
  summary: "List the edits of an own photo, oldest first, reverted ones too.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(editItem),
  example: (db) => ({ id: edited(db) }),
  handler: ({ db }, { id, ...page }) =>
    paged(db.where(edits, { photo: ownPhoto(db, id).id }), page, editView),
});

const edited = (db: Reader) =>
  somePhoto(db, ({ id }) => db.where(edits, { photo: id, reverted: false }).length > 0);

function edit({ db }: CallContext, id: number, kind: EditKind, amount: number | null) {
  const row = { photo: ownPhoto(db, id).id, kind, amount, reverted: false };
  return editView(db.insert(edits, row));
}

const rotate = defineApi({
  summary: "Rotate an own photo clockwise.",
  params: z.strictObject({
    id,
    degrees: z.union([z.literal(90), z.literal(180), z.literal(270)]).describe("90, 180 or 270"),
  }),
  returns: editItem,
  example: (db) => ({ id: somePhoto(db), degrees: 90 }) as const,
  handler: (context, { id, degrees }) => edit(context, id, "rotate", degrees),
});

const crop = defineApi({
  summary: "Crop an own photo around its middle.",
  params: z.strictObject({ id, percent: z.int().min(10).max(99).describe("how much stays") }),
  returns: editItem,
  example: (db) => ({ id: somePhoto(db), percent: 80 }),
  handler: (context, { id, percent }) => edit(context, id, "crop", percent),
});

const brighten = defineApi({
  summary: "Make an own photo brighter or darker.",
  params: z.strictObject({ id, percent: z.int().min(-100).max(100).describe("negative: darker") }),
  returns: editItem,
  example: (db) => ({ id: somePhoto(db), percent: 20 }),
  handler: (context, { id, percent }) => {
    if (percent === 0) throw new ApiError(422, "percent: expected a change, got 0");
    return edit(context, id, "brighten", percent);
  },
});

const monochrome = defineApi({
  summary: "Make an own photo black and white.",
  params: z.strictObject({ id }),
  returns: editItem,
  example: (db) => ({ id: somePhoto(db, ({ id }) => !isMonochrome(db, id)) }),
  handler: (context, { id }) => {
    if (isMonochrome(context.db, id)) {
      throw new ApiError(409, `id: photo ${id} is black and white already`);
    }
    return edit(context, id, "monochrome", null);
  },
});

const isMonochrome = (db: Reader, photo: number) =>
  db.where(edits, { photo, kind: "monochrome", reverted: false }).length > 0;

const revert = defineApi({
  summary: "Undo the last edit of an own photo, or all of them.",
  params: z.strictObject({ id, all: z.boolean().default(false).describe("back to the original") }),
  returns: z.strictObject({ name: z.string(), id: z.int(), edits: z.int(), reverted: z.int() }),
  example: (db) => ({ id: edited(db) }),
  handler: ({ db }, { id, all }) => {
    const { name } = ownPhoto(db, id);
    const standing = db.where(edits, { photo: id, reverted: false });
    if (standing.length === 0) throw new ApiError(409, `id: photo ${id} has no edits to revert`);
    const undone = all ? standing : standing.slice(-1);
    for (const row of undone) db.update(edits, row.id, { reverted: true });
    return { name, id, edits: standing.length - undone.length, reverted: undone.length };
  },
});

export const careApis = {
  trash,
  remove,
  restore,
  duplicates,
  removeCopies,
  edits: listEdits,
  rotate,
  crop,
  brighten,
  monochrome,
  revert,
};
