/**
 * Defines the APIs that list and show songs of the catalogue, and those by which the owner saves, likes and rates
 * songs.
 */

import {
  booleanParam,
  defineItem,
  idParam,
  listApi,
  rowById,
  textOfReferencedRow,
} from "bowline/resources";
import { z } from "bowline/world";
import { handleParam, requirePerson } from "../shared.ts";
import {
  artistFilter,
  artistName,
  genreFilter,
  playlistSongs,
  requireSong,
  requireVisiblePlaylist,
  song,
  sortByName,
  sortByTitle,
} from "./music-items.ts";
import * as tables from "./tables.ts";

const filters = {
  genre: genreFilter,
  artist: artistFilter("only by the artist with this id"),
  year: z.int().describe("only from this year"),
  liked: booleanParam("only liked ones, or only others"),
};

const isSaved = ({ saved }: tables.Song) => saved;

/** Makes a test of a song: true when its id is one of these. */
function hasIdAmong(ids: readonly number[]) {
  const set = new Set(ids);
  return ({ id }: tables.Song) => set.has(id);
}

export const songApis = {
  songs: song.list("List all songs of the catalogue by title, saved or not.", {
    filters: {
      ...filters,
      record: [
        z.int().min(1).describe("only on the record with this id"),
        (id, { db }) => ({
          record: rowById(db, tables.records, id, { noun: "record", param: "record" }).id,
        }),
      ],
      saved: booleanParam("only saved ones, or only others"),
    },
    order: sortByTitle,
    example: { genre: "folk" },
  }),
  library: song.list("List the songs in the owner's library by title.", {
    rows: { saved: true },
    filters: {
      ...filters,
      stars: z.int().min(1).max(5).describe("only rated so"),
      playlist: [
        z.int().min(1).describe("only those in the playlist with this id"),
        (id, { db }) =>
          hasIdAmong(
            playlistSongs(db, requireVisiblePlaylist(db, id, "playlist").id).map(
              (inside) => inside.id,
            ),
          ),
      ],
      person: [
        handleParam("only those that this person recommended to the owner"),
        (handle, { db }) => {
          const person = requirePerson(db, handle, "person").id;
          const tips = db.where(tables.recommendations, { person, outgoing: false });
          return hasIdAmong(tips.map((tip) => tip.song));
        },
      ],
    },
    order: sortByTitle,
    example: { liked: true, size: 10 },
  }),
  song: song.show("Show a song with its artist, record and track number.", {
    item: song.item.with({
      artistId: [z.int(), ({ artist }) => artist],
      record: textOfReferencedRow(tables.records, "record", "title", "unknown"),
      recordId: [z.int(), ({ record }) => record],
      track: z.int(),
    }),
    isExample: isSaved,
  }),
  search: song.list("Search titles and artists of all songs, by title.", {
    searchIn: ({ title, artist }, db) => [title, artistName(db, artist)],
    order: sortByTitle,
    example: (db) => ({ query: db.all(tables.songs)[0]?.title ?? "river" }),
  }),
  searchLyrics: song.list("Find the songs that have these words in their lyrics, by title.", {
    searchIn: ["lyrics"],
    order: sortByTitle,
    example: { query: "the tide" },
  }),
  lyrics: song.show("Show a song's lyrics line by line.", {
    item: defineItem(tables.songs, {
      title: z.string(),
      lines: [z.array(z.string()), ({ lyrics }) => lyrics.split("\n")],
    }),
  }),
  playlistsWith: listApi(
    "List the owner's own playlists that hold a song, by name; removed ones are left out.",
    {
      item: defineItem(tables.playlists, tables.playlists.fields("name", "id")),
      params: { id: idParam("song") },
      rows: ({ id }, { db }) => {
        const song = requireSong(db, id).id;
        const own = db.where(tables.playlists, { person: null, removed: false });
        return own.filter((row) => playlistSongs(db, row.id).some((inside) => inside.id === song));
      },
      order: sortByName,
      example: (db) => ({ id: db.where(tables.songs, { saved: true })[0]?.id ?? 1 }),
    },
  ),
  save: song.set("Put a song into the library.", { saved: true }, "is already in the library"),
  unsave: song.set(
    "Take a song out of the library; playlists, likes and stars stay as they are.",
    { saved: false },
    "is not in the library",
  ),
  like: song.set("Like a song.", { liked: true }, "is already liked"),
  unlike: song.set("Take back a like.", { liked: false }, "is not liked"),
  rate: song.change("Rate a song with 1 to 5 stars, in place of its old rating.", {
    params: { stars: z.int().min(1).max(5).describe("1 is worst, 5 is best") },
    isExample: isSaved,
    example: { stars: 4 },
  }),
  unrate: song.set("Take the owner's rating off a song.", { stars: null }, "has no rating"),
};
