/**
 * The rows of music: a catalogue that is the same for everyone, and what the owner makes of it.
 *
 * What the owner thinks of a song (saved, liked, stars) stands on the song itself. Playlists belong to the owner or to
 * a contact, who lets the owner listen or edit. What others can see (shares, recommendations, invitations) is never
 * deleted. `slot` orders a list without counting it: see `ordering.ts`.
 */
import { flag, int, oneOf, type RowOf, ref, tablesOf, text } from "bowline/resources";

const app = tablesOf("music");

export const GENRES = [
  "ambient",
  "blues",
  "country",
  "electronic",
  "folk",
  "jazz",
  "pop",
  "rock",
  "soul",
] as const;
export type Genre = (typeof GENRES)[number];

export const artists = app.table("artists", {
  /** Unique. */
  name: text.indexed,
  /** Of most songs, not of all. */
  genre: oneOf(GENRES).indexed,
  /** The year in which the artist began. */
  since: int,
  followed: flag,
});
export type Artist = RowOf<typeof artists>;

/** An album in the old sense; the word is kept for photos. */
export const records = app.table("records", {
  title: text,
  artist: ref("music.artists").indexed,
  year: int.indexed,
});
export type Disc = RowOf<typeof records>;

export const songs = app.table("songs", {
  /** Two artists may use the same one. */
  title: text,
  artist: ref("music.artists").indexed,
  record: ref("music.records").indexed,
  /** On the record, from 1. */
  track: int,
  genre: oneOf(GENRES).indexed,
  seconds: int,
  /** That of the record. */
  year: int.indexed,
  /** Lines, separated by newlines. */
  lyrics: text.loose,
  /** In the owner's library. */
  saved: flag.indexed,
  liked: flag.indexed,
  /** The owner's rating from 1 to 5; null: none yet. */
  stars: int.orNull,
  /** How often the owner played it. */
  plays: int.bookkeeping,
});
export type Song = RowOf<typeof songs>;

export const ROLES = ["listener", "editor"] as const;
export type Role = (typeof ROLES)[number];

export const playlists = app.table("playlists", {
  /** Unique among the owner's own. */
  name: text.indexed,
  description: text.loose,
  /** Whose it is; null: the owner's. */
  person: ref("contacts.people").orNull.indexed,
  /** What the owner may do with a contact's; `editor` for own ones. */
  role: oneOf(ROLES),
  /** An own one that was removed. It may be restored. */
  removed: flag,
  /** A contact's that the owner does not want to see any more. It may be joined again. */
  left: flag,
});
export type Playlist = RowOf<typeof playlists>;

/** A song's place in a playlist. A song taken out stays as a row, so that it can be put back. */
export const entries = app.table("entries", {
  playlist: ref("music.playlists").indexed,
  song: ref("music.songs").indexed,
  /** Who added it; null: the owner. */
  person: ref("contacts.people").orNull,
  slot: int.orNull,
  removed: flag,
});
export type Entry = RowOf<typeof entries>;

/** Whom the owner lets into an own playlist. One row a person at a time that has not ended. */
export const playlistShares = app.table("shares", {
  playlist: ref("music.playlists").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
  ended: flag,
});
export type PlaylistShare = RowOf<typeof playlistShares>;

/** What plays next. Playing a song takes it out. */
export const queue = app.table("queue", { song: ref("music.songs").indexed, slot: int.orNull });
export type Queued = RowOf<typeof queue>;

export const REPEATS = ["off", "song", "queue"] as const;

/** One row: the owner's player. */
export const player = app.table("player", {
  song: ref("music.songs").orNull,
  playing: flag,
  /** Percent. */
  volume: int,
  shuffle: flag,
  repeat: oneOf(REPEATS),
  /** Minutes until the music stops; null: no timer. */
  sleepMinutes: int.orNull,
});
export type Player = RowOf<typeof player>;

/** One row each time that a song was played: a record of the app, not something that anyone asks for. */
export const history = app.table("history", {
  song: ref("music.songs").indexed.derived,
  at: text.derived,
});

/** A song that the owner recommended to a contact (`outgoing`), or a contact to the owner. */
export const recommendations = app.table("recommendations", {
  song: ref("music.songs").indexed,
  person: ref("contacts.people").indexed,
  outgoing: flag,
  note: text.loose,
  at: text.derived,
});

export const concerts = app.table("concerts", {
  artist: ref("music.artists").indexed,
  venue: text,
  city: text.indexed,
  day: text.indexed,
  time: text,
  /** Of one ticket. */
  cents: int,
  /** The owner marked it. */
  interested: flag,
});
export type Concert = RowOf<typeof concerts>;

/** A contact whom the owner asked to come along. */
export const concertInvites = app.table("invites", {
  concert: ref("music.concerts").indexed,
  person: ref("contacts.people").indexed,
  withdrawn: flag,
});

export const musicTables = app.tables;
