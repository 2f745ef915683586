/** What music is on tables: how one thing is found by its name, what it holds, and what actions write. */
import { type DrawContext, drawFindable, jsLiteral, type Value } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import type { Artist, Concert, Playlist, Song } from "../../apps/music/tables.ts";
import * as tables from "../../apps/music/tables.ts";
import { NOW, TODAY } from "../../population/time.ts";
import { canMention } from "../mentionable.ts";
import { counted } from "./common.ts";
import type { Shared } from "./sharing.ts";

export const artistOf = (db: Reader, song: number): Artist =>
  db.get(tables.artists, db.get(tables.songs, song)!.artist)!;

/** Title and artist together name one song. */
export const songValue = (
  draw: DrawContext,
  among: readonly Song[] = draw.db.all(tables.songs),
): Value<Song> | undefined =>
  drawFindable(draw, "song", among, ({ id, title }) => {
    const artist = artistOf(draw.db, id).name;
    const same = `x.title===${jsLiteral(title)}&&x.artist===${jsLiteral(artist)}`;
    const find = `apis.music.search({query:${jsLiteral(title)},size:20}).items.find(x=>${same}).id`;
    return { words: `the song "${title}" by ${artist}`, find };
  });

const findArtist = (name: string) =>
  `apis.music.findArtists({query:${jsLiteral(name)},size:20}).items.find(x=>x.name===${jsLiteral(name)}).id`;

export const artistValue = (
  draw: DrawContext,
  among: readonly Artist[],
): Value<Artist> | undefined =>
  drawFindable(draw, "artist", among, ({ name }) => ({ words: name, find: findArtist(name) }));

/** One of the owner's own playlists, whose name a task of this split may say. */
export function playlistValue(
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

/** The only concert of an artist that is still to come. */
export function concertValue(draw: DrawContext): Value<Concert> | undefined {
  const ahead = draw.db.all(tables.concerts).filter(({ day }) => day >= TODAY);
  const single = ahead.filter((row) => ahead.filter((x) => x.artist === row.artist).length === 1);
  return drawFindable(draw, "concert", single, ({ artist }) => {
    const { name } = draw.db.get(tables.artists, artist)!;
    const by = draw.variable("artist");
    return {
      words: `the upcoming concert of ${name}`,
      helper: `${by}=${findArtist(name)}`,
      find: `apis.music.concerts({artist:${by},from:${jsLiteral(TODAY)}}).items[0].id`,
    };
  });
}

/** The songs of a playlist, in any order. */
export const songsOf = (db: Reader, playlist: number): number[] =>
  db.where(tables.entries, { playlist, removed: false }).map(({ song }) => song);

export const holdsSong = (db: Reader, playlist: number, song: number): boolean =>
  db.where(tables.entries, { playlist, song, removed: false }).length > 0;

export const secondsOf = (db: Reader, playlist: number): number =>
  songsOf(db, playlist).reduce((sum, id) => sum + db.get(tables.songs, id)!.seconds, 0);

/** `8 minutes 40 seconds`. */
export function span(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const parts = [minutes > 0 && counted("minute")(minutes), rest > 0 && counted("second")(rest)];
  return parts.filter(Boolean).join(" ") || "0 seconds";
}

export function addEntry(db: Writer, playlist: number, song: number): void {
  db.insert(tables.entries, { playlist, song, person: null, slot: null, removed: false });
}

export function newPlaylist(db: Writer, name: string, description: string): Playlist {
  const own = { person: null, role: "editor", removed: false, left: false } as const;
  return db.insert(tables.playlists, { name, description, ...own });
}

export function recommendTo(db: Writer, song: number, person: number): void {
  // Instants are not content; any will do.
  db.insert(tables.recommendations, { song, person, outgoing: true, note: "", at: NOW });
}

export const isInvited = (db: Reader, concert: number, person: number) =>
  db.where(tables.concertInvites, { concert, person, withdrawn: false }).length > 0;

export function inviteTo(db: Writer, concert: number, person: number): void {
  db.insert(tables.concertInvites, { concert, person, withdrawn: false });
}

/** Playlists as things that are shared. */
export const shared: Shared<Playlist> = {
  app: "music",
  table: tables.playlists,
  shares: tables.playlistShares,
  thing: "playlist",
  roles: tables.ROLES,
  find: playlistValue,
};
