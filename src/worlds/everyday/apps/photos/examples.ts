/** Rows that the examples of the documentation take from the start state. Nothing here throws on an empty one. */
import type { Reader } from "../../../../world/index.ts";
import * as tables from "./tables.ts";
import { photosIn, someAlbum, somePhoto } from "./views.ts";

export function photoInside(db: Reader): { album: number; photo: number } {
  const album = someAlbum(db);
  const own = photosIn(db, album).find(({ person }) => person === null);
  return { album, photo: own?.id ?? 1 };
}

export function photoOutside(db: Reader, album = someAlbum(db)): { album: number; photo: number } {
  const inside = new Set(db.where(tables.placed, { album }).map(({ photo }) => photo));
  return { album, photo: somePhoto(db, ({ id }) => !inside.has(id)) };
}
