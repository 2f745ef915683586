/**
 * The rows of music: a catalogue that is the same for everyone, and what the owner makes of it.
 *
 * What the owner thinks of a song (saved, liked, stars) stands on the song itself. Playlists belong to the owner or to
 * a contact, who lets the owner listen or edit. What others can see (shares, recommendations, invitations) is never
 * deleted. `slot` orders a list without counting it: see `ordering.ts`.
 */
import { defineTable } from "../../../../world/index.ts";

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

export type Artist = {
  readonly id: number;
  /** Unique. */
  readonly name: string;
  /** Of most songs, not of all. */
  readonly genre: Genre;
  /** The year in which the artist began. */
  readonly since: number;
  readonly followed: boolean;
};
export const artists = defineTable<Artist>("music.artists", { indexes: ["genre", "name"] });

/** An album in the old sense; the word is kept for photos. */
export type Disc = {
  readonly id: number;
  readonly title: string;
  readonly artist: number;
  readonly year: number;
};
export const records = defineTable<Disc>("music.records", {
  indexes: ["artist", "year"],
  references: { artist: "music.artists" },
});

export type Song = {
  readonly id: number;
  /** Two artists may use the same one. */
  readonly title: string;
  readonly artist: number;
  readonly record: number;
  /** On the record, from 1. */
  readonly track: number;
  readonly genre: Genre;
  readonly seconds: number;
  /** That of the record. */
  readonly year: number;
  /** Lines, separated by newlines. */
  readonly lyrics: string;
  /** In the owner's library. */
  readonly saved: boolean;
  readonly liked: boolean;
  /** The owner's rating from 1 to 5; null: none yet. */
  readonly stars: number | null;
  /** How often the owner played it. */
  readonly plays: number;
};
export const songs = defineTable<Song>("music.songs", {
  indexes: ["artist", "record", "genre", "year", "saved", "liked"],
  classes: { plays: "bookkeeping" },
  references: { artist: "music.artists", record: "music.records" },
  loose: ["lyrics"],
});

export const ROLES = ["listener", "editor"] as const;
export type Role = (typeof ROLES)[number];

export type Playlist = {
  readonly id: number;
  /** Unique among the owner's own. */
  readonly name: string;
  readonly description: string;
  /** Whose it is; null: the owner's. */
  readonly person: number | null;
  /** What the owner may do with a contact's; `editor` for own ones. */
  readonly role: Role;
  /** An own one that was removed. It may be restored. */
  readonly removed: boolean;
  /** A contact's that the owner does not want to see any more. It may be joined again. */
  readonly left: boolean;
};
export const playlists = defineTable<Playlist>("music.playlists", {
  indexes: ["person", "name"],
  references: { person: "contacts.people" },
  loose: ["description"],
});

/** A song's place in a playlist. A song taken out stays as a row, so that it can be put back. */
export type Entry = {
  readonly id: number;
  readonly playlist: number;
  readonly song: number;
  /** Who added it; null: the owner. */
  readonly person: number | null;
  readonly slot: number | null;
  readonly removed: boolean;
};
export const entries = defineTable<Entry>("music.entries", {
  indexes: ["playlist", "song"],
  references: { playlist: "music.playlists", song: "music.songs", person: "contacts.people" },
});

/** Whom the owner lets into an own playlist. One row a person at a time that has not ended. */
export type PlaylistShare = {
  readonly id: number;
  readonly playlist: number;
  readonly person: number;
  readonly role: Role;
  readonly ended: boolean;
};
export const playlistShares = defineTable<PlaylistShare>("music.shares", {
  indexes: ["playlist", "person"],
  references: { playlist: "music.playlists", person: "contacts.people" },
});

/** What plays next. Playing a song takes it out. */
export type Queued = { readonly id: number; readonly song: number; readonly slot: number | null };
export const queue = defineTable<Queued>("music.queue", {
  indexes: ["song"],
  references: { song: "music.songs" },
});

export const REPEATS = ["off", "song", "queue"] as const;

/** One row: the owner's player. */
export type Player = {
  readonly id: number;
  readonly song: number | null;
  readonly playing: boolean;
  /** Percent. */
  readonly volume: number;
  readonly shuffle: boolean;
  readonly repeat: (typeof REPEATS)[number];
  /** Minutes until the music stops; null: no timer. */
  readonly sleepMinutes: number | null;
};
export const player = defineTable<Player>("music.player", { references: { song: "music.songs" } });

/** One row each time that a song was played: a record of the app, not something that anyone asks for. */
export type Listening = { readonly id: number; readonly song: number; readonly at: string };
export const history = defineTable<Listening>("music.history", {
  indexes: ["song"],
  classes: { song: "derived", at: "derived" },
  references: { song: "music.songs" },
});

/** A song that the owner recommended to a contact (`outgoing`), or a contact to the owner. */
export type Recommendation = {
  readonly id: number;
  readonly song: number;
  readonly person: number;
  readonly outgoing: boolean;
  readonly note: string;
  readonly at: string;
};
export const recommendations = defineTable<Recommendation>("music.recommendations", {
  indexes: ["song", "person"],
  classes: { at: "derived" },
  references: { song: "music.songs", person: "contacts.people" },
  loose: ["note"],
});

export type Concert = {
  readonly id: number;
  readonly artist: number;
  readonly venue: string;
  readonly city: string;
  readonly day: string;
  readonly time: string;
  /** Of one ticket. */
  readonly cents: number;
  /** The owner marked it. */
  readonly interested: boolean;
};
export const concerts = defineTable<Concert>("music.concerts", {
  indexes: ["artist", "city", "day"],
  references: { artist: "music.artists" },
});

/** A contact whom the owner asked to come along. */
export type ConcertInvite = {
  readonly id: number;
  readonly concert: number;
  readonly person: number;
  readonly withdrawn: boolean;
};
export const concertInvites = defineTable<ConcertInvite>("music.invites", {
  indexes: ["concert", "person"],
  references: { concert: "music.concerts", person: "contacts.people" },
});

export const musicTables = [
  artists,
  records,
  songs,
  playlists,
  entries,
  playlistShares,
  queue,
  player,
  history,
  recommendations,
  concerts,
  concertInvites,
] as const;
