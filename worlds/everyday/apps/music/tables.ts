/**
 * Defines the tables of music: a catalogue that is the same for everyone, and the owner's playlists, queue, ratings and
 * more.
 *
 * Whether the owner has saved, liked or rated a song is in the row of the song. Playlists belong to the owner or to a
 * contact, who lets the owner listen or edit. What others can see (shares, recommendations, invitations) is never
 * deleted. `slot` orders a list without numbering it: see `ordering.ts`.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("music");

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
  /** The name, which is unique among artists. */
  name: text.indexed,
  /** The genre of most of the artist's songs, not of all. */
  genre: oneOf(GENRES).indexed,
  /** The year in which the artist began. */
  since: int,
  followed: flag,
});
export type Artist = RowOf<typeof artists>;

/** The records that songs are on. Other apps would call them albums; here that word is kept for photos. */
export const records = app.table("records", {
  title: text,
  artist: ref("music.artists").indexed,
  year: int.indexed,
});
export type MusicRecord = RowOf<typeof records>;

export const songs = app.table("songs", {
  /** The title. Two artists may use the same one. */
  title: text,
  artist: ref("music.artists").indexed,
  record: ref("music.records").indexed,
  /** The number of the track on the record, from 1. */
  track: int,
  genre: oneOf(GENRES).indexed,
  seconds: int,
  /** The year of the record. */
  year: int.indexed,
  /** The lines of the lyrics, separated by newlines. */
  lyrics: text.loose,
  /** A saved song is in the owner's library. */
  saved: flag.indexed,
  liked: flag.indexed,
  /** The owner's rating from 1 to 5, or null when there is none yet. */
  stars: int.orNull,
  /** The number of times that the owner played the song. */
  plays: int.bookkeeping,
});
export type Song = RowOf<typeof songs>;

export const ROLES = ["listener", "editor"] as const;
export type Role = (typeof ROLES)[number];

export const playlists = app.table("playlists", {
  /** The name, which is unique among the owner's own playlists. */
  name: text.indexed,
  description: text.loose,
  /** The person to whom the playlist belongs, or null when it is the owner's. */
  person: ref("contacts.people").orNull.indexed,
  /** What the owner may do with a contact's playlist. It is `editor` for own playlists. */
  role: oneOf(ROLES),
  /** An own playlist that was removed. It may be restored. */
  removed: flag,
  /** A contact's playlist that the owner has left. It may be joined again. */
  left: flag,
});
export type Playlist = RowOf<typeof playlists>;

/** The songs of playlists. A song that was taken out keeps its row, so that it can be put back. */
export const entries = app.table("entries", {
  playlist: ref("music.playlists").indexed,
  song: ref("music.songs").indexed,
  /** The person who added the song, or null when the owner did. */
  person: ref("contacts.people").orNull,
  slot: int.orNull,
  removed: flag,
});
export type Entry = RowOf<typeof entries>;

/**
 * The people with whom the owner shares an own playlist. Each person has at most one share of a playlist that has not
 * ended.
 */
export const playlistShares = app.table("shares", {
  playlist: ref("music.playlists").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
  ended: flag,
});
export type PlaylistShare = RowOf<typeof playlistShares>;

/** The queue: the songs that are played next. Playing a song takes it out of the queue. */
export const queue = app.table("queue", { song: ref("music.songs").indexed, slot: int.orNull });
export type QueuedSong = RowOf<typeof queue>;

export const REPEATS = ["off", "song", "queue"] as const;

/** The table has one row: the owner's player. */
export const player = app.table("player", {
  song: ref("music.songs").orNull,
  playing: flag,
  /** The volume in percent. */
  volume: int,
  shuffle: flag,
  repeat: oneOf(REPEATS),
  /** The minutes until the music stops, or null when no timer is set. */
  sleepMinutes: int.orNull,
});
export type Player = RowOf<typeof player>;

/**
 * The listening history, with one row each time that a song was played. Only the app adds rows, and no task asks for
 * them.
 */
export const history = app.table("history", {
  song: ref("music.songs").indexed.derived,
  at: text.derived,
});

/** The songs that the owner recommended to a contact (`outgoing`), or a contact to the owner. */
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
  /** The price of one ticket, in cents. */
  cents: int,
  /** The owner marked the concert as interesting. */
  interested: flag,
});
export type Concert = RowOf<typeof concerts>;

/** The contacts whom the owner invited to a concert. */
export const concertInvites = app.table("invites", {
  concert: ref("music.concerts").indexed,
  person: ref("contacts.people").indexed,
  withdrawn: flag,
});

export const musicTables = app.tables;
