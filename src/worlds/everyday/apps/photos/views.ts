/** How photos and albums appear in answers, and who may see or change them: the lookups that all of photos shares. */
import { z } from "zod";
import { ApiError, type Reader, type Table, type TableRow } from "../../../../world/index.ts";
import { handleOf } from "../shared.ts";
import * as tables from "./tables.ts";

/** A row by id, or a 404 that names the parameter it came in. */
export function rowIn<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  id: number,
  param: string,
  what: string,
): R {
  const row = db.get(table, id);
  if (row) return row;
  throw new ApiError(404, `${param}: there is no ${what} with id ${id}`);
}

// --- photos ---

export const photoItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  kind: z.enum(tables.KINDS),
  day: z.string(),
  time: z.string(),
  place: z.string().nullable(),
  city: z.string().nullable(),
  caption: z.string(),
  kilobytes: z.int(),
  favourite: z.boolean(),
  hidden: z.boolean(),
});

export const photoView = (row: tables.Photo) => ({
  name: row.name,
  id: row.id,
  kind: row.kind,
  day: row.day,
  time: row.time,
  place: row.place,
  city: row.city,
  caption: row.caption,
  kilobytes: row.kilobytes,
  favourite: row.favourite,
  hidden: row.hidden,
});

/** By when they were taken. */
export function latestFirst(rows: readonly tables.Photo[]): tables.Photo[] {
  const when = ({ day, time }: tables.Photo) => `${day} ${time}`;
  return rows.toSorted((a, b) => {
    const [x, y] = [when(a), when(b)];
    return x === y ? b.id - a.id : x < y ? 1 : -1;
  });
}

export function ownPhotos(db: Reader): readonly tables.Photo[] {
  return db.where(tables.photoRows, { person: null, trashed: false });
}

/** One that the owner can see: an own one, or one in an album that a contact shares. */
export function photoBy(db: Reader, id: number, param = "id"): tables.Photo {
  const row = rowIn(db, tables.photoRows, id, param, "photo");
  if (row.trashed) {
    throw new ApiError(404, `${param}: photo ${id} is in the trash; photos.restore first`);
  }
  if (row.person === null || albumsWith(db, id).length > 0) return row;
  throw new ApiError(403, `${param}: photo ${id} is in no album that the owner can see`);
}

export function ownPhoto(db: Reader, id: number, param = "id"): tables.Photo {
  const row = photoBy(db, id, param);
  if (row.person === null) return row;
  const whose = handleOf(db, row.person);
  throw new ApiError(403, `${param}: expected an own photo, got ${id}, which is of "${whose}"`);
}

export function facesOf(db: Reader, photo: number): tables.Face[] {
  return db.where(tables.faces, { photo }).filter(({ person }) => person !== null);
}

export function tagsOf(db: Reader, photo: number): string[] {
  return db
    .where(tables.tags, { photo })
    .map(({ tag }) => tag)
    .toSorted();
}

// --- albums ---

export const albumItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  owner: z.string().nullable().describe("handle; null: the owner"),
  role: z.enum(["owner", ...tables.ALBUM_ROLES]),
  photos: z.int(),
  shared: z.int().describe("with how many people"),
});

export const albumView = (db: Reader) => (row: tables.Album) => ({
  title: row.title,
  id: row.id,
  owner: row.person === null ? null : handleOf(db, row.person),
  role: row.person === null ? ("owner" as const) : row.role,
  photos: photosIn(db, row.id).length,
  shared: sharesOf(db, row.id).length,
});

export function byTitle(rows: readonly tables.Album[]): tables.Album[] {
  return rows.toSorted((a, b) => {
    const [x, y] = [a.title.toLowerCase(), b.title.toLowerCase()];
    return x === y ? a.id - b.id : x < y ? -1 : 1;
  });
}

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

export function albumBy(db: Reader, id: number, param = "id"): tables.Album {
  const row = rowIn(db, tables.albums, id, param, "album");
  if (row.left) throw new ApiError(403, `${param}: album ${id} was left; photos.joinAlbum first`);
  if (!row.removed) return row;
  throw new ApiError(404, `${param}: album ${id} was removed; photos.restoreAlbum first`);
}

export function ownAlbum(db: Reader, id: number, param = "id"): tables.Album {
  const row = albumBy(db, id, param);
  if (row.person === null) return row;
  const whose = handleOf(db, row.person);
  throw new ApiError(403, `${param}: expected an own album, got ${id}, which is of "${whose}"`);
}

/** An own one, or one of a contact who lets the owner edit. */
export function editableAlbum(db: Reader, id: number, param = "id"): tables.Album {
  const row = albumBy(db, id, param);
  if (row.role === "editor") return row;
  throw new ApiError(403, `${param}: album ${id} may be looked at, not edited`);
}
