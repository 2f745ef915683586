/** The player: what plays, what comes next, and for how long. Playing a song adds to the listening history. */

import {
  by,
  countsApi,
  day,
  falling,
  firstId,
  idOf,
  itemOf,
  listing,
  must,
  newestFirst,
  resource,
  someOf,
  through,
  where,
} from "bowline/resources";
import type { CallContext, Reader } from "bowline/world";
import { z } from "bowline/world";
import { dayOf, onDay } from "../shared.ts";
import { inOrder, slotAt } from "./ordering.ts";
import * as tables from "./tables.ts";
import {
  artistName,
  ofGenre,
  ownOne,
  playlistBy,
  songBy,
  song as songRows,
  songsIn,
} from "./views.ts";

const { history, player, queue, songs } = tables;
const song = idOf("song");

/** The one that there is. */
const thePlayer = resource({
  noun: "player",
  item: itemOf(player, {
    playing: z.boolean(),
    song: through(songs, "song", "title"),
    songId: [z.int().nullable(), (row) => row.song],
    ...player.fields("volume", "shuffle", "repeat", "sleepMinutes"),
    queued: [z.int(), (_, { db }) => db.all(queue).length],
  }),
  keys: {},
  find: (_, { db }) => db.all(player)[0]!,
  example: () => ({}),
});

/** Plays a song at once and remembers that it was played. */
function start({ db, now }: CallContext, { id }: tables.Player, song: number): tables.Player {
  db.insert(history, { song, at: now });
  db.update(songs, song, { plays: songBy(db, song).plays + 1 });
  return db.update(player, id, { song, playing: true });
}

// --- the queue ---

const queued = (db: Reader, song: number): tables.Queued | undefined =>
  db.where(queue, { song: songBy(db, song, "song").id })[0];

/** What puts a song into the queue; `slot` is where. */
const queueing = (slot: (db: Reader) => number | null) => ({
  params: { song },
  run: (_: tables.Player, { song }: { song: number }, { db }: CallContext) => {
    must(!queued(db, song), 409, `song: song ${song} is already in the queue`);
    db.insert(queue, { song, slot: slot(db) });
    return undefined;
  },
  /** A saved song that does not wait already. */
  example: (db: Reader) => {
    const waiting = new Set(db.all(queue).map(({ song }) => song));
    return { song: db.where(songs, { saved: true }).find(({ id }) => !waiting.has(id))?.id ?? 1 };
  },
});

export const playerApis = {
  nowPlaying: thePlayer.show("Show what the player is doing."),
  play: thePlayer.act("Play a song at once; the queue stays.", {
    params: { song },
    run: (row, { song }, context) => start(context, row, songBy(context.db, song, "song").id),
    example: (db) => ({ song: firstId(db, songs, ({ saved }) => saved) }),
  }),
  playPlaylist: thePlayer.act(
    "Play a playlist from its start; its other songs take the place of the queue.",
    {
      params: { id: idOf("playlist") },
      run: (row, { id }, context) => {
        const { db } = context;
        const [first, ...rest] = songsIn(db, playlistBy(db, id).id);
        must(first, 422, `id: playlist ${id} has no songs`);
        for (const { id } of db.all(queue)) db.remove(queue, id);
        for (const { id } of rest) db.insert(queue, { song: id, slot: null });
        return start(context, row, first.id);
      },
      example: (db) => ({ id: ownOne(db) }),
    },
  ),
  pause: thePlayer.set("Pause the music; nothing happens when it is paused already.", {
    playing: false,
  }),
  resume: thePlayer.change("Go on with the paused song; nothing happens when it plays already.", {
    set: { playing: true },
    unless: ({ song }) => must(song !== null, 422, "song: there is none; music.play starts one"),
  }),
  next: thePlayer.act("Play the first song of the queue and take it out.", {
    run: (row, _, context) => {
      const [first] = inOrder(context.db.all(queue));
      must(first, 409, "queue: it is empty; music.enqueue adds songs");
      context.db.remove(queue, first.id);
      return start(context, row, first.song);
    },
  }),
  queue: songRows.list("List the queue in the order of playing.", {
    rows: (_, { db }) => inOrder(db.all(queue)).map(({ song }) => songBy(db, song)),
  }),
  enqueue: thePlayer.act(
    "Add a song at the end of the queue.",
    queueing(() => null),
  ),
  playNext: thePlayer.act(
    "Add a song at the front of the queue.",
    queueing((db) => slotAt(inOrder(db.all(queue)), 1)),
  ),
  unqueue: thePlayer.act("Take a song out of the queue.", {
    params: { song },
    run: (_, { song }, { db }) => {
      const row = queued(db, song);
      must(row, 404, `song: song ${song} is not in the queue`);
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
  setMode: thePlayer.change("Set shuffling and repeating.", {
    params: {
      shuffle: z.boolean().optional().describe("in a random order or not"),
      repeat: z.enum(tables.REPEATS).optional().describe("what begins again when it is over"),
    },
    check: ({ shuffle, repeat }) => someOf({ shuffle, repeat }),
    example: { repeat: "song" },
  }),
  setSleepTimer: thePlayer.change(
    "Let the music stop after some minutes, in place of an earlier timer.",
    {
      params: { minutes: z.int().min(1).max(480).describe("from now") },
      set: (_, { minutes }) => ({ sleepMinutes: minutes }),
      example: { minutes: 30 },
    },
  ),
  cancelSleepTimer: thePlayer.change("Cancel the sleep timer.", {
    set: { sleepMinutes: null },
    unless: ({ sleepMinutes }) => {
      const set = sleepMinutes !== null;
      must(set, 409, "sleepMinutes: no timer is set; music.setSleepTimer sets one");
    },
  }),
};

// --- what the owner listened to, what that says, and what else there is to hear ---

const heard = itemOf(history, {
  title: [z.string(), ({ song }, { db }) => songBy(db, song).title],
  song: z.int(),
  artist: [z.string(), ({ song }, { db }) => artistName(db, songBy(db, song).artist)],
  day: onDay,
  time: [z.string(), ({ at }) => at.slice(11, 16)],
});

const total = (rows: readonly tables.Song[], column: "seconds" | "plays") =>
  rows.reduce((sum, row) => sum + row[column], 0);

const saved = (db: Reader) => db.where(songs, { saved: true });
const lists = (db: Reader) => db.where(tables.playlists, { removed: false, left: false });

export const listeningApis = {
  history: listing("List what was played, newest first; a song appears each time it was played.", {
    item: heard,
    filters: { day: [day("only on this day"), where(({ at }, day) => dayOf(at) === day)] },
    order: newestFirst,
  }),
  top: songRows.list("List the songs that the owner played most often, most played first.", {
    rows: (_, { db }) => db.all(songs).filter(({ plays }) => plays > 0),
    filters: { genre: ofGenre },
    order: by(falling(({ plays }) => plays)),
    example: { genre: "jazz" },
  }),
  suggestions: songRows.list(
    "List songs outside the library by followed artists, newest year first.",
    {
      rows: (_, { db }) => {
        const followed = db.where(tables.artists, { followed: true }).map(({ id }) => id);
        return db.where(songs, { saved: false }).filter((row) => followed.includes(row.artist));
      },
      order: by(falling(({ year }) => year)),
    },
  ),
  summary: countsApi("Count what the owner has: songs, likes, ratings, playlists and artists.", {
    songs: [saved, "in the library"],
    seconds: [(db) => total(saved(db), "seconds"), "of all songs in the library"],
    liked: (db) => db.where(songs, { liked: true }),
    rated: (db) => db.all(songs).filter(({ stars }) => stars !== null),
    followed: [(db) => db.where(tables.artists, { followed: true }), "artists"],
    playlists: [(db) => lists(db).filter(({ person }) => person === null), "own ones"],
    contactsPlaylists: [(db) => lists(db).filter(({ person }) => person !== null), "of contacts"],
    plays: [(db) => total(db.all(songs), "plays"), "of all songs"],
  }),
};
