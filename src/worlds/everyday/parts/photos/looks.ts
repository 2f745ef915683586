/** What photos and albums are on tables, and how a task's program finds one by its name. */

import type { Draw, Value } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  type Album,
  albumShares,
  albums,
  faces,
  type Photo,
  photoRows,
  placed,
} from "../../apps/photos/tables.ts";
import { mentionable } from "../mentionable.ts";

export const js = (value: string) => JSON.stringify(value);

/** What `photos.list` shows. */
export const isListed = (row: Photo) => row.person === null && !row.trashed && !row.hidden;
/** What the owner may change. */
export const isOwn = (row: Photo) => row.person === null && !row.trashed;
export const isOwnAlbum = (row: Album) => row.person === null && !row.removed;
export const isContactsAlbum = (row: Album) => row.person !== null && !row.left;

export const distinct = (ids: readonly number[]) => [...new Set(ids)];

export function peopleIn(db: Reader, photo: number): number[] {
  return db.where(faces, { photo }).flatMap(({ person }) => (person === null ? [] : [person]));
}

/** Those in the trash are not in albums. */
export function photosIn(db: Reader, album: number): Photo[] {
  return db
    .where(placed, { album, removed: false })
    .map(({ photo }) => db.get(photoRows, photo)!)
    .filter(({ trashed }) => !trashed);
}

export function holdsPhoto(db: Reader, album: number, photo: number): boolean {
  return db.where(placed, { album, photo, removed: false }).length > 0;
}

export function isSharedWith(db: Reader, album: number, person: number): boolean {
  return db.where(albumShares, { album, person, ended: false }).length > 0;
}

/** A listed photo by the name of its file. */
export function photoValue(
  draw: Draw,
  fits: (row: Photo) => boolean = () => true,
): Value<Photo> | undefined {
  const candidates = draw.db.all(photoRows).filter((row) => isListed(row) && fits(row));
  if (candidates.length === 0) return undefined;
  const photo = draw.rng.pick(candidates);
  const code = draw.variable("photo");
  const cell = `var ${code}=apis.photos.search({query:${js(photo.name)}}).items[0].id;print(${code})`;
  return { value: photo, words: `my photo ${photo.name}`, code, cells: [cell], apps: [] };
}

/** An own album whose title a task of this split may say. */
export function albumValue(
  draw: Draw,
  fits: (row: Album) => boolean = () => true,
): Value<Album> | undefined {
  const candidates = draw.db
    .all(albums)
    .filter((row) => isOwnAlbum(row) && fits(row) && mentionable(draw.split, row.title));
  if (candidates.length === 0) return undefined;
  const album = draw.rng.pick(candidates);
  const code = draw.variable("album");
  const cell = `var ${code}=apis.photos.findAlbums({query:${js(album.title)},size:20}).items.find(x=>x.title===${js(album.title)}&&x.owner===null).id;print(${code})`;
  return { value: album, words: `my album "${album.title}"`, code, cells: [cell], apps: [] };
}
