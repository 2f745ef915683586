/** Defines the APIs of the trash, of copies of the same picture, and of edits that can be reverted. */

import { idParam, listApi, refuseUnless, resource } from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import {
  examplePhotoId,
  ownPhotoResource,
  ownPhotos,
  photoItem,
  requireOwnPhoto,
  sortLatestFirst,
} from "./photo-items.ts";
import { edits, type Photo, photoRows } from "./tables.ts";

const { keys } = ownPhotoResource;
const anyPhoto = resource({ table: photoRows, noun: "photo", item: photoItem, keys });

function copiesOfPhoto(db: Reader, { digest }: Photo): Photo[] {
  return db
    .where(photoRows, { digest, person: null, trashed: false })
    .toSorted((a, b) => b.kilobytes - a.kilobytes || a.id - b.id);
}

/** Returns the largest photo of each picture that exists more than once. */
function largestCopies(db: Reader): Photo[] {
  return ownPhotos(db).filter((row) => {
    const copies = copiesOfPhoto(db, row);
    return copies.length > 1 && copies[0]!.id === row.id;
  });
}

const copyItem = photoRows.item({
  ...photoRows.fields("name", "id", "kilobytes"),
  copies: [
    z.array(z.int()).describe("ids of the smaller ones"),
    (row, { db }) => copiesOfPhoto(db, row).flatMap(({ id }, i) => (i > 0 ? id : [])),
  ],
});

const editRows = resource({
  noun: "edit",
  item: edits.item({
    ...edits.fields("kind", "id", "photo"),
    amount: z.int().nullable().describe("degrees or percent"),
    reverted: z.boolean(),
  }),
});

const exampleEditedPhotoId = (db: Reader) =>
  examplePhotoId(db, ({ id }) => db.where(edits, { photo: id, reverted: false }).length > 0);

const isMonochrome = (db: Reader, photo: number) =>
  db.where(edits, { photo, kind: "monochrome", reverted: false }).length > 0;

export const trashAndEditApis = {
  trash: anyPhoto.list("List the photos in the trash, newest first.", {
    rows: { person: null, trashed: true },
    order: sortLatestFirst,
  }),
  remove: ownPhotoResource.set("Move an own photo to the trash; albums no longer show it.", {
    trashed: true,
  }),
  restore: anyPhoto.set(
    "Take a photo out of the trash, back into its albums.",
    { trashed: false },
    "is not in the trash",
  ),
  duplicates: listApi(
    "List own photos of which there are copies: the largest of each, by id; the trash is left out.",
    {
      item: copyItem,
      rows: (_, { db }) => largestCopies(db),
    },
  ),
  removeCopies: defineApi({
    summary: "Move all other copies of an own photo to the trash.",
    params: z.strictObject({ id: idParam("own photo that stays") }),
    returns: photoItem.with({ removed: z.int() }).schema,
    example: (db) => ({ id: largestCopies(db)[0]?.id ?? 1 }),
    handler: (context, { id }) => {
      const { db } = context;
      const row = requireOwnPhoto(db, id);
      const others = copiesOfPhoto(db, row).filter((copy) => copy.id !== id);
      refuseUnless(others.length > 0, 409, `id: photo ${id} has no copies`);
      for (const copy of others) db.update(photoRows, copy.id, { trashed: true });
      return { ...photoItem.view(row, context), removed: others.length };
    },
  }),
  edits: editRows.list("List the edits of an own photo, oldest first, reverted ones too.", {
    parent: [ownPhotoResource, "photo"],
    example: (db) => ({ id: exampleEditedPhotoId(db) }),
  }),
  rotate: editRows.add("Rotate an own photo clockwise.", {
    parent: [ownPhotoResource, "photo"],
    params: {
      degrees: z.union([z.literal(90), z.literal(180), z.literal(270)]).describe("90, 180 or 270"),
    },
    row: ({ degrees }) => ({ kind: "rotate", amount: degrees, reverted: false }),
    example: { degrees: 90 },
  }),
  crop: editRows.add("Crop an own photo around its middle.", {
    parent: [ownPhotoResource, "photo"],
    params: { percent: z.int().min(10).max(99).describe("how much stays") },
    row: ({ percent }) => ({ kind: "crop", amount: percent, reverted: false }),
    example: { percent: 80 },
  }),
  brighten: editRows.add("Make an own photo brighter or darker.", {
    parent: [ownPhotoResource, "photo"],
    params: { percent: z.int().min(-100).max(100).describe("negative: darker") },
    checkArguments: ({ percent }) =>
      refuseUnless(percent !== 0, 422, "percent: expected a change, got 0"),
    row: ({ percent }) => ({ kind: "brighten", amount: percent, reverted: false }),
    example: { percent: 20 },
  }),
  monochrome: editRows.add("Make an own photo black and white.", {
    parent: [ownPhotoResource, "photo"],
    params: keys,
    checkArguments: ({ id }, { db }) => {
      const isColoured = !isMonochrome(db, id);
      refuseUnless(isColoured, 409, `id: photo ${id} is black and white already`);
    },
    row: () => ({ kind: "monochrome", amount: null, reverted: false }),
    example: (db) => ({ id: examplePhotoId(db, ({ id }) => !isMonochrome(db, id)) }),
  }),
  revert: defineApi({
    summary: "Undo the last edit of an own photo, or all of them.",
    params: z.strictObject({
      ...keys,
      all: z.boolean().default(false).describe("back to the original"),
    }),
    returns: z.strictObject({ name: z.string(), id: z.int(), edits: z.int(), reverted: z.int() }),
    example: (db) => ({ id: exampleEditedPhotoId(db) }),
    handler: ({ db }, { id, all }) => {
      const { name } = requireOwnPhoto(db, id);
      const active = db.where(edits, { photo: id, reverted: false });
      refuseUnless(active.length > 0, 409, `id: photo ${id} has no edits to revert`);
      const reverted = all ? active : active.slice(-1);
      for (const row of reverted) db.update(edits, row.id, { reverted: true });
      return { name, id, edits: active.length - reverted.length, reverted: reverted.length };
    },
  }),
};
