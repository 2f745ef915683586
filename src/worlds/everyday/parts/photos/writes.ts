/** Writes that several actions share, on tables. */
import type { Writer } from "../../../../world/index.ts";
import type { Album } from "../../apps/photos/tables.ts";
import * as tables from "../../apps/photos/tables.ts";
import { NOW } from "../../population/time.ts";
import type { Shared } from "../music/sharing.ts";
import { albumValue } from "./looks.ts";

export function addFace(db: Writer, photo: number, person: number): void {
  db.insert(tables.faces, { photo, person, side: null, guess: null, ignored: false });
}

export function place(db: Writer, album: number, photo: number): void {
  db.insert(tables.placed, { album, photo, removed: false });
}

export function takeOut(db: Writer, album: number, photo: number): void {
  db.update(tables.placed, db.where(tables.placed, { album, photo })[0]!.id, { removed: true });
}

export function send(db: Writer, photo: number, person: number): void {
  // Instants are not content; any will do.
  db.insert(tables.sentPhotos, { photo, person, note: "", at: NOW });
}

/** Albums as things that are shared. */
export const shared: Shared<Album> = {
  app: "photos",
  table: tables.albums,
  Thing: "Album",
  thing: "album",
  roles: tables.ALBUM_ROLES,
  find: albumValue,
  sharesOf: (db, album) => db.where(tables.albumShares, { album, ended: false }),
  share: (db, album, person, role) =>
    void db.insert(tables.albumShares, { album, person, role, ended: false }),
  endShare: (db, album, person) => {
    const [row] = db.where(tables.albumShares, { album, person, ended: false });
    db.update(tables.albumShares, row!.id, { ended: true });
  },
};
