/** What actions of music mean, written on tables. */
import type { Reader, Writer } from "../../../../world/index.ts";
import {
  concertInvites,
  entries,
  type Playlist,
  playlistShares,
  playlists,
  ROLES,
  recommendations,
} from "../../apps/music/tables.ts";
import { NOW } from "../../population/time.ts";
import { playlistValue } from "./looks.ts";
import type { Shared } from "./sharing.ts";

export function addEntry(db: Writer, playlist: number, song: number): void {
  db.insert(entries, { playlist, song, person: null, slot: null, removed: false });
}

export function newPlaylist(db: Writer, name: string, description: string): Playlist {
  const own = { person: null, role: "editor", removed: false, left: false } as const;
  return db.insert(playlists, { name, description, ...own });
}

export function recommendTo(db: Writer, song: number, person: number): void {
  // Instants are not content; any will do.
  db.insert(recommendations, { song, person, outgoing: true, note: "", at: NOW });
}

export const isInvited = (db: Reader, concert: number, person: number) =>
  db.where(concertInvites, { concert, person, withdrawn: false }).length > 0;

export function inviteTo(db: Writer, concert: number, person: number): void {
  db.insert(concertInvites, { concert, person, withdrawn: false });
}

/** Playlists as things that are shared. */
export const shared: Shared<Playlist> = {
  app: "music",
  table: playlists,
  Thing: "Playlist",
  thing: "playlist",
  roles: ROLES,
  find: playlistValue,
  sharesOf: (db, playlist) => db.where(playlistShares, { playlist, ended: false }),
  share: (db, playlist, person, role) =>
    void db.insert(playlistShares, { playlist, person, role, ended: false }),
  endShare: (db, playlist, person) => {
    const [row] = db.where(playlistShares, { playlist, person, ended: false });
    db.update(playlistShares, row!.id, { ended: true });
  },
};
