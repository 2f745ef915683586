/** Finds songs, artists, playlists and concerts by their names, reads what playlists contain, and inserts rows. */
import { type DrawContext, drawFindable, jsLiteral, type Value } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import type { Artist, Concert, Playlist, Song } from "../../apps/music/tables.ts";
import * as tables from "../../apps/music/tables.ts";
import { NOW, TODAY } from "../../population/time.ts";
import { canMention } from "../mentionable.ts";
import { countWithNoun } from "./music-and-photos.ts";
import type { SharedThings } from "./shared-things.ts";

export const artistOfSong = (db: Reader, song: number): Artist =>
  db.get(tables.artists, db.get(tables.songs, song)!.artist)!;

/** Draws a song. Its title and artist together identify it. */
export const drawSong = (
  draw: DrawContext,
  among: readonly Song[] = draw.db.all(tables.songs),
): Value<Song> | undefined =>
  drawFindable(draw, "song", among, ({ id, title }) => {
    const artist = artistOfSong(draw.db, id).name;
    const same = `x.title===${jsLiteral(title)}&&x.artist===${jsLiteral(artist)}`;
    const find = `apis.music.search({query:${jsLiteral(title)},size:20}).items.find(x=>${same}).id`;
    return { words: `the song "${title}" by ${artist}`, find };
  });

const findArtistCode = (name: string) =>
  `apis.music.findArtists({query:${jsLiteral(name)},size:20}).items.find(x=>x.name===${jsLiteral(name)}).id`;

export const drawArtist = (
  draw: DrawContext,
  among: readonly Artist[],
): Value<Artist> | undefined =>
  drawFindable(draw, "artist", among, ({ name }) => ({ words: name, find: findArtistCode(name) }));

/** Draws one of the owner's playlists whose name a task of this split may mention. */
export function drawOwnPlaylist(
  draw: DrawContext,
  fits: (row: Playlist) => boolean = () => true,
): Value<Playlist> | undefined {
  const among = draw.db
    .where(tables.playlists, { person: null, removed: false })
    .filter((row) => fits(row) && canMention(draw.split, row.name));
  return drawFindable(draw, "list", among, ({ name }) => ({
    words: `my playlist "${name}"`,
    find: `apis.music.findPlaylists({query:${jsLiteral(name)},size:20}).items.find(x=>x.name===${jsLiteral(name)}&&x.owner===null).id`,
  }));
}

/** Draws the only future concert of an artist. */
export function drawOnlyConcert(draw: DrawContext): Value<Concert> | undefined {
  const ahead = draw.db.all(tables.concerts).filter(({ day }) => day >= TODAY);
  const single = ahead.filter((row) => ahead.filter((x) => x.artist === row.artist).length === 1);
  return drawFindable(draw, "concert", single, ({ artist }) => {
    const { name } = draw.db.get(tables.artists, artist)!;
    const artistVariable = draw.variable("artist");
    return {
      words: `the upcoming concert of ${name}`,
      helper: `${artistVariable}=${findArtistCode(name)}`,
      find: `apis.music.concerts({artist:${artistVariable},since:${jsLiteral(TODAY)}}).items[0].id`,
    };
  });
}

/** Returns the ids of the songs in a playlist, in any order. */
export const songIdsOfPlaylist = (db: Reader, playlist: number): number[] =>
  db.where(tables.entries, { playlist, removed: false }).map(({ song }) => song);

export const containsSong = (db: Reader, playlist: number, song: number): boolean =>
  db.where(tables.entries, { playlist, song, removed: false }).length > 0;

export const playlistSeconds = (db: Reader, playlist: number): number =>
  songIdsOfPlaylist(db, playlist).reduce((sum, id) => sum + db.get(tables.songs, id)!.seconds, 0);

/** Writes a duration in words: `8 minutes 40 seconds`. */
export function durationInWords(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const parts = [
    minutes > 0 && countWithNoun("minute")(minutes),
    rest > 0 && countWithNoun("second")(rest),
  ];
  return parts.filter(Boolean).join(" ") || "0 seconds";
}

export function insertEntry(db: Writer, playlist: number, song: number): void {
  db.insert(tables.entries, { playlist, song, person: null, slot: null, removed: false });
}

export function insertPlaylist(db: Writer, name: string, description: string): Playlist {
  const own = { person: null, role: "editor", removed: false, left: false } as const;
  return db.insert(tables.playlists, { name, description, ...own });
}

export function insertRecommendation(db: Writer, song: number, person: number): void {
  // Checks ignore times, so this time is arbitrary.
  db.insert(tables.recommendations, { song, person, outgoing: true, note: "", at: NOW });
}

export const isInvited = (db: Reader, concert: number, person: number) =>
  db.where(tables.concertInvites, { concert, person, withdrawn: false }).length > 0;

export function insertConcertInvite(db: Writer, concert: number, person: number): void {
  db.insert(tables.concertInvites, { concert, person, withdrawn: false });
}

/** Describes how playlists are shared. */
export const sharedPlaylists: SharedThings<Playlist> = {
  app: "music",
  table: tables.playlists,
  shares: tables.playlistShares,
  thing: "playlist",
  roles: tables.ROLES,
  find: drawOwnPlaylist,
};
