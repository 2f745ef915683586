/** Writes that several actions share, on tables. */
import type { Reader, Writer } from "../../../../world/index.ts";
import {
  type AlbumRole,
  albumShares,
  faces,
  type Photo,
  photoRows,
} from "../../apps/photos/tables.ts";
import { people } from "../../apps/tables.ts";

export function addFace(db: Writer, photo: number, person: number): void {
  db.insert(faces, { photo, person, side: null, guess: null, ignored: false });
}

export function shareWith(db: Writer, album: number, person: number, role: AlbumRole): void {
  db.insert(albumShares, { album, person, role, ended: false });
}

export function endShare(db: Writer, album: number, person: number): void {
  const [row] = db.where(albumShares, { album, person, ended: false });
  db.update(albumShares, row!.id, { ended: true });
}

export function isWelcome(db: Reader, person: number): boolean {
  return !db.get(people, person)!.blocked;
}

export function setPhoto(db: Writer, id: number, patch: Partial<Photo>): void {
  db.update(photoRows, id, patch);
}
