/** How songs, artists, playlists and concerts appear in answers, and the lookups that music's APIs share. */

import { by, itemOf, type Look, resource, rowById, through } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { dollars, handleOrNull } from "../shared.ts";
import { guards } from "./letting-in.ts";
import { inOrder } from "./ordering.ts";
import * as tables from "./tables.ts";

export const genre = z.enum(tables.GENRES);
export const ofGenre = genre.describe("only of this genre");

export const artistName = (db: Reader, id: number): string =>
  db.get(tables.artists, id)?.name ?? "unknown";

export const theArtist = through(tables.artists, "artist", "name", "unknown");

/** A filter of what artists have. */
export const byArtist = (what: string) =>
  [
    z.int().min(1).describe(what),
    (id: number, { db }: Look) => {
      const { id: artist } = rowById(db, tables.artists, id, { noun: "artist", param: "artist" });
      return { artist };
    },
  ] as const;

// --- songs ---

const songItem = itemOf(tables.songs, {
  ...tables.songs.fields("title", "id"),
  artist: theArtist,
  genre,
  ...tables.songs.fields("year", "seconds", "stars", "liked", "saved", "plays"),
});

export const song = resource({
  noun: "song",
  item: songItem,
});

export const songBy = (db: Reader, id: number, param = "id"): tables.Song =>
  rowById(db, tables.songs, id, { noun: "song", param });

/** Small letters and capitals alike, as in all lists by title or by name. */
export const byTitle = <R extends { title: string }>(rows: readonly R[], look: Look) =>
  by<R>(({ title }) => title.toLowerCase())(rows, look);
export const byName = <R extends { name: string }>(rows: readonly R[], look: Look) =>
  by<R>(({ name }) => name.toLowerCase())(rows, look);

// --- artists and concerts ---

export const artist = resource({
  noun: "artist",
  item: itemOf(tables.artists, {
    ...tables.artists.fields("name", "id"),
    genre,
    ...tables.artists.fields("since", "followed"),
  }),
});

export const concert = resource({
  noun: "concert",
  item: itemOf(tables.concerts, {
    artist: theArtist,
    ...tables.concerts.fields("id", "venue", "city", "day", "time"),
    price: [z.number(), ({ cents }) => dollars(cents)],
    interested: z.boolean(),
  }),
});

// --- playlists ---

export const playlistItem = itemOf(tables.playlists, {
  ...tables.playlists.fields("name", "id"),
  owner: [
    z.string().nullable().describe("handle; null: the owner"),
    ({ person }, { db }) => handleOrNull(db, person),
  ],
  role: [
    z.enum(["owner", ...tables.ROLES]),
    ({ person, role }) => (person === null ? "owner" : role),
  ],
  songs: [z.int(), ({ id }, { db }) => songsIn(db, id).length],
  seconds: [
    z.int(),
    ({ id }, { db }) => songsIn(db, id).reduce((sum, { seconds }) => sum + seconds, 0),
  ],
  shared: [z.int().describe("with how many people"), ({ id }, { db }) => sharesOf(db, id).length],
});

export function entriesOf(db: Reader, playlist: number): tables.Entry[] {
  return inOrder(db.where(tables.entries, { playlist, removed: false }));
}

export function songsIn(db: Reader, playlist: number): tables.Song[] {
  return entriesOf(db, playlist).map(({ song }) => db.get(tables.songs, song)!);
}

export function sharesOf(db: Reader, playlist: number): readonly tables.PlaylistShare[] {
  return db.where(tables.playlistShares, { playlist, ended: false });
}

/** For examples: an own playlist that is there. */
export function ownOne(db: Reader, fits: (row: tables.Playlist) => boolean = () => true): number {
  const own = db.where(tables.playlists, { person: null, removed: false });
  return (own.find((row) => fits(row) && entriesOf(db, row.id).length > 1) ?? own[0])?.id ?? 1;
}

/** Playlists as things that are shared. */
export const lists = {
  app: "music",
  noun: "playlist",
  Noun: "Playlist",
  table: tables.playlists,
  shares: tables.playlistShares,
  roles: tables.ROLES,
  used: "listened to",
  some: ownOne,
};

export const { seen: playlistBy, own: ownPlaylist, editable: editablePlaylist } = guards(lists);
