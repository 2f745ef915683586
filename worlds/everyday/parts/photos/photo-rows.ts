/** Finds photos and albums by their names, reads which people and albums belong to a photo, and inserts rows. */
import { type DrawContext, drawFindable, jsLiteral, type Value } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import type { Album, Photo } from "../../apps/photos/tables.ts";
import * as tables from "../../apps/photos/tables.ts";
import { NOW } from "../../population/time.ts";
import { canMention } from "../mentionable.ts";
import { isOwnedByOwner, type SharedThings } from "../music/shared-things.ts";

/** Returns true for photos that `photos.list` shows. */
export const isListed = (row: Photo) => row.person === null && !row.trashed && !row.hidden;
/** Returns true for photos that the owner may change. */
export const isOwnPhoto = (row: Photo) => row.person === null && !row.trashed;

/**
 * Returns the ids of the contacts in the column `person` of rows. The owner, for whom the column is null, is left out.
 */
const idsOfContacts = (rows: readonly { readonly person: number | null }[]): number[] =>
  rows.flatMap(({ person }) => person ?? []);

export const idsOfPeopleShown = (db: Reader, photo: number) =>
  idsOfContacts(db.where(tables.faces, { photo }));
export const idsOfLikers = (db: Reader, photo: number) =>
  idsOfContacts(db.where(tables.likes, { photo, withdrawn: false }));
export const idsOfCommenters = (db: Reader, photo: number) =>
  idsOfContacts(db.where(tables.comments, { photo, withdrawn: false }));

/** Returns the photos in an album. Photos in the trash are in no album. */
export const photosInAlbum = (db: Reader, album: number): Photo[] =>
  db
    .where(tables.albumPhotos, { album, removed: false })
    .map(({ photo }) => db.get(tables.photoRows, photo)!)
    .filter(({ trashed }) => !trashed);

export const containsPhoto = (db: Reader, album: number, photo: number): boolean =>
  db.where(tables.albumPhotos, { album, photo, removed: false }).length > 0;

/** Returns true when the photo is in the album or was taken out of it. */
export const wasEverInAlbum = (db: Reader, album: number, photo: number): boolean =>
  db.where(tables.albumPhotos, { album, photo }).length > 0;

/** Draws a listed photo, which the solution finds by its file name. */
export function drawListedPhoto(
  draw: DrawContext,
  fits: (row: Photo) => boolean = () => true,
): Value<Photo> | undefined {
  const among = draw.db.all(tables.photoRows).filter((row) => isListed(row) && fits(row));
  return drawFindable(draw, "photo", among, ({ name }) => ({
    words: `my photo ${name}`,
    find: `apis.photos.search({query:${jsLiteral(name)}}).items[0].id`,
  }));
}

/** Draws one of the owner's albums whose title a task of this split may mention. */
export function drawOwnAlbum(
  draw: DrawContext,
  fits: (row: Album) => boolean = () => true,
): Value<Album> | undefined {
  const among = draw.db
    .all(tables.albums)
    .filter((row) => isOwnedByOwner(row) && fits(row) && canMention(draw.split, row.title));
  return drawFindable(draw, "album", among, ({ title }) => ({
    words: `my album "${title}"`,
    find: `apis.photos.findAlbums({query:${jsLiteral(title)},size:20}).items.find(x=>x.title===${jsLiteral(title)}&&x.owner===null).id`,
  }));
}

/** Writes the phrase of an action that other apps have too. It says that the photo app is meant. */
export const inPhotoAppPhrase = (
  wish: string,
) => `In the photo app, ${wish} | Use the photo app to ${wish}
  | Let the photo app ${wish} | Through the photo app, ${wish} | With the photo app, ${wish}`;

export function insertFace(db: Writer, photo: number, person: number): void {
  db.insert(tables.faces, { photo, person, side: null, guess: null, ignored: false });
}

export function insertAlbumPhoto(db: Writer, album: number, photo: number): void {
  db.insert(tables.albumPhotos, { album, photo, removed: false });
}

export function removeFromAlbum(db: Writer, album: number, photo: number): void {
  db.update(tables.albumPhotos, db.where(tables.albumPhotos, { album, photo })[0]!.id, {
    removed: true,
  });
}

export function insertSentPhoto(db: Writer, photo: number, person: number): void {
  // Checks ignore times, so this time is arbitrary.
  db.insert(tables.sentPhotos, { photo, person, note: "", at: NOW });
}

/** Describes how albums are shared. */
export const sharedAlbums: SharedThings<Album> = {
  app: "photos",
  table: tables.albums,
  shares: tables.albumShares,
  thing: "album",
  roles: tables.ALBUM_ROLES,
  find: drawOwnAlbum,
};
