/** Rows that the examples of the documentation take from the start state. Nothing here throws on an empty one. */
import type { Reader, Table, TableRow } from "../../../../world/index.ts";
import { people } from "../tables.ts";
import * as tables from "./tables.ts";
import { entriesOf } from "./views.ts";

/** The id of the first row that fits. */
export function idIn<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  fits: (row: R) => boolean = () => true,
): number {
  return db.all(table).find(fits)?.id ?? 1;
}

export function someSong(db: Reader, match: Partial<tables.Song> = {}): number {
  return db.where(tables.songs, match)[0]?.id ?? 1;
}

/** An own playlist that is there. */
export function ownOne(db: Reader, fits: (row: tables.Playlist) => boolean = () => true): number {
  const own = db.where(tables.playlists, { person: null, removed: false });
  return (own.find((row) => fits(row) && entriesOf(db, row.id).length > 1) ?? own[0])?.id ?? 1;
}

/** A song that stands in an own playlist. */
export function songInside(db: Reader): { playlist: number; song: number } {
  const playlist = ownOne(db);
  return { playlist, song: entriesOf(db, playlist)[0]?.song ?? 1 };
}

/** A song that is missing from an own playlist. */
export function songOutside(db: Reader): { playlist: number; song: number } {
  const playlist = ownOne(db);
  const inside = new Set(db.where(tables.entries, { playlist }).map(({ song }) => song));
  return { playlist, song: idIn(db, tables.songs, ({ id }) => !inside.has(id)) };
}

/** A share of an own playlist that has not ended. */
export function someShare(db: Reader): tables.PlaylistShare | undefined {
  return db
    .where(tables.playlistShares, { ended: false })
    .find(({ playlist }) => db.get(tables.playlists, playlist)?.removed === false);
}

export function handleIn(db: Reader, id: number | null | undefined): string {
  const row = id == null ? undefined : db.get(people, id);
  return (row ?? db.where(people, { blocked: false })[0])?.handle ?? "amara.o";
}

/** Someone who is not among these. */
export function stranger(db: Reader, among: readonly number[]): string {
  const free = db.where(people, { blocked: false }).find(({ id }) => !among.includes(id));
  return free?.handle ?? "amara.o";
}
