/**
 * Defines how songs, artists, playlists and concerts are shown in answers, and the lookups that the APIs of music
 * share.
 */

import {
  defineItem,
  orderBy,
  resource,
  rowById,
  textOfReferencedRow,
  type ViewContext,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handleOrNull, toDollars } from "../shared.ts";
import { sortBySlot } from "./ordering.ts";
import { makeGuards } from "./shared-collections.ts";
import * as tables from "./tables.ts";

export const genre = z.enum(tables.GENRES);
export const genreFilter = genre.describe("only of this genre");

export const artistName = (db: Reader, id: number): string =>
  db.get(tables.artists, id)?.name ?? "unknown";

export const artistField = textOfReferencedRow(tables.artists, "artist", "name", "unknown");

/** Makes a filter by artist of a list of songs, records or concerts. */
export const artistFilter = (description: string) =>
  [
    z.int().min(1).describe(description),
    (id: number, { db }: ViewContext) => {
      const { id: artist } = rowById(db, tables.artists, id, { noun: "artist", param: "artist" });
      return { artist };
    },
  ] as const;

const songItem = defineItem(tables.songs, {
  ...tables.songs.fields("title", "id"),
  artist: artistField,
  genre,
  ...tables.songs.fields("year", "seconds", "stars", "liked", "saved", "plays"),
});

export const song = resource({
  noun: "song",
  item: songItem,
});

export const requireSong = (db: Reader, id: number, param = "id"): tables.Song =>
  rowById(db, tables.songs, id, { noun: "song", param });

/** Sorts by title, ignoring case, as all lists by title or name do. */
export const sortByTitle = <R extends { title: string }>(
  rows: readonly R[],
  context: ViewContext,
) => orderBy<R>(({ title }) => title.toLowerCase())(rows, context);
export const sortByName = <R extends { name: string }>(rows: readonly R[], context: ViewContext) =>
  orderBy<R>(({ name }) => name.toLowerCase())(rows, context);

export const artist = resource({
  noun: "artist",
  item: defineItem(tables.artists, {
    ...tables.artists.fields("name", "id"),
    genre,
    ...tables.artists.fields("since", "followed"),
  }),
});

export const concert = resource({
  noun: "concert",
  item: defineItem(tables.concerts, {
    artist: artistField,
    ...tables.concerts.fields("id", "venue", "city", "day", "time"),
    price: [z.number(), ({ cents }) => toDollars(cents)],
    interested: z.boolean(),
  }),
});

export const playlistItem = defineItem(tables.playlists, {
  ...tables.playlists.fields("name", "id"),
  owner: [
    z.string().nullable().describe("handle; null: the owner"),
    ({ person }, { db }) => handleOrNull(db, person),
  ],
  role: [
    z.enum(["owner", ...tables.ROLES]),
    ({ person, role }) => (person === null ? "owner" : role),
  ],
  songs: [z.int(), ({ id }, { db }) => playlistSongs(db, id).length],
  seconds: [
    z.int(),
    ({ id }, { db }) => playlistSongs(db, id).reduce((sum, { seconds }) => sum + seconds, 0),
  ],
  shared: [
    z.int().describe("with how many people"),
    ({ id }, { db }) => playlistSharesOf(db, id).length,
  ],
});

export function playlistEntries(db: Reader, playlist: number): tables.Entry[] {
  return sortBySlot(db.where(tables.entries, { playlist, removed: false }));
}

export function playlistSongs(db: Reader, playlist: number): tables.Song[] {
  return playlistEntries(db, playlist).map(({ song }) => db.get(tables.songs, song)!);
}

export function playlistSharesOf(db: Reader, playlist: number): readonly tables.PlaylistShare[] {
  return db.where(tables.playlistShares, { playlist, ended: false });
}

/** Returns the id of one of the owner's playlists for which `fits` returns true. Examples of API calls use it. */
export function exampleOwnPlaylistId(
  db: Reader,
  fits: (row: tables.Playlist) => boolean = () => true,
): number {
  const own = db.where(tables.playlists, { person: null, removed: false });
  return (
    (own.find((row) => fits(row) && playlistEntries(db, row.id).length > 1) ?? own[0])?.id ?? 1
  );
}

/** Describes playlists for the functions of `shared-collections.ts`. */
export const PLAYLISTS = {
  app: "music",
  noun: "playlist",
  Noun: "Playlist",
  table: tables.playlists,
  shares: tables.playlistShares,
  roles: tables.ROLES,
  guestUse: "listened to",
  exampleOwnId: exampleOwnPlaylistId,
};

export const {
  seen: requireVisiblePlaylist,
  own: requireOwnPlaylist,
  editable: requireEditablePlaylist,
} = makeGuards(PLAYLISTS);
