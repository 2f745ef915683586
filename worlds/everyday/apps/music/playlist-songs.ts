/**
 * Defines the APIs that add songs to a playlist, move them, remove them and put them back.
 *
 * The owner may change own playlists freely. In a contact's playlist an editor may add and move songs, and may remove
 * only songs that the owner added.
 */

import { firstRowId, idParam, refuseUnless, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handleOf, handleOrNull } from "../shared.ts";
import {
  exampleOwnPlaylistId,
  genreFilter,
  playlistEntries,
  playlistItem,
  requireEditablePlaylist,
  requireSong,
  requireVisiblePlaylist,
  song,
} from "./music-items.ts";
import { slotForPosition } from "./ordering.ts";
import { type Entry, entries, playlists, songs } from "./tables.ts";

const id = idParam("playlist");

/** A song in a playlist that the owner may edit. The APIs of this resource return the playlist. */
const playlistSong = resource({
  noun: "playlist",
  item: playlistItem,
  keys: { playlist: id, song: idParam("song") },
  find: ({ playlist }, { db }) => requireEditablePlaylist(db, playlist, "playlist"),
  example: (db) => {
    const playlist = exampleOwnPlaylistId(db);
    return { playlist, song: playlistEntries(db, playlist)[0]?.song ?? 1 };
  },
});

function findEntry(db: Reader, playlist: number, song: number): Entry | undefined {
  return db.where(entries, { playlist, song: requireSong(db, song, "song").id, removed: false })[0];
}

function requireEntry(db: Reader, playlist: number, song: number): Entry {
  const row = findEntry(db, playlist, song);
  refuseUnless(row, 404, `song: song ${song} is not in playlist ${playlist}`);
  return row;
}

export const playlistSongApis = {
  playlistSongs: song.list(
    "List the songs of a playlist in its order; those taken out are left out.",
    {
      params: { id },
      rows: ({ id }, { db }) =>
        playlistEntries(db, requireVisiblePlaylist(db, id).id).map(({ song, person }, i) => ({
          ...requireSong(db, song),
          position: i + 1,
          addedBy: handleOrNull(db, person),
        })),
      item: song.item.with({
        position: z.int().describe("from 1"),
        addedBy: z.string().nullable().describe("handle; null: the owner"),
      }),
      filters: { genre: genreFilter },
      example: (db) => ({ id: exampleOwnPlaylistId(db) }),
    },
  ),
  addSong: playlistSong.act("Add a song at the end of a playlist.", {
    run: ({ id: playlist }, { song }, { db }) => {
      const isAbsent = findEntry(db, playlist, song) === undefined;
      refuseUnless(isAbsent, 409, `song: song ${song} is already in playlist ${playlist}`);
      db.insert(entries, { playlist, song, person: null, slot: null, removed: false });
    },
    example: (db) => {
      const playlist = exampleOwnPlaylistId(db);
      const inside = new Set(db.where(entries, { playlist }).map(({ song }) => song));
      return { playlist, song: firstRowId(db, songs, ({ id }) => !inside.has(id)) };
    },
  }),
  removeSong: playlistSong.act(
    "Take a song out of a playlist; of a contact's only what the owner added.",
    {
      run: (row, { song }, { db }) => {
        const { id, person } = requireEntry(db, row.id, song);
        refuseUnless(row.person === null || person === null, 403, () => {
          const whose = handleOf(db, person!);
          return `song: song ${song} was added by "${whose}", not by the owner`;
        });
        db.update(entries, id, { removed: true });
      },
    },
  ),
  putBackSong: playlistSong.act(
    "Put a song back where it was before it was taken out of a playlist.",
    {
      run: ({ id: playlist }, { song }, { db }) => {
        const isAbsent = findEntry(db, playlist, song) === undefined;
        refuseUnless(isAbsent, 409, `song: song ${song} is in playlist ${playlist}`);
        const entry = db.where(entries, { playlist, song, removed: true }).at(-1);
        refuseUnless(entry, 404, `song: song ${song} was never in playlist ${playlist}`);
        db.update(entries, entry.id, { removed: false });
      },
      example: (db) => {
        const isOwn = ({ playlist }: Entry) => db.get(playlists, playlist)?.person === null;
        const row = db.where(entries, { removed: true }).find(isOwn);
        return { playlist: row?.playlist ?? 1, song: row?.song ?? 1 };
      },
    },
  ),
  removedSongs: song.list(
    "List the songs that were taken out of a playlist, in the order of adding.",
    {
      params: { id },
      rows: ({ id: playlist }, { db }) => {
        const inside = new Set(
          playlistEntries(db, requireVisiblePlaylist(db, playlist).id).map(({ song }) => song),
        );
        const gone = db.where(entries, { playlist, removed: true }).map(({ song }) => song);
        const ids = [...new Set(gone)].filter((song) => !inside.has(song));
        return ids.map((song) => requireSong(db, song));
      },
      example: (db) => ({
        id: db.where(entries, { removed: true })[0]?.playlist ?? firstRowId(db, playlists),
      }),
    },
  ),
  moveSong: playlistSong.act(
    "Move a song to another position of a playlist; the others keep their order.",
    {
      params: { position: z.int().min(1).describe("from 1, at most the number of songs") },
      run: ({ id: playlist }, { song, position }, { db }) => {
        const entry = requireEntry(db, playlist, song);
        const all = playlistEntries(db, playlist);
        const inRange = position <= all.length;
        refuseUnless(inRange, 422, `position: expected 1 to ${all.length}, got ${position}`);
        const moves = all[position - 1]?.id !== entry.id;
        refuseUnless(moves, 409, `position: song ${song} is already at ${position}`);
        const others = all.filter(({ id }) => id !== entry.id);
        db.update(entries, entry.id, { slot: slotForPosition(others, position) });
      },
      example: { position: 2 },
    },
  ),
};
