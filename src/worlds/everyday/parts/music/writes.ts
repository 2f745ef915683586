/** What actions of music mean, written on tables. */
import type { Reader, Writer } from "../../../../world/index.ts";
import type { Playlist } from "../../apps/music/tables.ts";
import * as tables from "../../apps/music/tables.ts";
import { NOW } from "../../population/time.ts";
import { playlistValue } from "./looks.ts";
import type { Shared } from "./sharing.ts";

export function addEntry(db: Writer, playlist: number, song: number): void {
  db.insert(tables.entries, { playlist, song, person: null, slot: null, removed: false });
}

export function newPlaylist(db: Writer, name: string, description: string): Playlist {
  const own = { person: null, role: "editor", removed: false, left: false } as const;
  return db.insert(tables.playlists, { name, description, ...own });
}

export function recommendTo(db: Writer, song: number, person: number): void {
  // Instants are not content; any will do.
  db.insert(tables.recommendations, { song, person, outgoing: true, note: "", at: NOW });
}

export const isInvited = (db: Reader, concert: number, person: number) =>
  db.where(tables.concertInvites, { concert, person, withdrawn: false }).length > 0;

export function inviteTo(db: Writer, concert: number, person: number): void {
  db.insert(tables.concertInvites, { concert, person, withdrawn: false });
}

/** Playlists as things that are shared. */
export const shared: Shared<Playlist> = {
  app: "music",
  table: tables.playlists,
  Thing: "Playlist",
  thing: "playlist",
  roles: tables.ROLES,
  find: playlistValue,
  sharesOf: (db, playlist) => db.where(tables.playlistShares, { playlist, ended: false }),
  share: (db, playlist, person, role) =>
    void db.insert(tables.playlistShares, { playlist, person, role, ended: false }),
  endShare: (db, playlist, person) => {
    const [row] = db.where(tables.playlistShares, { playlist, person, ended: false });
    db.update(tables.playlistShares, row!.id, { ended: true });
  },
};
