/**
 * Defines the APIs of the player: what is playing, what comes next, and for how long. Playing a song adds it to the
 * listening history.
 */

import {
  countsApi,
  dayParam,
  defineItem,
  descending,
  filterWhere,
  firstRowId,
  idParam,
  listApi,
  newestFirst,
  orderBy,
  refuseUnless,
  resource,
  textOfReferencedRow,
} from "bowline/resources";
import type { CallContext, Reader } from "bowline/world";
import { z } from "bowline/world";
import { dayField, dayOf } from "../shared.ts";
import {
  artistName,
  exampleOwnPlaylistId,
  genreFilter,
  playlistSongs,
  requireSong,
  requireVisiblePlaylist,
  song as songRows,
} from "./music-items.ts";
import { sortBySlot } from "./ordering.ts";
import * as tables from "./tables.ts";

const { history, player, queue, songs } = tables;
const song = idParam("song");

/** The owner's only player. */
const thePlayer = resource({
  noun: "player",
  item: defineItem(player, {
    playing: z.boolean(),
    song: textOfReferencedRow(songs, "song", "title"),
    songId: [z.int().nullable(), (row) => row.song],
    ...player.fields("volume", "shuffle", "repeat", "sleepMinutes"),
    queued: [z.int(), (_, { db }) => db.all(queue).length],
  }),
  keys: {},
  find: (_, { db }) => db.all(player)[0]!,
  example: () => ({}),
});

/** Starts a song at once and adds it to the listening history. */
function startSong({ db, now }: CallContext, { id }: tables.Player, song: number): tables.Player {
  db.insert(history, { song, at: now });
  db.update(songs, song, { plays: requireSong(db, song).plays + 1 });
  return db.update(player, id, { song, playing: true });
}

const findQueued = (db: Reader, song: number): tables.QueuedSong | undefined =>
  db.where(queue, { song: requireSong(db, song, "song").id })[0];

/**
 * Makes the options of an API that puts a song into the queue. `chooseSlot` returns the number that decides the song's
 * place there.
 */
const enqueueOptions = (chooseSlot: (db: Reader) => number | null) => ({
  params: { song },
  run: (_: tables.Player, { song }: { song: number }, { db }: CallContext) => {
    refuseUnless(!findQueued(db, song), 409, `song: song ${song} is already in the queue`);
    db.insert(queue, { song, slot: chooseSlot(db) });
    return undefined;
  },
  /** The example is a saved song that is not in the queue yet. */
  example: (db: Reader) => {
    const queuedIds = new Set(db.all(queue).map(({ song }) => song));
    return { song: db.where(songs, { saved: true }).find(({ id }) => !queuedIds.has(id))?.id ?? 1 };
  },
});

export const playerApis = {
  nowPlaying: thePlayer.show("Show what the player is doing."),
  play: thePlayer.act("Play a song at once; the queue stays.", {
    params: { song },
    run: (row, { song }, context) =>
      startSong(context, row, requireSong(context.db, song, "song").id),
    example: (db) => ({ song: firstRowId(db, songs, ({ saved }) => saved) }),
  }),
  playPlaylist: thePlayer.act(
    "Play a playlist from its start; its other songs take the place of the queue.",
    {
      params: { id: idParam("playlist") },
      run: (row, { id }, context) => {
        const { db } = context;
        const [first, ...rest] = playlistSongs(db, requireVisiblePlaylist(db, id).id);
        refuseUnless(first, 422, `id: playlist ${id} has no songs`);
        for (const { id } of db.all(queue)) db.remove(queue, id);
        for (const { id } of rest) db.insert(queue, { song: id, slot: null });
        return startSong(context, row, first.id);
      },
      example: (db) => ({ id: exampleOwnPlaylistId(db) }),
    },
  ),
  pause: thePlayer.set("Pause the music; nothing happens when it is paused already.", {
    playing: false,
  }),
  resume: thePlayer.change("Go on with the paused song; nothing happens when it plays already.", {
    set: { playing: true },
    checkRow: ({ song }) =>
      refuseUnless(song !== null, 422, "song: there is none; music.play starts one"),
  }),
  next: thePlayer.act("Play the first song of the queue and take it out.", {
    run: (row, _, context) => {
      const [first] = sortBySlot(context.db.all(queue));
      refuseUnless(first, 409, "queue: it is empty; music.enqueue adds songs");
      context.db.remove(queue, first.id);
      return startSong(context, row, first.song);
    },
  }),
  queue: songRows.list("List the queue in the order of playing.", {
    rows: (_, { db }) => sortBySlot(db.all(queue)).map(({ song }) => requireSong(db, song)),
  }),
  enqueue: thePlayer.act(
    "Add a song at the end of the queue.",
    enqueueOptions(() => null),
  ),
  unqueue: thePlayer.act("Take a song out of the queue.", {
    params: { song },
    run: (_, { song }, { db }) => {
      const row = findQueued(db, song);
      refuseUnless(row, 404, `song: song ${song} is not in the queue`);
      db.remove(queue, row.id);
    },
    example: (db) => ({ song: db.all(queue)[0]?.song ?? 1 }),
  }),
  clearQueue: thePlayer.act("Take all songs out of the queue.", {
    run: (_, __, { db }) => {
      for (const { id } of db.all(queue)) db.remove(queue, id);
    },
  }),
  setVolume: thePlayer.change("Set the volume.", {
    params: { percent: z.int().min(0).max(100).describe("0 is silent") },
    set: (_, { percent }) => ({ volume: percent }),
    example: { percent: 35 },
  }),
  setSleepTimer: thePlayer.change(
    "Let the music stop after some minutes, in place of an earlier timer.",
    {
      params: { minutes: z.int().min(1).max(480).describe("from now") },
      set: (_, { minutes }) => ({ sleepMinutes: minutes }),
      example: { minutes: 30 },
    },
  ),
};

const historyItem = defineItem(history, {
  title: [z.string(), ({ song }, { db }) => requireSong(db, song).title],
  song: z.int(),
  artist: [z.string(), ({ song }, { db }) => artistName(db, requireSong(db, song).artist)],
  day: dayField,
  time: [z.string(), ({ at }) => at.slice(11, 16)],
});

const sumColumn = (rows: readonly tables.Song[], column: "seconds" | "plays") =>
  rows.reduce((sum, row) => sum + row[column], 0);

const savedSongs = (db: Reader) => db.where(songs, { saved: true });
const visiblePlaylists = (db: Reader) =>
  db.where(tables.playlists, { removed: false, left: false });

export const listeningApis = {
  history: listApi("List what was played, newest first; a song appears each time it was played.", {
    item: historyItem,
    filters: {
      day: [dayParam("only on this day"), filterWhere(({ at }, day) => dayOf(at) === day)],
    },
    order: newestFirst,
  }),
  top: songRows.list("List the songs that the owner played most often, most played first.", {
    rows: (_, { db }) => db.all(songs).filter(({ plays }) => plays > 0),
    filters: { genre: genreFilter },
    order: orderBy(descending(({ plays }) => plays)),
    example: { genre: "jazz" },
  }),
  suggestions: songRows.list(
    "List songs outside the library by followed artists, newest year first.",
    {
      rows: (_, { db }) => {
        const followed = db.where(tables.artists, { followed: true }).map(({ id }) => id);
        return db.where(songs, { saved: false }).filter((row) => followed.includes(row.artist));
      },
      order: orderBy(descending(({ year }) => year)),
    },
  ),
  summary: countsApi("Count what the owner has: songs, likes, ratings, playlists and artists.", {
    songs: [savedSongs, "in the library"],
    seconds: [(db) => sumColumn(savedSongs(db), "seconds"), "of all songs in the library"],
    liked: (db) => db.where(songs, { liked: true }),
    rated: (db) => db.all(songs).filter(({ stars }) => stars !== null),
    followed: [(db) => db.where(tables.artists, { followed: true }), "artists"],
    playlists: [(db) => visiblePlaylists(db).filter(({ person }) => person === null), "own ones"],
    contactsPlaylists: [
      (db) => visiblePlaylists(db).filter(({ person }) => person !== null),
      "of contacts",
    ],
    plays: [(db) => sumColumn(db.all(songs), "plays"), "of all songs"],
  }),
};
