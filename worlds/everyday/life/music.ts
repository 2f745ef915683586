/**
 * Writes the rows of the music app: a catalogue, the owner's library, playlists of the owner and of friends, and traces
 * of happenings, such as a playlist for a trip that is shared with its people, or a concert that was visited.
 *
 * Lengths, play counts and the years in which artists began are all different, so that "the longest" and "the most
 * played" have one answer.
 */
import type { Rng, Writer } from "bowline/world";
import * as tables from "../apps/music/tables.ts";
import type { Person } from "../apps/tables.ts";
import { PARTS, POOLS } from "../population/name-pools.ts";
import { dayFromStart, drawPastInstant } from "../population/time.ts";
import type { Happening, Life } from "./life.ts";
import * as names from "./music-names.ts";

export function addMusic(db: Writer, rng: Rng, life: Life): void {
  addCatalogue(db, rng.child("catalogue"));
  addLikesAndRatings(db, rng.child("taste"));
  addOwnPlaylists(db, rng.child("own"), life);
  addFriendsPlaylists(db, rng.child("friends"), life);
  addPlaylistsOfHappenings(db, rng.child("happenings"), life);
  addConcerts(db, rng.child("concerts"), life);
  addRecommendations(db, rng.child("recommendations"), life);
  addListeningHistory(db, rng.child("listening"), life);
}

const RECORDS = 60;
const SONGS_PER_RECORD = 5;

function addCatalogue(db: Writer, rng: Rng): void {
  const years = rng.sample(integerRange(1974, 2017), 43);
  for (const genre of tables.GENRES) {
    for (const name of names.ARTISTS[genre]) {
      db.insert(tables.artists, { name, genre, since: years.pop()!, followed: false });
    }
  }
  const all = db.all(tables.artists);
  const titles = names.drawSongTitles(rng.child("titles"), RECORDS * SONGS_PER_RECORD);
  const lengths = rng.sample(integerRange(118, 540), titles.length);
  const discs = rng.shuffle(names.RECORDS);
  for (let i = 0; i < RECORDS; i++) {
    const artist = all[i % all.length]!;
    const year = rng.integer(Math.max(artist.since, 1984), 2025);
    const record = db.insert(tables.records, { title: discs[i]!, artist: artist.id, year });
    for (let track = 1; track <= SONGS_PER_RECORD; track++) {
      addSong(db, rng, { artist, record, track, titles, lengths });
    }
  }
}

interface NewSong {
  readonly artist: tables.Artist;
  readonly record: tables.MusicRecord;
  readonly track: number;
  readonly titles: readonly string[];
  readonly lengths: readonly number[];
}

/**
 * Adds a song. Every sixth song has another genre than its artist, and every fifteenth has the same title as another
 * song.
 */
function addSong(db: Writer, rng: Rng, { artist, record, track, titles, lengths }: NewSong): void {
  const number = db.all(tables.songs).length;
  const title = number % 15 === 14 ? titles[number - 11]! : titles[number]!;
  db.insert(tables.songs, {
    title,
    artist: artist.id,
    record: record.id,
    track,
    genre: number % 6 === 5 ? rng.pick(tables.GENRES) : artist.genre,
    seconds: lengths[number]!,
    year: record.year,
    lyrics: names.makeLyrics(rng, title, number),
    saved: false,
    liked: false,
    stars: null,
    plays: 0,
  });
}

const integerRange = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => from + i);

function addLikesAndRatings(db: Writer, rng: Rng): void {
  const counts = rng.sample(integerRange(3, 320), db.all(tables.songs).length);
  for (const { id } of db.all(tables.songs)) {
    const saved = rng.chance(0.42);
    db.update(tables.songs, id, {
      saved,
      liked: rng.chance(saved ? 0.35 : 0.06),
      stars: saved && rng.chance(0.55) ? rng.integer(1, 5) : null,
      plays: saved ? counts[id - 1]! : 0,
    });
  }
  for (const { id } of rng.sample(db.all(tables.artists), 9)) {
    db.update(tables.artists, id, { followed: true });
  }
}

/** Draws songs that fit together: most are of a few genres, some of any genre. */
function drawSongs(db: Writer, rng: Rng, count: number, saved: boolean): tables.Song[] {
  const genres = new Set(rng.sample(tables.GENRES, 3));
  const pool = saved ? db.where(tables.songs, { saved }) : db.all(tables.songs);
  const fitting = pool.filter((song) => genres.has(song.genre));
  const favourites = rng.sample(fitting, Math.ceil(0.7 * count));
  const rest = pool.filter((song) => !favourites.includes(song));
  return [...favourites, ...rng.sample(rest, count - favourites.length)];
}

function addEntries(
  db: Writer,
  playlist: tables.Playlist,
  songs: readonly tables.Song[],
  adder: (i: number) => number | null,
): void {
  for (const [i, song] of songs.entries()) {
    const row = { playlist: playlist.id, song: song.id, person: adder(i), slot: null };
    db.insert(tables.entries, { ...row, removed: false });
  }
}

type NewPlaylist = Partial<tables.Playlist> & Pick<tables.Playlist, "name">;

function insertPlaylist(db: Writer, row: NewPlaylist): tables.Playlist {
  const plain = { description: "", person: null, role: "editor", removed: false } as const;
  return db.insert(tables.playlists, { ...plain, left: false, ...row });
}

function sharePlaylist(
  db: Writer,
  rng: Rng,
  playlist: tables.Playlist,
  people: readonly Person[],
): void {
  for (const person of people) {
    const role = rng.chance(0.2) ? "editor" : "listener";
    const row = { playlist: playlist.id, person: person.id, role, ended: rng.chance(0.1) } as const;
    db.insert(tables.playlistShares, row);
  }
}

/**
 * Adds the owner's own playlists. The people with whom a playlist is shared are of one part of the population. Two
 * playlists were removed, and some songs were taken out.
 */
function addOwnPlaylists(db: Writer, rng: Rng, { everyone }: Life): void {
  for (const [i, [name, description]] of names.OWN_PLAYLISTS.entries()) {
    const row = insertPlaylist(db, { name, description });
    addEntries(db, row, drawSongs(db, rng, rng.integer(6, 24), true), () => null);
    const part = PARTS[i % PARTS.length]!;
    if (i % 3 !== 2) sharePlaylist(db, rng, row, rng.sample(everyone[part], rng.integer(1, 5)));
    if (i % 4 === 1) removeTwoSongs(db, rng, row);
  }
  for (const name of ["First try", "Songs for the old car"]) {
    const row = insertPlaylist(db, { name, removed: true });
    addEntries(db, row, drawSongs(db, rng, 7, true), () => null);
  }
}

function removeTwoSongs(db: Writer, rng: Rng, playlist: tables.Playlist): void {
  const entries = db.where(tables.entries, { playlist: playlist.id });
  for (const { id } of rng.sample(entries, 2)) db.update(tables.entries, id, { removed: true });
}

/**
 * Adds five playlists of friends for each part of the population, two of them by the same friend. The owner may edit
 * one of the five playlists and has added songs to it. The owner has left some playlists.
 */
function addFriendsPlaylists(db: Writer, rng: Rng, { everyone }: Life): void {
  const titles = rng.shuffle(names.FRIENDS_PLAYLISTS);
  for (const [p, part] of PARTS.entries()) {
    const friends = rng.sample(everyone[part], 4);
    for (const [i, friend] of [...friends, friends[2]!].entries()) {
      const row = insertPlaylist(db, {
        name: titles[5 * p + i]!,
        description: `${friend.name.split(" ")[0]}'s selection`,
        person: friend.id,
        role: i < 1 ? "editor" : "listener",
        left: i === 3 && p % 2 === 0,
      });
      const songs = drawSongs(db, rng, rng.integer(6, 20), false);
      addEntries(db, row, songs, (place) => (i < 1 && place % 4 === 3 ? null : friend.id));
    }
  }
}

/**
 * Adds playlists for trips, birthdays and picnics: a playlist of the host, or a playlist of the owner that is shared
 * with those who take part.
 */
function addPlaylistsOfHappenings(db: Writer, rng: Rng, { happenings }: Life): void {
  const named = new Set<string>();
  for (const happening of happenings) {
    const name = playlistName(happening);
    if (!name || named.has(name) || !rng.chance(0.6)) continue;
    named.add(name);
    const { host, people, title } = happening;
    const role = host === null || rng.chance(0.4) ? "editor" : "listener";
    const row = insertPlaylist(db, { name, description: title, person: host?.id ?? null, role });
    const songs = drawSongs(db, rng, rng.integer(6, 14), host === null);
    addEntries(db, row, songs, (i) =>
      host && (role === "listener" || i % 3 < 2) ? host.id : null,
    );
    if (host === null) sharePlaylist(db, rng, row, people);
  }
}

function playlistName({ kind, place }: Happening): string | undefined {
  if (kind === "trip") return `On the road to the ${place}`;
  if (kind === "birthday") return `${place} birthday`;
  return kind === "picnic" ? `Picnic at the ${place}` : undefined;
}

function addConcerts(db: Writer, rng: Rng, life: Life): void {
  const artists = db.all(tables.artists);
  const prices = rng.sample(integerRange(30, 190), 120);
  const add = (row: Pick<tables.Concert, "artist" | "venue" | "city" | "day" | "time">) =>
    db.insert(tables.concerts, {
      ...row,
      cents: 50 * prices.pop()!,
      interested: rng.chance(0.2),
    });
  for (const happening of life.happenings.filter(({ kind }) => kind === "concert")) {
    const { place, city, day, time, people } = happening;
    const row = add({ artist: rng.pick(artists).id, venue: place, city, day, time });
    db.update(tables.concerts, row.id, { interested: true });
    for (const { id } of people) {
      db.insert(tables.concertInvites, { concert: row.id, person: id, withdrawn: rng.chance(0.1) });
    }
  }
  for (const city of PARTS.flatMap((part) => [...POOLS[part].cities, ...POOLS[part].cities])) {
    const day = dayFromStart(rng.integer(-20, 75));
    const time = `${rng.integer(18, 21)}:${rng.pick(["00", "15", "30"])}`;
    add({ artist: rng.pick(artists).id, venue: rng.pick(names.VENUES), city, day, time });
  }
}

/** Adds recommendations. About seven in ten go to the owner. Nobody recommends the same song twice. */
function addRecommendations(db: Writer, rng: Rng, { everyone, density }: Life): void {
  const all = db.all(tables.songs);
  for (const part of PARTS) {
    for (const person of rng.sample(everyone[part], 6)) {
      for (const song of rng.sample(all, Math.round(rng.integer(1, 6) * density))) {
        const [outgoing, note] = [rng.chance(0.3), rng.pick(names.TIP_NOTES)];
        const row = { song: song.id, person: person.id, outgoing, note, at: drawPastInstant(rng) };
        db.insert(tables.recommendations, row);
      }
    }
  }
}

/**
 * Adds the history of twenty days of listening. The last song is in the player, which is paused and has a sleep timer.
 */
function addListeningHistory(db: Writer, rng: Rng, { density }: Life): void {
  const saved = db.where(tables.songs, { saved: true });
  const times = Array.from({ length: Math.round(180 * density) }, () =>
    drawPastInstant(rng),
  ).toSorted();
  for (const at of times) db.insert(tables.history, { song: rng.pick(saved).id, at });
  const last = db.all(tables.history).at(-1)?.song ?? rng.pick(saved).id;
  for (const { id } of rng.sample(
    saved.filter((song) => song.id !== last),
    8,
  )) {
    db.insert(tables.queue, { song: id, slot: null });
  }
  const settings = { volume: 40, shuffle: false, repeat: "off", sleepMinutes: 45 } as const;
  db.insert(tables.player, { song: last, playing: false, ...settings });
}
