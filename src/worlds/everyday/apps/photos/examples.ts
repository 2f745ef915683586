/** Rows that the examples of the documentation take from the start state. Nothing here throws on an empty one. */
import type { Reader, Table, TableRow } from "../../../../world/index.ts";
import { people } from "../tables.ts";
import * as tables from "./tables.ts";
import { photosIn, sharesOf, somePhoto } from "./views.ts";

export function idIn<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  fits: (row: R) => boolean = () => true,
): number {
  return db.all(table).find(fits)?.id ?? 1;
}

/** An own album that is there and holds something. */
export function someAlbum(db: Reader, fits: (row: tables.Album) => boolean = () => true): number {
  const own = db.where(tables.albums, { person: null, removed: false });
  return (own.find((row) => fits(row) && photosIn(db, row.id).length > 1) ?? own[0])?.id ?? 1;
}

export function photoInside(db: Reader): { album: number; photo: number } {
  const album = someAlbum(db);
  const own = photosIn(db, album).find(({ person }) => person === null);
  return { album, photo: own?.id ?? 1 };
}

export function photoOutside(db: Reader, album = someAlbum(db)): { album: number; photo: number } {
  const inside = new Set(db.where(tables.placed, { album }).map(({ photo }) => photo));
  return { album, photo: somePhoto(db, ({ id }) => !inside.has(id)) };
}

/** A share of an own album that has not ended. */
export function someShare(db: Reader): tables.AlbumShare | undefined {
  return db
    .where(tables.albumShares, { ended: false })
    .find(({ album }) => db.get(tables.albums, album)?.removed === false);
}

export function handleIn(db: Reader, id: number | null | undefined): string {
  const row = id == null ? undefined : db.get(people, id);
  return (row ?? db.where(people, { blocked: false })[0])?.handle ?? "amara.o";
}

/** Someone who is not among these. */
export function stranger(db: Reader, among: readonly (number | null)[]): string {
  const free = db.where(people, { blocked: false }).find(({ id }) => !among.includes(id));
  return free?.handle ?? "amara.o";
}

export function notSharedWith(db: Reader, album: number): string {
  return stranger(
    db,
    sharesOf(db, album).map(({ person }) => person),
  );
}
