/** How songs, artists, playlists and concerts appear in answers, and the lookups that music's APIs share. */
import { z } from "zod";
import { ApiError, type Reader, type Table, type TableRow } from "../../../../world/index.ts";
import { dollars, handleOf } from "../shared.ts";
import { inOrder } from "./ordering.ts";
import * as tables from "./tables.ts";

/** A row by id, or a 404 that names the parameter it came in. */
export function rowIn<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  id: number,
  param: string,
  what: string,
): R {
  const row = db.get(table, id);
  if (row) return row;
  throw new ApiError(404, `${param}: there is no ${what} with id ${id}`);
}

export const genre = z.enum(tables.GENRES);

/** Stable order by one text, then by id. */
export function byText<R extends TableRow>(rows: readonly R[], text: (row: R) => string): R[] {
  return rows.toSorted((a, b) => {
    const [x, y] = [text(a).toLowerCase(), text(b).toLowerCase()];
    return x === y ? a.id - b.id : x < y ? -1 : 1;
  });
}

// --- songs ---

export const songItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  artist: z.string(),
  genre,
  year: z.int(),
  seconds: z.int(),
  stars: z.int().nullable(),
  liked: z.boolean(),
  saved: z.boolean(),
  plays: z.int(),
});

export const songView =
  (db: Reader) =>
  ({ title, id, artist, genre, year, seconds, stars, liked, saved, plays }: tables.Song) => ({
    title,
    id,
    artist: artistName(db, artist),
    genre,
    year,
    seconds,
    stars,
    liked,
    saved,
    plays,
  });

export function artistName(db: Reader, id: number): string {
  return db.get(tables.artists, id)?.name ?? "unknown";
}

export function songBy(db: Reader, id: number, param = "id"): tables.Song {
  return rowIn(db, tables.songs, id, param, "song");
}

// --- artists and concerts ---

export const artistItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  genre,
  since: z.int(),
  followed: z.boolean(),
});

export const artistView = ({ name, id, genre, since, followed }: tables.Artist) => ({
  name,
  id,
  genre,
  since,
  followed,
});

export const concertItem = z.strictObject({
  artist: z.string(),
  id: z.int(),
  venue: z.string(),
  city: z.string(),
  day: z.string(),
  time: z.string(),
  price: z.number(),
  interested: z.boolean(),
});

export const concertView =
  (db: Reader) =>
  ({ artist, id, venue, city, day, time, cents, interested }: tables.Concert) => ({
    artist: artistName(db, artist),
    id,
    venue,
    city,
    day,
    time,
    price: dollars(cents),
    interested,
  });

// --- playlists ---

export const playlistItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  owner: z.string().nullable().describe("handle; null: the owner"),
  role: z.enum(["owner", ...tables.ROLES]),
  songs: z.int(),
  seconds: z.int(),
  shared: z.int().describe("with how many people"),
});

export const playlistView = (db: Reader) => (row: tables.Playlist) => {
  const inside = songsIn(db, row.id);
  return {
    name: row.name,
    id: row.id,
    owner: row.person === null ? null : handleOf(db, row.person),
    role: row.person === null ? ("owner" as const) : row.role,
    songs: inside.length,
    seconds: inside.reduce((sum, { seconds }) => sum + seconds, 0),
    shared: sharesOf(db, row.id).length,
  };
};

export function entriesOf(db: Reader, playlist: number): tables.Entry[] {
  return inOrder(db.where(tables.entries, { playlist, removed: false }));
}

export function songsIn(db: Reader, playlist: number): tables.Song[] {
  return entriesOf(db, playlist).map(({ song }) => db.get(tables.songs, song)!);
}

export function sharesOf(db: Reader, playlist: number): readonly tables.PlaylistShare[] {
  return db.where(tables.playlistShares, { playlist, ended: false });
}

/** One that the owner can see. */
export function playlistBy(db: Reader, id: number, param = "id"): tables.Playlist {
  const row = rowIn(db, tables.playlists, id, param, "playlist");
  if (row.left) {
    throw new ApiError(403, `${param}: playlist ${id} was left; music.joinPlaylist first`);
  }
  if (!row.removed) return row;
  throw new ApiError(404, `${param}: playlist ${id} was removed; music.restorePlaylist first`);
}

export function ownPlaylist(db: Reader, id: number, param = "id"): tables.Playlist {
  const row = playlistBy(db, id, param);
  if (row.person === null) return row;
  const whose = handleOf(db, row.person);
  throw new ApiError(403, `${param}: expected an own playlist, got ${id}, which is of "${whose}"`);
}

/** An own one, or one of a contact who lets the owner edit. */
export function editablePlaylist(db: Reader, id: number, param = "id"): tables.Playlist {
  const row = playlistBy(db, id, param);
  if (row.role === "editor") return row;
  throw new ApiError(403, `${param}: playlist ${id} may be listened to, not edited`);
}
