/** How photos and albums appear in answers, and who may see or change them: the lookups that all of photos shares. */

import { idParam, refuseUnless, resource, rowById } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { makeGuards, whose } from "../music/shared-collections.ts";
import * as tables from "./tables.ts";

// --- photos ---

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

const when = ({ day, time }: tables.Photo) => `${day} ${time}`;
/** By when they were taken. */
export const latestFirst = (rows: readonly tables.Photo[]): tables.Photo[] =>
  rows.toSorted((a, b) => (when(a) === when(b) ? b.id - a.id : when(a) < when(b) ? 1 : -1));

export function ownPhotos(db: Reader): readonly tables.Photo[] {
  return db.where(tables.photoRows, { person: null, trashed: false });
}

/** For examples: an own photo that fits. */
export function somePhoto(db: Reader, fits: (row: tables.Photo) => boolean = () => true): number {
  return ownPhotos(db).find(fits)?.id ?? 1;
}

/** One that the owner can see: an own one, or one in an album that a contact shares. */
export function photoBy(db: Reader, id: number, param = "id"): tables.Photo {
  const row = rowById(db, tables.photoRows, id, { noun: "photo", param });
  refuseUnless(!row.trashed, 404, `${param}: photo ${id} is in the trash; photos.restore first`);
  const seen = row.person === null || albumsWith(db, id).length > 0;
  refuseUnless(seen, 403, `${param}: photo ${id} is in no album that the owner can see`);
  return row;
}

export function ownPhoto(db: Reader, id: number, param = "id"): tables.Photo {
  const row = photoBy(db, id, param);
  const of = whose(db, row.person);
  refuseUnless(of === null, 403, `${param}: expected an own photo, got ${id}, which is of "${of}"`);
  return row;
}

const photo = {
  table: tables.photoRows,
  noun: "photo",
  item: photoItem,
  example: (db: Reader, fits: (row: tables.Photo) => boolean) => ({ id: somePhoto(db, fits) }),
};
export const seenPhotos = resource({ ...photo, find: ({ id }, { db }) => photoBy(db, id) });
export const ownedPhotos = resource({
  ...photo,
  keys: { id: idParam("own photo") },
  find: ({ id }, { db }) => ownPhoto(db, id),
});

export const faceOf = (db: Reader, photo: number, person: number): tables.Face | undefined =>
  db.where(tables.faces, { photo, person })[0];

export function facesOf(db: Reader, photo: number): tables.Face[] {
  return db.where(tables.faces, { photo }).filter(({ person }) => person !== null);
}

export function tagsOf(db: Reader, photo: number): string[] {
  const rows = db.where(tables.tags, { photo });
  return rows.map(({ tag }) => tag).toSorted();
}

// --- albums ---

export const albumItem = tables.albums.item({
  ...tables.albums.fields("title", "id"),
  owner: [
    z.string().nullable().describe("handle; null: the owner"),
    ({ person }, { db }) => whose(db, person),
  ],
  role: [
    z.enum(["owner", ...tables.ALBUM_ROLES]),
    ({ person, role }) => (person === null ? "owner" : role),
  ],
  photos: [z.int(), ({ id }, { db }) => photosIn(db, id).length],
  shared: [z.int().describe("with how many people"), ({ id }, { db }) => sharesOf(db, id).length],
});

/** Without those in the trash, oldest first. */
export function photosIn(db: Reader, album: number): tables.Photo[] {
  const rows = db.where(tables.placed, { album, removed: false });
  const inside = rows.map(({ photo }) => db.get(tables.photoRows, photo)!);
  return latestFirst(inside.filter(({ trashed }) => !trashed)).toReversed();
}

/** The albums that hold a photo, as far as the owner sees them. */
export function albumsWith(db: Reader, photo: number): tables.Album[] {
  const rows = db.where(tables.placed, { photo, removed: false });
  return rows.flatMap(({ album }) => {
    const row = db.get(tables.albums, album)!;
    return row.removed || row.left ? [] : [row];
  });
}

export function sharesOf(db: Reader, album: number): readonly tables.AlbumShare[] {
  return db.where(tables.albumShares, { album, ended: false });
}

/** For examples: an own album that is there and holds something. */
export function someAlbum(db: Reader, fits: (row: tables.Album) => boolean = () => true): number {
  const own = db.where(tables.albums, { person: null, removed: false });
  return (own.find((row) => fits(row) && photosIn(db, row.id).length > 1) ?? own[0])?.id ?? 1;
}

/** Albums as things that are shared. */
export const sharedAlbums = {
  app: "photos",
  noun: "album",
  Noun: "Album",
  table: tables.albums,
  shares: tables.albumShares,
  roles: tables.ALBUM_ROLES,
  guestUse: "looked at",
  exampleOwnId: someAlbum,
};

export const { seen: albumBy, own: ownAlbum, editable: editableAlbum } = makeGuards(sharedAlbums);
