/**
 * The songs of a playlist: added, moved, taken out, put back.
 *
 * Own playlists may be changed freely. In a contact's, an editor adds and moves songs, and takes out only what the
 * owner added.
 */

import { firstId, idOf, must, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handleOf, handleOrNull } from "../shared.ts";
import { slotAt } from "./ordering.ts";
import { type Entry, entries, playlists, songs } from "./tables.ts";
import {
  editablePlaylist,
  entriesOf,
  ofGenre,
  ownOne,
  playlistBy,
  playlistItem,
  song,
  songBy,
} from "./views.ts";

const id = idOf("playlist");

/** A song's place in a playlist that the owner may edit; the playlist is what is shown. */
const placed = resource({
  noun: "playlist",
  item: playlistItem,
  keys: { playlist: id, song: idOf("song") },
  find: ({ playlist }, { db }) => editablePlaylist(db, playlist, "playlist"),
  example: (db) => {
    const playlist = ownOne(db);
    return { playlist, song: entriesOf(db, playlist)[0]?.song ?? 1 };
  },
});

function entryOf(db: Reader, playlist: number, song: number): Entry | undefined {
  return db.where(entries, { playlist, song: songBy(db, song, "song").id, removed: false })[0];
}

function presentEntry(db: Reader, playlist: number, song: number): Entry {
  const row = entryOf(db, playlist, song);
  must(row, 404, `song: song ${song} is not in playlist ${playlist}`);
  return row;
}

export const playlistSongApis = {
  playlistSongs: song.list("List the songs of a playlist in its order.", {
    params: { id },
    rows: ({ id }, { db }) =>
      entriesOf(db, playlistBy(db, id).id).map(({ song, person }, i) => ({
        ...songBy(db, song),
        position: i + 1,
        addedBy: handleOrNull(db, person),
      })),
    item: song.item.with({
      position: z.int().describe("from 1"),
      addedBy: z.string().nullable().describe("handle; null: the owner"),
    }),
    filters: { genre: ofGenre },
    example: (db) => ({ id: ownOne(db) }),
  }),
  addSong: placed.act("Add a song at the end of a playlist.", {
    run: ({ id: playlist }, { song }, { db }) => {
      const free = entryOf(db, playlist, song) === undefined;
      must(free, 409, `song: song ${song} is already in playlist ${playlist}`);
      db.insert(entries, { playlist, song, person: null, slot: null, removed: false });
    },
    example: (db) => {
      const playlist = ownOne(db);
      const inside = new Set(db.where(entries, { playlist }).map(({ song }) => song));
      return { playlist, song: firstId(db, songs, ({ id }) => !inside.has(id)) };
    },
  }),
  removeSong: placed.act(
    "Take a song out of a playlist; of a contact's only what the owner added.",
    {
      run: (row, { song }, { db }) => {
        const { id, person } = presentEntry(db, row.id, song);
        must(row.person === null || person === null, 403, () => {
          const whose = handleOf(db, person!);
          return `song: song ${song} was added by "${whose}", not by the owner`;
        });
        db.update(entries, id, { removed: true });
      },
    },
  ),
  putBackSong: placed.act("Put a song back where it was before it was taken out of a playlist.", {
    run: ({ id: playlist }, { song }, { db }) => {
      const gone = entryOf(db, playlist, song) === undefined;
      must(gone, 409, `song: song ${song} is in playlist ${playlist}`);
      const entry = db.where(entries, { playlist, song, removed: true }).at(-1);
      must(entry, 404, `song: song ${song} was never in playlist ${playlist}`);
      db.update(entries, entry.id, { removed: false });
    },
    example: (db) => {
      const isOwn = ({ playlist }: Entry) => db.get(playlists, playlist)?.person === null;
      const row = db.where(entries, { removed: true }).find(isOwn);
      return { playlist: row?.playlist ?? 1, song: row?.song ?? 1 };
    },
  }),
  removedSongs: song.list(
    "List the songs that were taken out of a playlist, in the order of adding.",
    {
      params: { id },
      rows: ({ id: playlist }, { db }) => {
        const inside = new Set(entriesOf(db, playlistBy(db, playlist).id).map(({ song }) => song));
        const gone = db.where(entries, { playlist, removed: true }).map(({ song }) => song);
        const ids = [...new Set(gone)].filter((song) => !inside.has(song));
        return ids.map((song) => songBy(db, song));
      },
      example: (db) => ({
        id: db.where(entries, { removed: true })[0]?.playlist ?? firstId(db, playlists),
      }),
    },
  ),
  moveSong: placed.act(
    "Move a song to another position of a playlist; the others keep their order.",
    {
      params: { position: z.int().min(1).describe("from 1, at most the number of songs") },
      run: ({ id: playlist }, { song, position }, { db }) => {
        const entry = presentEntry(db, playlist, song);
        const all = entriesOf(db, playlist);
        const inRange = position <= all.length;
        must(inRange, 422, `position: expected 1 to ${all.length}, got ${position}`);
        const moves = all[position - 1]?.id !== entry.id;
        must(moves, 409, `position: song ${song} is already at ${position}`);
        const others = all.filter(({ id }) => id !== entry.id);
        db.update(entries, entry.id, { slot: slotAt(others, position) });
      },
      example: { position: 2 },
    },
  ),
};
