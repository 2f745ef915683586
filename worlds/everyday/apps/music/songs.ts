/** The catalogue of songs, and what the owner thinks of each: saved, liked, rated. */

import { asIs, either, idOf, itemOf, listing, rowById, through } from "bowline/resources";
import { z } from "bowline/world";
import { handle, personBy } from "../shared.ts";
import * as tables from "./tables.ts";
import {
  artistName,
  byArtist,
  byName,
  byTitle,
  genre,
  ofGenre,
  playlistBy,
  song,
  songBy,
  songsIn,
} from "./views.ts";

const filters = {
  genre: ofGenre,
  artist: byArtist("only by the artist with this id"),
  year: z.int().describe("only from this year"),
  liked: either("only liked ones, or only others"),
};

const isSaved = ({ saved }: tables.Song) => saved;

/** Songs with one of these ids. */
function among(ids: readonly number[]) {
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
      saved: either("only saved ones, or only others"),
    },
    order: byTitle,
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
          among(songsIn(db, playlistBy(db, id, "playlist").id).map((inside) => inside.id)),
      ],
      recommendedBy: [
        handle("only those that this person recommended to the owner"),
        (came, { db }) => {
          const person = personBy(db, came, "recommendedBy").id;
          const tips = db.where(tables.recommendations, { person, outgoing: false });
          return among(tips.map((tip) => tip.song));
        },
      ],
    },
    order: byTitle,
    example: { liked: true, size: 10 },
  }),
  song: song.show("Show a song with its artist, record and track number.", {
    item: song.item.with({
      artistId: [z.int(), ({ artist }) => artist],
      record: through(tables.records, "record", "title", "unknown"),
      recordId: [z.int(), ({ record }) => record],
      track: z.int(),
    }),
    fits: isSaved,
  }),
  search: song.list("Search titles and artists of all songs, by title.", {
    words: ({ title, artist }, db) => [title, artistName(db, artist)],
    order: byTitle,
    example: (db) => ({ query: db.all(tables.songs)[0]?.title ?? "river" }),
  }),
  searchLyrics: song.list("Find the songs that have these words in their lyrics, by title.", {
    words: ["lyrics"],
    order: byTitle,
    example: { query: "the tide" },
  }),
  lyrics: song.show("Show a song's lyrics line by line.", {
    item: itemOf(tables.songs, {
      title: z.string(),
      lines: [z.array(z.string()), ({ lyrics }) => lyrics.split("\n")],
    }),
  }),
  genres: listing("List genres with their number of songs, in the catalogue and in the library.", {
    item: asIs({ name: z.string(), songs: z.int(), saved: z.int() }),
    rows: (_, { db }) =>
      genre.options.map((name) => ({
        name,
        songs: db.where(tables.songs, { genre: name }).length,
        saved: db.where(tables.songs, { genre: name, saved: true }).length,
      })),
    example: { size: 10 },
  }),
  playlistsWith: listing("List the owner's own playlists that hold a song, by name.", {
    item: itemOf(tables.playlists, tables.playlists.fields("name", "id")),
    params: { id: idOf("song") },
    rows: ({ id }, { db }) => {
      const song = songBy(db, id).id;
      const own = db.where(tables.playlists, { person: null, removed: false });
      return own.filter((row) => songsIn(db, row.id).some((inside) => inside.id === song));
    },
    order: byName,
    example: (db) => ({ id: db.where(tables.songs, { saved: true })[0]?.id ?? 1 }),
  }),
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
    fits: isSaved,
    example: { stars: 4 },
  }),
  unrate: song.set("Take the owner's rating off a song.", { stars: null }, "has no rating"),
};
