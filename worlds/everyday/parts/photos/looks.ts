/** What photos and albums are on tables, how one is found by its name, and what actions write. */
import { type DrawContext, drawFindable, jsLiteral, type Value } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import type { Album, Photo } from "../../apps/photos/tables.ts";
import * as tables from "../../apps/photos/tables.ts";
import { NOW } from "../../population/time.ts";
import { canMention } from "../mentionable.ts";
import { isOwned, type Shared } from "../music/sharing.ts";

/** What `photos.list` shows. */
export const isListed = (row: Photo) => row.person === null && !row.trashed && !row.hidden;
/** What the owner may change. */
export const isOwn = (row: Photo) => row.person === null && !row.trashed;

/** Contacts by whom, or of whom, the rows are. */
const contacts = (rows: readonly { readonly person: number | null }[]): number[] =>
  rows.flatMap(({ person }) => person ?? []);

export const peopleIn = (db: Reader, photo: number) => contacts(db.where(tables.faces, { photo }));
export const likersOf = (db: Reader, photo: number) =>
  contacts(db.where(tables.likes, { photo, withdrawn: false }));
export const commentersOf = (db: Reader, photo: number) =>
  contacts(db.where(tables.comments, { photo, withdrawn: false }));

/** Those in the trash are not in albums. */
export const photosIn = (db: Reader, album: number): Photo[] =>
  db
    .where(tables.albumPhotos, { album, removed: false })
    .map(({ photo }) => db.get(tables.photoRows, photo)!)
    .filter(({ trashed }) => !trashed);

export const holdsPhoto = (db: Reader, album: number, photo: number): boolean =>
  db.where(tables.albumPhotos, { album, photo, removed: false }).length > 0;

/** Whether it is in the album or was taken out of it. */
export const wasPlaced = (db: Reader, album: number, photo: number): boolean =>
  db.where(tables.albumPhotos, { album, photo }).length > 0;

/** A listed photo by the name of its file. */
export function photoValue(
  draw: DrawContext,
  fits: (row: Photo) => boolean = () => true,
): Value<Photo> | undefined {
  const among = draw.db.all(tables.photoRows).filter((row) => isListed(row) && fits(row));
  return drawFindable(draw, "photo", among, ({ name }) => ({
    words: `my photo ${name}`,
    find: `apis.photos.search({query:${jsLiteral(name)}}).items[0].id`,
  }));
}

/** An own album whose title a task of this split may say. */
export function albumValue(
  draw: DrawContext,
  fits: (row: Album) => boolean = () => true,
): Value<Album> | undefined {
  const among = draw.db
    .all(tables.albums)
    .filter((row) => isOwned(row) && fits(row) && canMention(draw.split, row.title));
  return drawFindable(draw, "album", among, ({ title }) => ({
    words: `my album "${title}"`,
    find: `apis.photos.findAlbums({query:${jsLiteral(title)},size:20}).items.find(x=>x.title===${jsLiteral(title)}&&x.owner===null).id`,
  }));
}

/** A phrase of actions that another app has too, so that it says in which. */
export const inPhotos = (what: string) => `In the photo app, ${what} | Use the photo app to ${what}
  | Let the photo app ${what} | Through the photo app, ${what} | With the photo app, ${what}`;

export function addFace(db: Writer, photo: number, person: number): void {
  db.insert(tables.faces, { photo, person, side: null, guess: null, ignored: false });
}

export function place(db: Writer, album: number, photo: number): void {
  db.insert(tables.albumPhotos, { album, photo, removed: false });
}

export function takeOut(db: Writer, album: number, photo: number): void {
  db.update(tables.albumPhotos, db.where(tables.albumPhotos, { album, photo })[0]!.id, {
    removed: true,
  });
}

export function send(db: Writer, photo: number, person: number): void {
  // Instants are not content; any will do.
  db.insert(tables.sentPhotos, { photo, person, note: "", at: NOW });
}

/** Albums as things that are shared. */
export const shared: Shared<Album> = {
  app: "photos",
  table: tables.albums,
  shares: tables.albumShares,
  thing: "album",
  roles: tables.ALBUM_ROLES,
  find: albumValue,
};
