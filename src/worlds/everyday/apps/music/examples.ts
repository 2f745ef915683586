/** Rows that the examples of the documentation take from the start state. Nothing here throws on an empty one. */
import type { Reader } from "../../../../world/index.ts";
import { idIn } from "./letting-in.ts";
import * as tables from "./tables.ts";
import { entriesOf, ownOne } from "./views.ts";

export function someSong(db: Reader, match: Partial<tables.Song> = {}): number {
  return db.where(tables.songs, match)[0]?.id ?? 1;
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
