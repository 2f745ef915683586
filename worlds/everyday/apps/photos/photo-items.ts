/** Defines how photos and albums are shown in answers, and which of them a call may see or change. */

import { idParam, refuseUnless, resource, rowById } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { makeGuards } from "../music/shared-collections.ts";
import { handleOrNull } from "../shared.ts";
import * as tables from "./tables.ts";

export const photoItem = tables.photoRows.item(
  "name",
  "id",
  "kind",
  "day",
  "time",
  "place",
  "city",
  "caption",
  "kilobytes",
  "favourite",
  "hidden",
);

const dayAndTime = ({ day, time }: tables.Photo) => `${day} ${time}`;
/** Sorts photos by when they were taken, the latest first. */
export const sortLatestFirst = (rows: readonly tables.Photo[]): tables.Photo[] =>
  rows.toSorted((a, b) =>
    dayAndTime(a) === dayAndTime(b) ? b.id - a.id : dayAndTime(a) < dayAndTime(b) ? 1 : -1,
  );

export function ownPhotos(db: Reader): readonly tables.Photo[] {
  return db.where(tables.photoRows, { person: null, trashed: false });
}

/** Returns the id of one of the owner's photos for which `fits` returns true. Examples of API calls use it. */
export function examplePhotoId(
  db: Reader,
  fits: (row: tables.Photo) => boolean = () => true,
): number {
  return ownPhotos(db).find(fits)?.id ?? 1;
}

/**
 * Returns a photo that the owner can see: an own one, or one in an album that a contact shares. Throws a 404 or 403
 * otherwise.
 */
export function requireVisiblePhoto(db: Reader, id: number, param = "id"): tables.Photo {
  const row = rowById(db, tables.photoRows, id, { noun: "photo", param });
  refuseUnless(!row.trashed, 404, `${param}: photo ${id} is in the trash; photos.restore first`);
  const isVisible = row.person === null || visibleAlbumsWith(db, id).length > 0;
  refuseUnless(isVisible, 403, `${param}: photo ${id} is in no album that the owner can see`);
  return row;
}

export function requireOwnPhoto(db: Reader, id: number, param = "id"): tables.Photo {
  const row = requireVisiblePhoto(db, id, param);
  const owner = handleOrNull(db, row.person);
  refuseUnless(
    owner === null,
    403,
    `${param}: expected an own photo, got ${id}, which is of "${owner}"`,
  );
  return row;
}

const photoOptions = {
  table: tables.photoRows,
  noun: "photo",
  item: photoItem,
  example: (db: Reader, fits: (row: tables.Photo) => boolean) => ({ id: examplePhotoId(db, fits) }),
};
export const visiblePhoto = resource({
  ...photoOptions,
  find: ({ id }, { db }) => requireVisiblePhoto(db, id),
});
export const ownPhotoResource = resource({
  ...photoOptions,
  keys: { id: idParam("own photo") },
  find: ({ id }, { db }) => requireOwnPhoto(db, id),
});

export const findFace = (db: Reader, photo: number, person: number): tables.Face | undefined =>
  db.where(tables.faces, { photo, person })[0];

export function namedFaces(db: Reader, photo: number): tables.Face[] {
  return db.where(tables.faces, { photo }).filter(({ person }) => person !== null);
}

export function photoTags(db: Reader, photo: number): string[] {
  const rows = db.where(tables.tags, { photo });
  return rows.map(({ tag }) => tag).toSorted();
}

export const albumItem = tables.albums.item({
  ...tables.albums.fields("title", "id"),
  owner: [
    z.string().nullable().describe("handle; null: the owner"),
    ({ person }, { db }) => handleOrNull(db, person),
  ],
  role: [
    z.enum(["owner", ...tables.ALBUM_ROLES]),
    ({ person, role }) => (person === null ? "owner" : role),
  ],
  photos: [z.int(), ({ id }, { db }) => photosInAlbum(db, id).length],
  shared: [
    z.int().describe("with how many people"),
    ({ id }, { db }) => activeAlbumShares(db, id).length,
  ],
});

/** Returns the photos of an album, oldest first, without those in the trash. */
export function photosInAlbum(db: Reader, album: number): tables.Photo[] {
  const rows = db.where(tables.albumPhotos, { album, removed: false });
  const photos = rows.map(({ photo }) => db.get(tables.photoRows, photo)!);
  return sortLatestFirst(photos.filter(({ trashed }) => !trashed)).toReversed();
}

/** Returns the albums that contain a photo and that the owner can see. */
export function visibleAlbumsWith(db: Reader, photo: number): tables.Album[] {
  const rows = db.where(tables.albumPhotos, { photo, removed: false });
  return rows.flatMap(({ album }) => {
    const row = db.get(tables.albums, album)!;
    return row.removed || row.left ? [] : [row];
  });
}

export function activeAlbumShares(db: Reader, album: number): readonly tables.AlbumShare[] {
  return db.where(tables.albumShares, { album, ended: false });
}

/**
 * Returns the id of one of the owner's albums that has more than one photo and for which `fits` returns true. Examples
 * of API calls use it.
 */
export function exampleOwnAlbumId(
  db: Reader,
  fits: (row: tables.Album) => boolean = () => true,
): number {
  const own = db.where(tables.albums, { person: null, removed: false });
  return (own.find((row) => fits(row) && photosInAlbum(db, row.id).length > 1) ?? own[0])?.id ?? 1;
}

/** Describes albums for the functions of `shared-collections.ts`. */
export const sharedAlbums = {
  app: "photos",
  noun: "album",
  Noun: "Album",
  table: tables.albums,
  shares: tables.albumShares,
  roles: tables.ALBUM_ROLES,
  guestUse: "looked at",
  exampleOwnId: exampleOwnAlbumId,
};

export const {
  seen: requireVisibleAlbum,
  own: requireOwnAlbum,
  editable: requireEditableAlbum,
} = makeGuards(sharedAlbums);
