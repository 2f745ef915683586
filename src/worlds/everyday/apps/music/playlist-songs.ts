/**
 * The songs of a playlist: added, moved, taken out, put back.
 *
 * Own playlists may be changed freely. In a contact's, an editor adds and moves songs, and takes out only what the
 * owner added.
 */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { handleOf, idOf, paged, pageOf, paging } from "../shared.ts";
import { idIn, ownOne, songInside, songOutside } from "./examples.ts";
import { slotAt } from "./ordering.ts";
import { type Entry, entries, playlists, type Song } from "./tables.ts";
import {
  editablePlaylist,
  entriesOf,
  genre,
  playlistBy,
  playlistItem,
  playlistView,
  songBy,
  songItem,
  songView,
} from "./views.ts";

const playlist = idOf("playlist");
const song = idOf("song");

const placedItem = z.strictObject({
  ...songItem.shape,
  position: z.int().describe("from 1"),
  addedBy: z.string().nullable().describe("handle; null: the owner"),
});

function placedView(db: Reader) {
  return ({ entry, row, position }: { entry: Entry; row: Song; position: number }) => ({
    ...songView(db)(row),
    position,
    addedBy: entry.person === null ? null : handleOf(db, entry.person),
  });
}

function placed(db: Reader, playlist: number) {
  return entriesOf(db, playlist).map((entry, i) => ({
    entry,
    row: songBy(db, entry.song),
    position: i + 1,
  }));
}

const list = defineApi({
  summary: "List the songs of a playlist in its order.",
  params: z.strictObject({
    id: playlist,
    genre: genre.optional().describe("only of this genre"),
    ...paging,
  }),
  returns: pageOf(placedItem),
  example: (db) => ({ id: ownOne(db) }),
  handler: ({ db }, { id, genre, ...page }) => {
    const rows = placed(db, playlistBy(db, id).id);
    return paged(
      rows.filter(({ row }) => row.genre === (genre ?? row.genre)),
      page,
      placedView(db),
    );
  },
});

function entryOf(db: Reader, playlist: number, song: number): Entry | undefined {
  return db.where(entries, { playlist, song: songBy(db, song, "song").id, removed: false })[0];
}

function presentEntry(db: Reader, playlist: number, song: number): Entry {
  const row = entryOf(db, playlist, song);
  if (row) return row;
  throw new ApiError(404, `song: song ${song} is not in playlist ${playlist}`);
}

const add = defineApi({
  summary: "Add a song at the end of a playlist.",
  params: z.strictObject({ playlist, song }),
  returns: playlistItem,
  example: (db) => songOutside(db),
  handler: ({ db }, { playlist, song }) => {
    const row = editablePlaylist(db, playlist, "playlist");
    if (entryOf(db, playlist, song)) {
      throw new ApiError(409, `song: song ${song} is already in playlist ${playlist}`);
    }
    db.insert(entries, { playlist, song, person: null, slot: null, removed: false });
    return playlistView(db)(row);
  },
});

const remove = defineApi({
  summary: "Take a song out of a playlist; of a contact's only what the owner added.",
  params: z.strictObject({ playlist, song }),
  returns: playlistItem,
  example: (db) => songInside(db),
  handler: ({ db }, { playlist, song }) => {
    const row = editablePlaylist(db, playlist, "playlist");
    const entry = presentEntry(db, playlist, song);
    if (row.person !== null && entry.person !== null) {
      const whose = handleOf(db, entry.person);
      throw new ApiError(403, `song: song ${song} was added by "${whose}", not by the owner`);
    }
    db.update(entries, entry.id, { removed: true });
    return playlistView(db)(row);
  },
});

const putBack = defineApi({
  summary: "Put a song back where it was before it was taken out of a playlist.",
  params: z.strictObject({ playlist, song }),
  returns: playlistItem,
  example: (db) => {
    const row = db
      .where(entries, { removed: true })
      .find((entry) => db.get(playlists, entry.playlist)?.person === null);
    return { playlist: row?.playlist ?? 1, song: row?.song ?? 1 };
  },
  handler: ({ db }, { playlist, song }) => {
    const row = editablePlaylist(db, playlist, "playlist");
    if (entryOf(db, playlist, song)) {
      throw new ApiError(409, `song: song ${song} is in playlist ${playlist}`);
    }
    const entry = db.where(entries, { playlist, song, removed: true }).at(-1);
    if (!entry) throw new ApiError(404, `song: song ${song} was never in playlist ${playlist}`);
    db.update(entries, entry.id, { removed: false });
    return playlistView(db)(row);
  },
});

const removed = defineApi({
  summary: "List the songs that were taken out of a playlist, in the order of adding.",
  params: z.strictObject({ id: playlist, ...paging }),
  returns: pageOf(songItem),
  example: (db) => ({
    id: db.where(entries, { removed: true })[0]?.playlist ?? idIn(db, playlists),
  }),
  handler: ({ db }, { id, ...page }) => {
    const inside = new Set(entriesOf(db, playlistBy(db, id).id).map(({ song }) => song));
    const gone = db.where(entries, { playlist: id, removed: true }).map(({ song }) => song);
    const ids = [...new Set(gone)].filter((song) => !inside.has(song));
    return paged(ids, page, (song) => songView(db)(songBy(db, song)));
  },
});

const move = defineApi({
  summary: "Move a song to another position of a playlist; the others keep their order.",
  params: z.strictObject({
    playlist,
    song,
    position: z.int().min(1).describe("from 1, at most the number of songs"),
  }),
  returns: playlistItem,
  example: (db) => ({ ...songInside(db), position: 2 }),
  handler: ({ db }, { playlist, song, position }) => {
    const row = editablePlaylist(db, playlist, "playlist");
    const entry = presentEntry(db, playlist, song);
    const all = entriesOf(db, playlist);
    if (position > all.length) {
      throw new ApiError(422, `position: expected 1 to ${all.length}, got ${position}`);
    }
    if (all[position - 1]?.id === entry.id) {
      throw new ApiError(409, `position: song ${song} is already at ${position}`);
    }
    const others = all.filter(({ id }) => id !== entry.id);
    db.update(entries, entry.id, { slot: slotAt(others, position) });
    return playlistView(db)(row);
  },
});

export const playlistSongApis = {
  playlistSongs: list,
  addSong: add,
  removeSong: remove,
  putBackSong: putBack,
  removedSongs: removed,
  moveSong: move,
};
