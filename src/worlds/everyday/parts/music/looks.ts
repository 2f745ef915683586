/** How a task's program finds one song, artist, playlist or concert by name, and what such a thing is in words. */

import type { Draw, Value } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  type Artist,
  artists,
  type Concert,
  concerts,
  entries,
  type Playlist,
  playlists,
  type Song,
  songs,
} from "../../apps/music/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { mentionable } from "../mentionable.ts";

export const TODAY = dayAfter(0);
export const js = (value: string) => JSON.stringify(value);

const found = <T>(value: T, words: string, code: string, cell: string): Value<T> => ({
  value,
  words,
  code,
  cells: [`${cell};print(${code})`],
  apps: [],
});

export function artistOf(db: Reader, song: number): Artist {
  return db.get(artists, db.get(songs, song)!.artist)!;
}

/** Title and artist together name one song. */
export function songValue(draw: Draw, candidates: readonly Song[]): Value<Song> | undefined {
  if (candidates.length === 0) return undefined;
  const song = draw.rng.pick(candidates);
  const artist = artistOf(draw.db, song.id).name;
  const code = draw.variable("song");
  const same = `x.title===${js(song.title)}&&x.artist===${js(artist)}`;
  return found(
    song,
    `the song "${song.title}" by ${artist}`,
    code,
    `var ${code}=apis.music.search({query:${js(song.title)},size:20}).items.find(x=>${same}).id`,
  );
}

export function artistValue(draw: Draw, candidates: readonly Artist[]): Value<Artist> | undefined {
  if (candidates.length === 0) return undefined;
  const artist = draw.rng.pick(candidates);
  const code = draw.variable("artist");
  return found(
    artist,
    artist.name,
    code,
    `var ${code}=apis.music.findArtists({query:${js(artist.name)},size:20}).items.find(x=>x.name===${js(artist.name)}).id`,
  );
}

export const isOwn = (row: Playlist) => row.person === null && !row.removed;

/** One of the owner's own playlists, whose name a task of this split may say. */
export function playlistValue(
  draw: Draw,
  fits: (row: Playlist) => boolean = () => true,
): Value<Playlist> | undefined {
  const candidates = draw.db
    .where(playlists, { person: null, removed: false })
    .filter((row) => fits(row) && mentionable(draw.split, row.name));
  if (candidates.length === 0) return undefined;
  const playlist = draw.rng.pick(candidates);
  const code = draw.variable("list");
  const cell = `var ${code}=apis.music.findPlaylists({query:${js(playlist.name)},size:20}).items.find(x=>x.name===${js(playlist.name)}&&x.owner===null).id`;
  return found(playlist, `my playlist "${playlist.name}"`, code, cell);
}

/** The only concert of an artist that is still to come. */
export function concertValue(
  draw: Draw,
  fits: (row: Concert) => boolean,
): Value<Concert> | undefined {
  const ahead = draw.db.all(concerts).filter(({ day }) => day >= TODAY);
  const single = ahead.filter((row) => ahead.filter((x) => x.artist === row.artist).length === 1);
  const candidates = single.filter(fits);
  if (candidates.length === 0) return undefined;
  const concert = draw.rng.pick(candidates);
  const { name } = draw.db.get(artists, concert.artist)!;
  const [artist, code] = [draw.variable("artist"), draw.variable("concert")];
  return found(
    concert,
    `the upcoming concert of ${name}`,
    code,
    `var ${artist}=apis.music.findArtists({query:${js(name)},size:20}).items.find(x=>x.name===${js(name)}).id,${code}=apis.music.concerts({artist:${artist},from:${js(TODAY)}}).items[0].id`,
  );
}

/** The songs of a playlist, in any order. */
export function songsOf(db: Reader, playlist: number): number[] {
  return db.where(entries, { playlist, removed: false }).map(({ song }) => song);
}

export function holdsSong(db: Reader, playlist: number, song: number): boolean {
  return db.where(entries, { playlist, song, removed: false }).length > 0;
}

export function secondsOf(db: Reader, playlist: number): number {
  return songsOf(db, playlist).reduce((sum, id) => sum + db.get(songs, id)!.seconds, 0);
}

/** A cell that leaves all pages of a list API in `out`; `api` is written out by the caller. */
export function allPages(out: string, call: (paging: string) => string): string {
  return `var ${out}=[],p=1,r;do{r=${call("size:20,page:p++")};${out}.push(...r.items)}while(r.more);`;
}

/** `8 minutes 40 seconds`. */
export function span(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const unit = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  if (minutes === 0) return unit(rest, "second");
  return rest === 0
    ? unit(minutes, "minute")
    : `${unit(minutes, "minute")} ${unit(rest, "second")}`;
}
